/** What a view of any game looks like: kibitz/core/views.py. Made by scripts/write_types.py. */

/** What every game's view has. */
export interface CommonView {
  game: string;
  options: object;
  players: number;
  round: number;
  turn: number | null; // the seat that decides; null when the game is over
  phase: string;
  scores: number[];
  over: boolean;
  winners: number[]; // seats; none until the game is over
  moves: number; // made in this round
}
