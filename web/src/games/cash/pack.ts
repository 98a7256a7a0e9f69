/** CASH's table and cards. */

import type { Pack } from "../pack";
import Face from "./CashCard.svelte";
import Table from "./Table.svelte";
import { type Figures, pilesOf, type View } from "./view";

export const pack: Pack<View, Figures> = {
  Table,
  Face,
  pilesOf,
  drawsSeats: true,
};
