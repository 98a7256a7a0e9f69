/** What a game brings to the page: its table, its cards, and what they are called. It draws and words, and knows no rules. */

import type { Component } from "svelte";
import type { LogLine } from "../protocol";
import type { Piles } from "../table/cards";
import type { Sound } from "../sound";
import type { Say } from "../words.svelte";
import type { TableModel } from "./model.svelte";
import type { CommonView } from "./view";

export type { CommonView };

/** A card by its name in the notation, with the game's words for what is printed on it. */
export interface CardProps {
  card: string;
  say: Say;
}

export interface Pack<View extends CommonView = CommonView, Figures = unknown> {
  Table: Component<{ table: TableModel<View, Figures> }>;
  /** A card as large as its place. */
  Face: Component<CardProps>;
  /** The cards that can be seen, by where they lie; for following each from view to view. */
  pilesOf?: (view: View, viewpoint: number) => Piles;
  /** Cards out of play that the log tells of, for who comes later. */
  goneBy?: (view: View, lines: LogLine[]) => string[];
  /** What a seat has reached in words, where its score is only for comparing. */
  tallyOf?: (view: View, figures: Figures, seat: number, say: Say) => string;
  /** Whose side a seat is on, where several play for one. */
  sideOf?: (figures: Figures, seat: number) => string;
  /** What is heard when something is laid down; a card, if it says nothing. */
  laid?: Sound;
  /** Whether the table shows by itself who sits where, whose turn it is and what they have. */
  drawsSeats?: boolean;
}
