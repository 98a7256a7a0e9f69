/** The four suits and the crown as outlines, drawn around (0, 0) in a box from -10 to 10. */

import type { Suit } from "./view";

export const SHAPES: Record<Suit, string> = {
  S: "M0 -10C2.5 -5.5 9 -1.5 9 3.6C9 7 5.6 8.4 3.1 6.6C2.4 6.1 1.8 5.4 1.4 4.7L3.6 10H-3.6L-1.4 4.7C-1.8 5.4 -2.4 6.1 -3.1 6.6C-5.6 8.4 -9 7 -9 3.6C-9 -1.5 -2.5 -5.5 0 -10z",
  H: "M0 9.6C-3 6 -9.6 1.6 -9.6 -3.9C-9.6 -9.2 -2.6 -10.6 0 -5.2C2.6 -10.6 9.6 -9.2 9.6 -3.9C9.6 1.6 3 6 0 9.6z",
  D: "M0 -10.4L7.6 0L0 10.4L-7.6 0z",
  C: "M-3.6 10L-1.3 4.4C-2.4 6.6 -4.2 7.4 -6 7.2C-10.8 6.6 -10.6 -0.8 -5.6 -1.1C-4.9 -1.1 -4.2 -1 -3.6 -0.7C-7.4 -4.4 -4.6 -10.2 0 -10.2C4.6 -10.2 7.4 -4.4 3.6 -0.7C4.2 -1 4.9 -1.1 5.6 -1.1C10.6 -0.8 10.8 6.6 6 7.2C4.2 7.4 2.4 6.6 1.3 4.4L3.6 10z",
};

/** Tokens of their colours. */
export const INKS: Record<Suit, string> = { S: "spade", H: "heart", D: "diamond", C: "club" };

export const CROWN = "M-9 7.5L-10 -5L-4.9 -0.2L0 -8.5L4.9 -0.2L10 -5L9 7.5z";
export const JEWELS = [
  [-10, -6],
  [0, -9.5],
  [10, -6],
] as const;

export const isSuit = (card: string): card is Suit => card in SHAPES;
