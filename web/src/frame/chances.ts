/** Everybody's chance to win, beside what a hint has found of mine. */

/** Each side's chance, all together 1, though several can win at once. A hint looks closer at mine: then that is what
 * it told, and the others share the rest.
 */
export function chancesOf(sides: number[][], chances: number[], seat: number | null, hinted?: number): number[] {
  const told = sides.map(([first]) => chances[first!]!);
  const mine = hinted === undefined ? -1 : sides.findIndex((side) => side.includes(seat!));
  const others = told.reduce((sum, chance, side) => (side === mine ? sum : sum + chance), 0) || 1;
  return told.map((chance, side) => (side === mine ? hinted! : (chance / others) * (mine < 0 ? 1 : 1 - hinted!)));
}
