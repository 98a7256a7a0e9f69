"""Sentences in parts: a message with values that are cards, seats, money, lists, or sentences themselves."""

import msgspec
import pytest

import kibitz
from kibitz.core.sentences import Card, Money, Part, Seat, Sentence, Speaker, Value, listed, seat_named

NAMES = ["Ann", "Bob", "{seat}"]


def speaker(game: str, language: str = "en", seat: int | None = None) -> Speaker:
    return Speaker(kibitz.game(game).words(language), NAMES, seat)


def test_a_sentence_is_made_of_parts_that_say_what_they_stand_for() -> None:
    bought = Sentence("log.buy", {"seat": Seat(1), "card": Card("B3"), "price": Money(3)})
    assert list(speaker("kaching").parts(bought)) == [
        Part("Bob", Seat(1)),
        Part(" buys "),
        Part("B3", Card("B3")),
        Part(" for "),
        Part("$3", Money(3)),
        Part("."),
    ]


@pytest.mark.parametrize(
    ("reader", "told"),
    [
        (None, "Ann takes home from Bob's firm."),
        (0, "You take home from Bob's firm."),
        (1, "Ann takes home from your firm."),
        (2, "Ann takes home from Bob's firm."),
    ],
)
def test_who_acts_or_is_named_is_spoken_to(reader: int | None, told: str) -> None:
    taken = Sentence("log.take", {"seat": Seat(0), "card": Card("home"), "rival": seat_named("p1")})
    assert speaker("cash", seat=reader).tell(taken) == told


def test_a_name_is_put_in_as_it_is_whatever_it_looks_like() -> None:
    assert speaker("kaching").tell(Sentence("log.pass", {"seat": Seat(2)})) == "{seat} passes."


@pytest.mark.parametrize(
    ("give", "told"),
    [
        (listed(["license"]), "license"),
        (listed(["license", "stop"]), "license, stop"),
        (listed(["?"]), "a card"),
        (listed(["?", "stop", "?"]), "stop, 2 cards"),
        ((Card("?"), Sentence("log.from-firm", {"card": Card("cash-5")})), "cash-5 from the firm, a card"),
    ],
)
def test_cards_are_listed_and_hidden_ones_counted(give: Value, told: str) -> None:
    offer = Sentence("log.offer-gift", {"seat": Seat(0), "rival": Seat(1), "give": give, "want": ()})
    assert speaker("cash").tell(offer) == f"Ann offers Bob a gift: {told}."


def test_money_has_its_sign_and_its_thousands() -> None:
    for amount, told in ((5, "$5"), (1_250_000, "$1.25\u00a0M"), (-40, "−$40")):
        sold: dict[str, Value] = {
            "seat": Seat(0),
            "first": Card("R4"),
            "second": Card("W"),
            "price": Money(amount),
        }
        assert speaker("kaching", "es").tell(Sentence("log.sell", sold)) == f"Ann vende R4 y W por {told}."


def test_a_reader_may_have_cards_called_by_their_names() -> None:
    named = Speaker(kibitz.game("cash").words("es"), NAMES, 0, lambda card, words: words(f"card.{card}"))
    tabled = Sentence("log.cash", {"seat": Seat(0), "card": Card("cash-5")})
    assert named.tell(tabled) == "Pones $5\u00a0mil en la mesa."


def test_in_json_a_value_says_its_kind() -> None:
    said = Sentence("log.x", {"seat": Seat(0), "cards": listed(["R4"]), "price": Money(3), "count": 1})
    assert msgspec.json.encode(said) == (
        b'{"key":"log.x","data":{"seat":{"seat":0},"cards":[{"card":"R4"}],"price":{"money":3},"count":1}}'
    )
