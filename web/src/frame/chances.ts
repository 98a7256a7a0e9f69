/** Everybody's chance to win. */

/** Each side's chance. */
export const chancesOf = (sides: number[][], chances: number[]): number[] => sides.map(([first]) => chances[first!]!);
