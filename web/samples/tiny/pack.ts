import Card from "../../src/cards/Card.svelte";
import type { CommonView, Pack } from "../../src/games/pack";
import Table from "./Table.svelte";

export interface View extends CommonView {
  hands: string[][];
  piles: string[][];
}

export interface Figures {
  sums: number[];
  gains: Record<string, number>;
}

export const pack: Pack<View, Figures> = {
  Table,
  Face: Card,
  pilesOf: ({ hands, piles }, viewpoint) => ({
    hand: hands[viewpoint] ?? [],
    ...Object.fromEntries(piles.map((cards, seat) => [`pile ${seat}`, cards])),
  }),
  drawsSeats: true, // names stand at the seats, so that the frame lists only who is away
};
