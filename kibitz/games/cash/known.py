"""What a seat of CASH surely knows beyond its view, followed through the log that it was shown."""

from collections.abc import Sequence

import numpy as np

from kibitz.core.cards import NO_CARD, learn_deck
from kibitz.core.events import AnyEvent, Drew, Lost, Moved, Offered, Passed, Reshuffled, RoundBegan, turns
from kibitz.core.layout import HIDDEN, AnyRecord
from kibitz.games.cash import table
from kibitz.games.cash.box import BANKRUPTCY, CARDS, COPIES, NUMBER
from kibitz.games.cash.trading import clear_offer, put_on_list, remember_asked

PLAYED_AWAY = ("stop", "settlement")  # go on the discard pile when they are played


class Known:
    """Fills a view's `known`, `outside`, `asked` and `favours` as the rules keep them while they act."""

    def __init__(self, view: AnyRecord) -> None:
        self.view = view
        self.observer = int(view.observer)
        self.discard: list[int] = []
        self.table = np.zeros(1, table.STATE)[0]  # the observer's last offer, what was asked, who spared whom

    def follow(self, log: Sequence[AnyEvent]) -> None:
        """Go through the log, a move with what it caused at a time."""
        for turn in turns(log):
            first = turn[0]
            if isinstance(first, Moved):
                self.moved(first, turn)
            self.passed([event for event in turn if isinstance(event, Passed)], turn)
            for event in turn[1:] if isinstance(first, Moved) else turn:
                self.caused(event, first)
        self.view.asked[:] = self.table.asked[self.observer]
        self.view.favours[:] = self.table.favours[self.observer]

    def moved(self, first: Moved, turn: Sequence[AnyEvent]) -> None:
        """Cards leave hands, seen or unseen, or are offered."""
        match first.move.split(" "):
            case ["play", card, *_]:
                self.left(first.seat, card)
                self.discard += [NUMBER[card]] if card in PLAYED_AWAY else []
            case ["discard" | "trim", card, *_]:
                self.left(first.seat, card)
                self.discard.append(NUMBER[card])
            case ["pass", _] if first.seat != self.observer:
                self.left(first.seat, HIDDEN)
            case ["propose"]:
                self.proposed(first.seat, [event for event in turn if isinstance(event, Offered)])
            case ["accept" | "decline" | "counter" as answer]:
                if answer != "accept":
                    remember_asked(self.table)
                clear_offer(self.table)
            case ["spare", rival]:
                table.remember_favour(self.table, first.seat, int(rival.removeprefix("p")))

    def left(self, seat: int, card: str) -> None:
        """A card left a hand; if it is hidden, it may be any."""
        known = self.view.known[seat]
        which = slice(1, None) if card == HIDDEN else slice(NUMBER[card], NUMBER[card] + 1)
        known[which] -= known[which] > 0

    def proposed(self, maker: int, cards: Sequence[Offered]) -> None:
        """Hand cards that are given are truly there."""
        if maker == self.observer:
            self.table.offer_from = maker
            self.table.offer_to = next(card.seat if card.to == maker else card.to for card in cards)
            for card in cards:
                which = table.GIVE_LIST if card.seat == maker else table.WANT_LIST
                put_on_list(self.table, which + card.open, NUMBER[card.card])
            return
        given = [card.card for card in cards if card.seat == maker and not card.open and card.card != HIDDEN]
        known = self.view.known[maker]
        for name in given:
            known[NUMBER[name]] = max(int(known[NUMBER[name]]), given.count(name))

    def passed(self, cards: Sequence[Passed], turn: Sequence[AnyEvent]) -> None:
        """In a trade cards leave both hands now; passed ones have left before. The giver remembers."""
        first = turn[0]
        if isinstance(first, Moved) and first.move == "accept":
            for card in cards:
                if card.seat != self.observer:
                    self.left(card.seat, card.card)
        for card in cards:
            if card.seat == self.observer:
                self.view.known[card.to, NUMBER[card.card]] += 1

    def caused(self, event: AnyEvent, first: AnyEvent) -> None:
        """What lies on the discard pile, what the deck is made of, and what is thrown away."""
        match event:
            case RoundBegan():
                self.view.known[:] = 0
                self.view.outside[:] = 0
                clear_offer(self.table)
                self.table.asked[:] = 0
                self.table.favours[:] = 0
                self.discard = []
            case Lost(seat, card):
                self.discard.append(NUMBER[card])
                if isinstance(first, Moved) and first.move.endswith(CARDS[BANKRUPTCY]):
                    self.view.known[seat] = 0
            case Reshuffled():
                learn_deck(self.view.outside, COPIES, self.discard)
                self.discard = []
            case Drew(card=card) if card != HIDDEN:
                self.view.outside[NUMBER[card]] += self.view.outside[NO_CARD]
