/** A mark for each kind of card, and one for each charge, drawn around (0, 0) in a box from -10 to 10. */

import type { Kind } from "./view";

export const KIND_MARKS: Record<Kind, string> = {
  license: "M0 -10a7 7 0 1 1 0 14a7 7 0 1 1 0 -14M-4 3L-6 10L0 7L6 10L4 3z",
  stop: "M-4 -10H4L10 -4V4L4 10H-4L-10 4V-4zM-6 -2V2H6V-2z",
  cash: "M-10 -6H10V6H-10zM-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0",
  cover: "M0 -10L9 -7C9 1 7 6 0 10C-7 6 -9 1 -9 -7z",
  probe: "M-3 -10a7 7 0 1 1 0 14a7 7 0 1 1 0 -14M-3 -7.4a4.4 4.4 0 1 0 0 8.8a4.4 4.4 0 1 0 0 -8.8M2.6 1L9.6 7.6L7.6 9.8L0.6 3z",
  clear: "M-10 0L-7 -3L-3 1.6L7 -8.6L10 -5.6L-3 8z",
  bull: "M-10 6L-3 -1L1 3L6 -4L3.4 -6L10 -9L9.6 -1.6L7.6 -3L1.4 6.6L-3 2.4L-8 8z",
  bear: "M-10 -6L-3 1L1 -3L6 4L3.4 6L10 9L9.6 1.6L7.6 3L1.4 -6.6L-3 -2.4L-8 -8z",
  commission: "M-7 8L5 -10L7.4 -8.4L-4.6 9.6zM-6 -9a4 4 0 1 1 0 8a4 4 0 1 1 0 -8M6 1a4 4 0 1 1 0 8a4 4 0 1 1 0 -8",
  hidden: "",
};

/** What a card shows in big: a figure, or a word short enough. */
export function legend(card: string): string {
  const [, detail] = card.split("-");
  if (detail && /^\d+$/.test(detail)) return card.startsWith("cover") ? `≤${detail}` : `$${detail}`;
  return "";
}
