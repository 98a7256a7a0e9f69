/** MATCH!'s table and cards. */

import type { Pack } from "../pack";
import Face from "./Face.svelte";
import Table from "./Table.svelte";
import { pilesOf, type View } from "./view";

export const pack: Pack<View> = {
  Table,
  Face,
  pilesOf,
};
