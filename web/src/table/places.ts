/** Everything on the table has one address, `data-place="stack 2"`: keys, drags, motion and guidance all mean it by that.
 *
 * - `data-row="hand"`: arrow keys go through the things of a row, and from row to row (roving.ts);
 * - `data-takes`: what is dragged can be let go here (drag.ts);
 * - `data-moves`: it travels from where it was to where it is (motion.ts); when it is new, from the address in
 *   `data-from`, and when it is gone, to the one in `data-to`.
 */

const PLACE = "[data-place]";

/** All places within a part of the page, in the document's order. */
export function placesIn(root: ParentNode): HTMLElement[] {
  return Array.from(root.querySelectorAll<HTMLElement>(PLACE));
}

export function addressOf(element: HTMLElement): string {
  return element.dataset.place ?? "";
}

/** The element with an address. */
export function find(address: string, root: ParentNode = document): HTMLElement | null {
  return root.querySelector<HTMLElement>(`[data-place=${JSON.stringify(address)}]`);
}

/** The elements with these addresses, as far as they are there. `hand/R4`: the first R4 in the hand, and named again the
 * next; single cards have addresses of their own, which nobody knows beforehand.
 */
export function findAll(addresses: string[], root: ParentNode): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (const address of addresses) {
    const [around = "", card] = address.split("/");
    const outer = find(around, root);
    const inner = outer && card ? placesIn(outer).find((each) => addressOf(each).startsWith(`${card}#`) && !found.includes(each)) : outer;
    if (inner) found.push(inner);
  }
  return found;
}

/** The place nearest to a point where something dragged can be let go. */
export function takerAt(x: number, y: number): HTMLElement | null {
  return document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-takes]") ?? null;
}
