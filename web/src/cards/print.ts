/** What cards are printed with: colours, shapes and measures, as in the rulebooks' pictures (scripts/draw_pictures.py). */

export type ShapeKind = "circle" | "triangle" | "square" | "diamond" | "star";

export interface Suit {
  fill: string;
  /** What is printed on `fill`: paper on a dark colour, ink on a light one. */
  onFill: string;
  shape: ShapeKind;
}

type Point = readonly [x: number, y: number];

const PAPER = "var(--card-paper)";
const INK = "var(--card-ink)";

export const WILD = "W";
export const HIDDEN = "?";

// Neighbours in hue differ in lightness too, and no two shapes share an outline: a colour-blind player can
// tell the cards apart at a glance.
export const SUITS: Readonly<Record<string, Suit>> = {
  R: { fill: "var(--red)", onFill: PAPER, shape: "circle" },
  Y: { fill: "var(--yellow)", onFill: INK, shape: "triangle" },
  G: { fill: "var(--green)", onFill: INK, shape: "square" },
  B: { fill: "var(--blue)", onFill: PAPER, shape: "diamond" },
  P: { fill: "var(--purple)", onFill: PAPER, shape: "star" },
};

export const CARD = { width: 100, height: 140, radius: 8 } as const;
/** What a covered card shows: letter, value and shape fit into it. */
export const HEAD_HEIGHT = 42;
/** Coloured a little further, to fill the corners of the card that covers it. */
export const STRIP_HEIGHT = 46;
/** The height at which letter, value and shape are centred. */
export const HEAD_LINE = 21;

/** The strip's outline: two round corners on top. */
export const STRIP = `M0 ${STRIP_HEIGHT}V${CARD.radius}q0 -${CARD.radius} ${CARD.radius} -${CARD.radius}H${
  CARD.width - CARD.radius
}q${CARD.radius} 0 ${CARD.radius} ${CARD.radius}V${STRIP_HEIGHT}z`;

/** The point on a circle, counted clockwise from the top. */
function around(x: number, y: number, radius: number, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180;
  return [x + radius * Math.sin(angle), y - radius * Math.cos(angle)];
}

// Around (0, 0); all shapes look about equally big for the same size.
const CORNERS: Partial<Record<ShapeKind, readonly Point[]>> = {
  triangle: [
    [0, -1],
    [1.14, 0.92],
    [-1.14, 0.92],
  ],
  square: [
    [-0.87, -0.87],
    [0.87, -0.87],
    [0.87, 0.87],
    [-0.87, 0.87],
  ],
  diamond: [
    [0, -1.1],
    [1, 0],
    [0, 1.1],
    [-1, 0],
  ],
  star: Array.from({ length: 10 }, (_, i) => around(0, 0.1, i % 2 ? 0.6 : 1.18, 36 * i)),
};

const short = (value: number): string => String(Math.round(value * 100) / 100);

/** A shape's outline around a point. */
export function outline(shape: ShapeKind, x: number, y: number, size: number): string {
  const corners = CORNERS[shape];
  if (!corners) return circle(x, y, 0.96 * size);
  return `M${corners.map(([across, down]) => `${short(x + size * across)} ${short(y + size * down)}`).join("L")}z`;
}

/** A row of circles around a point, as one outline. */
export function row(count: number, x: number, y: number, radius: number, step: number): string {
  return Array.from({ length: count }, (_, i) => circle(x + step * (i - (count - 1) / 2), y, radius)).join("");
}

function circle(x: number, y: number, radius: number): string {
  const r = short(radius);
  return `M${short(x - radius)} ${short(y)}a${r} ${r} 0 1 1 ${short(2 * radius)} 0a${r} ${r} 0 1 1 ${short(-2 * radius)} 0z`;
}

/** Five slices of a wheel, one a colour. */
export function wheel(x: number, y: number, radius: number): { fill: string; path: string }[] {
  return Object.values(SUITS).map(({ fill }, i) => {
    const [[x1, y1], [x2, y2]] = [around(x, y, radius, 72 * i - 36), around(x, y, radius, 72 * i + 36)];
    const arc = `A${short(radius)} ${short(radius)} 0 0 1 ${short(x2)} ${short(y2)}`;
    return { fill, path: `M${short(x)} ${short(y)}L${short(x1)} ${short(y1)}${arc}z` };
  });
}

/** Whether a card's name is a colour and a value, `R4`, or the wild. */
export const isPrinted = (card: string): boolean => card === WILD || /^[RYGBP]\d$/.test(card);
