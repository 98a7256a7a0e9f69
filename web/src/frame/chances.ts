/** Everybody's chance to win, beside what a hint has found of mine. */

/** Each side's chance. A hint looks closer at mine: then that is what it told, and the others share the rest. */
export function chancesOf(sides: number[][], chances: number[], seat: number | null, hinted?: number): number[] {
  const told = sides.map(([first]) => chances[first!]!);
  const mine = sides.findIndex((side) => side.includes(seat!));
  if (hinted === undefined || mine < 0) return told;
  const others = told.reduce((sum, chance, side) => (side === mine ? sum : sum + chance), 0);
  return told.map((chance, side) => (side === mine ? hinted : others && (chance / others) * (1 - hinted)));
}
