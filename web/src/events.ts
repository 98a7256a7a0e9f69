/** What happens in any game, and what is said of it: kibitz/core/events.py, sentences.py. Made by scripts/write_types.py. */

/** One step of a seat's score: what it counts for, and how much. */
export interface ScoreStep {
  name: string;
  amount: number;
}

/** What a seat's score was made of, with the cards it laid open. */
export interface SeatScore {
  seat: number;
  cards: string[];
  steps: ScoreStep[];
}

/** A seat made a move. */
export interface Moved {
  event: "move";
  seat: number;
  move: string;
}

/** A seat paid (below zero) or received money. */
export interface MoneyChanged {
  event: "money";
  seat: number;
  amount: number;
}

/** A seat drew a card. */
export interface Drew {
  event: "draw";
  seat: number;
  card: string;
}

/** A card was turned up. */
export interface Revealed {
  event: "reveal";
  card: string;
}

/** A seat took an open card, or a card from another seat. */
export interface Took {
  event: "take";
  seat: number;
  card: string;
  source: number | null;
}

/** A seat handed a card to another. */
export interface Passed {
  event: "pass";
  seat: number;
  card: string;
  to: number;
}

/** A card would go from a seat to another if an offer is accepted; `open` if it lies on the table. */
export interface Offered {
  event: "offer";
  seat: number;
  card: string;
  to: number;
  open: boolean;
}

/** A seat lost a card to the discard pile. */
export interface Lost {
  event: "lose";
  seat: number;
  card: string;
}

/** A seat's turn came and was lost. */
export interface Skipped {
  event: "skip";
  seat: number;
}

/** The discards became a new deck. */
export interface Reshuffled {
  event: "reshuffle";
  cards: number;
}

/** A round was dealt. */
export interface RoundBegan {
  event: "round";
  round: number;
  starter: number;
}

/** A part of the round with rules of its own began. */
export interface PhaseBegan {
  event: "phase";
  phase: string;
}

/** In mid-round, a step of a seat's score grew. */
export interface Gained {
  event: "gain";
  seat: number;
  step: string;
  amount: number;
}

/** A round ended and was scored. */
export interface RoundScored {
  event: "score";
  round: number;
  reason: string;
  seats: SeatScore[];
}

/** The game ended. */
export interface GameEnded {
  event: "over";
  reason: string;
}

export type Event =
  | Moved
  | MoneyChanged
  | Drew
  | Revealed
  | Took
  | Passed
  | Offered
  | Lost
  | Skipped
  | Reshuffled
  | RoundBegan
  | PhaseBegan
  | Gained
  | RoundScored
  | GameEnded;

/** Whoever sits there. */
export interface Seat {
  seat: number;
}

/** A card by its code; `?` for one that this viewer may not know. */
export interface Card {
  card: string;
}

/** An amount in dollars. */
export interface Money {
  money: number;
}

/** A catalogue's message with its values; `seat` is who acts. */
export interface Sentence {
  key: string;
  data: Record<string, Value>;
}

/** What a message names. */
export type Value =
  | number
  | string
  | Seat
  | Card
  | Money
  | Sentence
  | (Card | Sentence)[];
