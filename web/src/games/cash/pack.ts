/** CASH's table and cards. */

import type { Pack } from "../pack";
import Face from "./CashCard.svelte";
import Table from "./Table.svelte";
import type { View } from "./view";

export const pack: Pack<View> = {
  Table,
  Face,
  pilesOf: ({ hands, discard }, viewpoint) => ({ hand: hands[viewpoint] ?? [], discard: discard.slice(-1) }),
};
