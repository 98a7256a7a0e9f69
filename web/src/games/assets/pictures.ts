/** The pictures on the cards, drawn for Kibitz: bold shapes around a middle of 0, 0, some 76 wide and 60 high. */

export interface Print {
  /** The card's colour, and what is printed on it. */
  colour: string;
  ink: "paper" | "ink";
  /** Shapes, each with its fill; outlined in ink unless `bare`. */
  shapes: Shape[];
}

interface Shape {
  path: string;
  fill: string;
  bare?: boolean;
}

const PAPER = "var(--card-paper)";
const INK = "var(--card-ink)";
const GOLD = "var(--gold)";
const SILVER = "#d5dce2";
const BULLION = "#ffdf7d";

const draw = (fill: string, path: string): Shape => ({ path, fill });
const plain = (fill: string, path: string): Shape => ({ path, fill, bare: true });
const disc = (x: number, y: number, radius: number): string =>
  `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;
const box = (x: number, y: number, width: number, height: number): string => `M${x} ${y}h${width}v${height}h${-width}z`;
/** An ingot: its front, and its upper side. */
const ingot = (x: number, y: number, fill: string): Shape[] => [
  draw(fill, `M${x - 20} ${y + 11}l5 -15h30l5 15z`),
  draw(PAPER, `M${x - 15} ${y - 4}l4 -7h22l4 7z`),
];
/** A twinkle. */
const star = (x: number, y: number, size: number): Shape =>
  plain(PAPER, `M${x} ${y - size}q1.500 ${size - 1.5} ${size} ${size}q-${size - 1.5} 1.500 -${size} ${size}q-1.500 -${size - 1.5} -${size} -${size}q${size - 1.5} -1.500 ${size} -${size}z`);

export const PRINTS: Readonly<Record<string, Print>> = {
  home: {
    colour: "#b5432e",
    ink: "paper",
    shapes: [
      draw("#e9c58a", box(-25, -4, 50, 32)),
      draw("#7d2a1c", "M12 -27h9v16h-9z"),
      draw("#d9573c", "M-36 -1L0 -31L36 -1z"),
      draw("#6b3a1f", box(-7, 8, 14, 20)),
      draw("#9fd0e8", box(11, 5, 9, 9)),
    ],
  },
  auto: {
    colour: "#2272b9",
    ink: "paper",
    shapes: [
      draw("#d8443a", "M-37 15V3q0 -5 8 -6l9 -17q2 -4 7 -4h17q5 0 8 4l10 16q16 2 16 11v8z"),
      draw("#cfe8f5", "M-14 -4l7 -13h10v13zM8 -17h6l8 13H8z"),
      draw(PAPER, disc(-20, 15, 10)),
      draw(PAPER, disc(20, 15, 10)),
      plain(INK, `${disc(-20, 15, 3.5)}${disc(20, 15, 3.5)}`),
    ],
  },
  jewels: {
    colour: "#7a3b99",
    ink: "paper",
    shapes: [
      draw("#5ec5e8", "M-31 -9L-16 -26H16L31 -9L0 29z"),
      plain("#b9ecfb", "M-27 -9L-15 -23L-8 -9zM-5 -9L0 -23L5 -9z"),
      plain("#2a90b8", "M8 -9H27L2 24z"),
      star(26, -24, 9),
    ],
  },
  stocks: {
    colour: "#22775a",
    ink: "paper",
    shapes: [
      draw("#f6c62f", box(-32, 8, 13, 20)),
      draw("#f6c62f", box(-13, -2, 13, 30)),
      draw("#f6c62f", box(6, -12, 13, 40)),
      draw(PAPER, "M-35 -4L-13 -17L-3 -11L20 -27L15 -31L36 -33L31 -12L26 -19L-2 0L-13 -7L-31 4z"),
    ],
  },
  coins: {
    colour: "#8a5a22",
    ink: "paper",
    shapes: [
      draw("#d98e4a", disc(-14, 10, 18)),
      draw(SILVER, disc(14, 10, 18)),
      draw(GOLD, disc(0, -12, 18)),
      plain(INK, "M-1.500 -24h3v3q5 .6 6 5h-3.500q-.8 -2 -4 -2q-4 0 -4 2.500q0 2 4.500 2.800q7.500 1.300 7.500 6.200q0 5 -6.500 5.800v3h-3v-3q-6 -.8 -6.800 -6h3.600q.8 3 5 3q4 0 4 -2.600q0 -2.200 -4.600 -3q-7.400 -1.200 -7.400 -6q0 -4.700 5.700 -5.700z"),
    ],
  },
  bank: {
    colour: "#34507a",
    ink: "paper",
    shapes: [
      draw(PAPER, box(-33, 19, 66, 9)),
      draw(PAPER, `${box(-27, -7, 10, 26)}${box(-5, -7, 10, 26)}${box(17, -7, 10, 26)}`),
      draw(PAPER, "M-35 -8L0 -31L35 -8z"),
      draw(GOLD, disc(0, -16, 5.5)),
    ],
  },
  stamps: {
    colour: "#5f7f2e",
    ink: "paper",
    shapes: [
      draw(PAPER, `M-26 -30${"q4 5 8 0".repeat(6)}h4${"q-5 4 0 8".repeat(7)}v4h-4${"q-4 -5 -8 0".repeat(6)}h-4${"q5 -4 0 -8".repeat(7)}z`),
      plain("#8ac3e6", box(-18, -21, 38, 42)),
      plain("#f6c62f", disc(9, -10, 6)),
      plain("#3f7d46", "M-18 21V10L-6 -5L4 9L10 3L20 13V21z"),
    ],
  },
  baseball: {
    colour: "#79a9d4",
    ink: "ink",
    shapes: [
      draw("#c58a4a", "M-36 25L15 -26q6 -6 11 -1t-1 11L-30 30z"),
      draw(PAPER, disc(14, 9, 20)),
      { path: "M2 -4q11 13 3 29M26 -6q-11 13 -3 29", fill: "none" },
      plain("#c6362b", "M4 2l6 -2v3l-5 2zM6 10l6 -1v3l-6 1zM5 18l6 1v3l-6 -1zM24 0l-6 -2v3l5 2zM22 8l-6 -1v3l6 1zM23 16l-6 1v3l6 -1z"),
    ],
  },
  mattress: {
    colour: "#c8ac7f",
    ink: "ink",
    shapes: [
      draw("#5aa35f", "M-20 8l-12 15l20 6l12 -15zM22 8l14 13l-18 9l-14 -14z"),
      draw("#f4f1ea", "M-30 -16H30q7 0 7 7V5q0 7 -7 7H-30q-7 0 -7 -7V-9q0 -7 7 -7z"),
      plain("#6d8fc0", `${box(-24, -14.500, 6, 25)}${box(-10, -14.500, 6, 25)}${box(4, -14.500, 6, 25)}${box(18, -14.500, 6, 25)}`),
      draw("#e8dcc6", "M-26 -28h20q5 0 5 5v7h-30v-7q0 -5 5 -5z"),
    ],
  },
  piggy: {
    colour: "#e88ba6",
    ink: "ink",
    shapes: [
      draw("#d96f90", `${box(-21, 12, 10, 17)}${box(9, 12, 10, 17)}`),
      draw("#f9bccb", "M-32 0q0 -22 30 -22q30 0 30 22q0 21 -30 21q-30 0 -30 -21z"),
      draw("#d96f90", "M6 -19l13 -9l3 15z"),
      draw("#f6d3dc", "M24 -6h8q5 0 5 6t-5 6h-8z"),
      draw(GOLD, disc(-8, -26, 8)),
      plain(INK, `${disc(17, -5, 2.600)}M-16 -18h16v4h-16z`),
    ],
  },
  comics: {
    colour: "#f2c21f",
    ink: "ink",
    shapes: [
      draw("#d8443a", "M0 -32L8 -17L24 -27L20 -10L37 -7L22 4L33 19L15 15L10 31L0 17L-12 30L-14 14L-33 18L-22 3L-37 -8L-19 -10L-23 -27L-8 -17z"),
      draw(PAPER, "M-5 -16h10l-2.500 19h-5zM-4.500 8h9v8h-9z"),
    ],
  },
  piano: {
    colour: "#3a3a44",
    ink: "paper",
    shapes: [
      draw("#8c2f2a", box(-35, -26, 70, 14)),
      draw(PAPER, box(-35, -12, 70, 40)),
      { path: "M-21 -12V28M-7 -12V28M7 -12V28M21 -12V28", fill: "none" },
      plain(INK, `${box(-26, -12, 9, 23)}${box(-12, -12, 9, 23)}${box(16, -12, 9, 23)}`),
    ],
  },
  train: {
    colour: "#1f8a54",
    ink: "paper",
    shapes: [
      draw("#c6362b", box(-34, -24, 24, 40)),
      draw("#9fd0e8", box(-29, -18, 13, 12)),
      draw("#2f2a2a", "M-10 -8H26q9 0 9 9v15H-10z"),
      draw(GOLD, "M10 -26h14l-3 18h-8z"),
      draw(PAPER, `${disc(-22, 19, 9)}${disc(4, 20, 8)}${disc(25, 20, 8)}`),
    ],
  },
  scooter: {
    colour: "#17918a",
    ink: "paper",
    shapes: [
      draw("#2f2a2a", `${disc(-22, 18, 10)}${disc(25, 18, 10)}`),
      draw("#f28c28", "M-34 12q0 -18 18 -18h12q6 0 6 7v6h10q6 -18 3 -28l-9 -4v-5h14q6 4 6 14q0 14 6 26l-5 3q-4 -4 -12 0q-5 3 -6 7H-10q-4 -10 -14 -10q-5 0 -10 2z"),
      draw("#6b3a1f", "M-30 -13h24q5 0 5 6h-29z"),
      plain(PAPER, `${disc(-22, 18, 4)}${disc(25, 18, 4)}`),
    ],
  },
  plane: {
    colour: "#4b7fd0",
    ink: "paper",
    shapes: [
      draw(PAPER, "M0 -33q6 0 6 11v11L36 6v9L6 8v13l10 7v5L0 29l-16 4v-5l10 -7V8l-30 7V6L-6 -11v-11q0 -11 6 -11z"),
      plain("#d8443a", "M-36 6l8 -5v10l-8 4zM36 6l-8 -5v10l8 4z"),
      plain("#2f4e86", disc(0, -20, 3.500)),
    ],
  },
  cabin: {
    colour: "#74492a",
    ink: "paper",
    shapes: [
      draw("#2f7a45", "M26 -30L38 -8H32L40 8H12L20 -8H14z"),
      draw("#c58a4a", box(-31, -4, 48, 32)),
      { path: "M-31 4H17M-31 12H17M-31 20H17", fill: "none" },
      draw("#4a2c17", "M-38 -2L-7 -28L24 -2z"),
      draw(GOLD, box(-14, 9, 14, 19)),
    ],
  },
  silver: {
    colour: "#aab6c1",
    ink: "ink",
    shapes: [...ingot(-9, 14, SILVER), ...ingot(9, -8, SILVER), star(30, -22, 9), star(-30, -12, 7)],
  },
  gold: {
    colour: "#f0b323",
    ink: "ink",
    shapes: [...ingot(-20, 15, BULLION), ...ingot(20, 15, BULLION), ...ingot(0, -9, BULLION), star(30, -22, 10), star(-30, -16, 8)],
  },
};
