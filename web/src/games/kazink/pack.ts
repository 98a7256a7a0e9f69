/** Kazink!'s table and cards. */

import type { Pack } from "../pack";
import Face from "./KazinkCard.svelte";
import Table from "./Table.svelte";
import type { Figures, View } from "./view";

export const pack: Pack<View, Figures> = {
  Table,
  Face,
  pilesOf: ({ hands, discard }, viewpoint) => ({ hand: hands[viewpoint] ?? [], discard: discard.slice(-1) }),
  tallyOf: (view, { colours, crowns }, seat, say) => {
    const colour = colours[seat] ?? "";
    return say("table.tally", { crowns: crowns[colour] ?? 0, rows: view.rows[colour] ?? 0 });
  },
  sideOf: ({ colours }, seat) => colours[seat] ?? "",
  laid: "chip",
  drawsSeats: true,
};
