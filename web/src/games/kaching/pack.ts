/** Ka-Ching!'s table and cards. */

import CardFace from "../../cards/CardFace.svelte";
import type { Pack } from "../pack";
import Table from "./Table.svelte";
import { type Figures, pilesOf, soldLast, type View } from "./view";

export const pack: Pack<View, Figures> = {
  Table,
  Face: CardFace,
  pilesOf,
  goneBy: (view, lines) => (view.sold > 0 ? soldLast(lines) : []),
  drawsSeats: true,
};
