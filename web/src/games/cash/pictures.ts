/** What is drawn on the cards: strokes of a pen around (0, 0), from -40 to 40, each with its paint. */

import type { Kind } from "./view";

/** `paper`, `shade` (darker than the card), `gold`, `ink` are filled; `line` is drawn with a thick pen, `hair` with a thin one, `tick` in gold. */
export type Paint = "paper" | "shade" | "gold" | "ink" | "line" | "hair" | "tick";
export type Stroke = readonly [paint: Paint, path: string];

/** One drawing over the other, each where it stands and how large. */
export type Picture = readonly { strokes: readonly Stroke[]; at?: string }[];

const circle = (x: number, y: number, r: number): string => `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0z`;

/** What one can be charged with. */
const CHARGES: Record<string, readonly Stroke[]> = {
  bribery: [
    ["gold", "M-15 -27H15V0H-15z"],
    ["shade", circle(0, -16, 6)],
    ["paper", "M-26 -11H26V24H-26z"],
    ["hair", "M-26 -11L0 10L26 -11M-26 24L-8 4M26 24L8 4"],
  ],
  insider: [
    ["paper", "M-22 -27H22Q29 -27 29 -20V6Q29 13 22 13H0L-13 28V13H-22Q-29 13 -29 6V-20Q-29 -27 -22 -27z"],
    ["shade", circle(-14, -7, 4.5) + circle(0, -7, 4.5) + circle(14, -7, 4.5)],
  ],
  laundering: [
    ["paper", "M-18 -28H18Q23 -28 23 -23V23Q23 28 18 28H-18Q-23 28 -23 23V-23Q-23 -28 -18 -28z"],
    ["shade", circle(0, 6, 16) + "M-17 -22H-3V-17H-17z" + circle(14, -19.5, 3)],
    ["gold", circle(0, 6, 10)],
  ],
  crime: [
    ["paper", "M-32 4Q0 -6 32 4Q30 12 0 12Q-30 12 -32 4zM-19 2L-14 -24Q0 -18 14 -24L19 2Q0 -4 -19 2z"],
    ["shade", "M-17.5 -6Q0 -12 17.5 -6L19 2Q0 -5 -19 2z"],
    ["ink", "M-22 16Q0 10 22 16Q22 28 10 28Q3 28 0 22Q-3 28 -10 28Q-22 28 -22 16z"],
    ["paper", "M-15 19Q-9 16 -5 20Q-9 24 -15 19zM15 19Q9 16 5 20Q9 24 15 19z"],
  ],
};

const GLASS: readonly Stroke[] = [
  ["line", "M18 16L34 33"],
  ["shade", circle(-5, -7, 31)],
  ["line", circle(-5, -7, 29)],
];

const TICK: readonly Stroke[] = [["tick", "M-28 14L-8 33L32 -14"]];

const BULL: readonly Stroke[] = [
  ["line", "M-15 -12Q-36 -10 -34 -34M15 -12Q36 -10 34 -34"],
  ["paper", "M-19 -16Q0 -24 19 -16L34 -9Q28 2 18 0Q17 22 10 28Q0 34 -10 28Q-17 22 -18 0Q-28 2 -34 -9z"],
  ["ink", circle(-9, -2, 3) + circle(9, -2, 3)],
  ["shade", "M-11 17Q0 10 11 17Q12 29 0 30Q-12 29 -11 17z"],
  ["gold", "M-6 24a6 6 0 1 0 12 0h-3.4a2.6 2.6 0 1 1 -5.2 0z"],
];

const BEAR: readonly Stroke[] = [
  ["paper", circle(-21, -20, 11) + circle(21, -20, 11) + "M0 -30Q32 -30 32 4Q32 34 0 34Q-32 34 -32 4Q-32 -30 0 -30z"],
  ["shade", circle(-21, -20, 5) + circle(21, -20, 5) + "M0 4Q18 4 18 18Q18 31 0 31Q-18 31 -18 18Q-18 4 0 4z"],
  ["ink", circle(-13, -5, 3.6) + circle(13, -5, 3.6) + "M-7 10H7L0 18z"],
];

const PICTURES: Record<string, readonly Stroke[]> = {
  license: [
    ["paper", "M-29 -34H29V24H-29z"],
    ["shade", "M-21 -25H21V-20H-21zM-21 -13H21V-9.5H-21zM-21 -4H21V-0.5H-21zM-21 5H-3V8.5H-21z"],
    ["gold", "M7 18L2 40L13 33L24 40L19 18z" + circle(13, 15, 12)],
    ["paper", circle(13, 15, 6)],
  ],
  stop: [
    ["paper", "M-15.5 -37H15.5L37 -15.5V15.5L15.5 37H-15.5L-37 15.5V-15.5z"],
    ["shade", "M-13 -31H13L31 -13V13L13 31H-13L-31 13V-13z"],
    ["gold", "M-17 12Q-13 8 -13 -4Q-13 -17 0 -17Q13 -17 13 -4Q13 8 17 12z" + circle(0, 16, 5) + circle(0, -19, 3.5)],
  ],
  cover: [
    ["line", "M0 -30V24a9 9 0 0 0 18 0"],
    ["paper", "M-38 6A38 38 0 0 1 38 6Q32 -3 25 6Q19 -3 12.6 6Q6 -3 0 6Q-6 -3 -12.6 6Q-19 -3 -25 6Q-32 -3 -38 6z"],
    ["hair", "M-12.6 5Q-14 -20 0 -31Q14 -20 12.6 5"],
  ],
  settlement: [
    ["paper", "M-30 -20L-8 -36L14 -6L-8 10zM-34 26H12V36H-34z"],
    ["shade", "M-30 -20L-25 -23.6L-3 6.4L-8 10zM-13 -32.4L-8 -36L14 -6L9 -2.4z"],
    ["line", "M6 -16L34 20"],
  ],
  dividend: BULL,
  premium: [["gold", circle(-25, 26, 10) + circle(25, 26, 10)], ...BULL],
  recession: BEAR,
  venture: [
    ["gold", "M-9 16Q-11 26 0 40Q11 26 9 16z"],
    ["shade", "M-15 -4L-29 20L-14 16zM15 -4L29 20L14 16z"],
    ["paper", "M0 -40Q19 -22 15 18H-15Q-19 -22 0 -40z"],
    ["shade", circle(0, -11, 7)],
  ],
  takeover: [
    ["shade", "M-38 16H38V34H-38z"],
    ["paper", "M-32 18Q-12 10 -2 -34Q22 -18 28 18z"],
    ["hair", "M-38 18Q-28 10 -19 18Q-9 26 0 18Q9 10 19 18Q28 26 38 18M-30 29Q-22 23 -14 29Q-6 35 2 29Q10 23 18 29"],
  ],
  crash: [
    ["hair", "M-34 -34V34H34"],
    ["line", "M-26 -24L-9 -6L2 -14L24 18"],
    ["paper", "M33 30L13 24L29 10z"],
  ],
  bankruptcy: [
    ["gold", "M-4 -32A32 32 0 0 0 -4 32L-12 16L-2 6L-12 -8L-2 -18z"],
    ["gold", "M8 -28A30 30 0 0 1 10 34L2 18L12 8L2 -6L12 -16z"],
    ["hair", "M-20 -8H-30M-20 4H-30M22 -4H32M22 8H32"],
  ],
  broker: [
    ["line", "M-26 6Q-30 -26 0 -26Q30 -26 26 6"],
    ["paper", "M-38 0H-18V18H-38zM18 0H38V18H18z"],
    ["gold", circle(0, 20, 13)],
    ["shade", "M-2 12H2V28H-2z"],
  ],
  banker: [
    ["paper", "M-37 -10L0 -36L37 -10zM-30 -6H-20V20H-30zM-5 -6H5V20H-5zM20 -6H30V20H20zM-37 24H37V34H-37z"],
    ["gold", circle(0, -19, 6)],
  ],
  taxman: [
    ["paper", "M-22 -8A22 26 0 0 1 22 -8zM-37 -10H37Q37 0 28 0H-28Q-37 0 -37 -10z"],
    ["shade", "M-22 -16H22V-10H-22z"],
    ["gold", circle(-15, 16, 8) + circle(15, 28, 8)],
    ["tick", "M15 10L-15 36"],
  ],
};

/** The picture of a card; none for cash, which shows its figure. */
export function pictureOf(card: string, kind: Kind): Picture {
  const charge = CHARGES[card.split("-")[1] ?? ""];
  if (kind === "probe" && charge) return [{ strokes: GLASS }, { strokes: charge, at: "translate(-5 -7) scale(0.66)" }];
  if (kind === "clear" && charge) return [{ strokes: charge, at: "translate(0 -8) scale(0.9)" }, { strokes: TICK }];
  const strokes = PICTURES[card] ?? PICTURES[kind];
  return strokes ? [{ strokes }] : [];
}

/** The small picture in a corner: of a charge what it is, and not that it is one. */
export function markOf(card: string, kind: Kind): readonly Stroke[] {
  return CHARGES[card.split("-")[1] ?? ""] ?? pictureOf(card, kind)[0]?.strokes ?? [];
}
