"""What a seat of MATCH! knows, as signs that worths are learned for (`match_worths`).

Some forty signs hold at a time, of one or a few in each group: how a colour looks (which numbers are in the
hand, the own top card and the one beneath, the next player's), how a number does, what is asked for and who
may have it, how big the hands are, who leads. All colours share their signs. They are those of a seat that
has moved and not drawn yet.
"""

import numpy as np
import numpy.typing as npt

from kibitz.core.kernel import kernel, wide
from kibitz.core.layout import AnyRecord
from kibitz.games.match import rules

Scene = npt.NDArray[np.int64]
Signs = npt.NDArray[np.int32]  # the numbers of those that hold

# A scene is what a seat knows, as far as signs tell it: where each part of it begins
HAND, TWICE = 0, 5  # by colour: bits of the numbers in the hand, and of those that are there twice
TOPS, BENEATH, THEIRS, THEIRS_BENEATH = 10, 15, 20, 25  # by colour: looks of own piles, of the next player's
IN_HAND, ON_TOP, ON_THEIRS = 30, 36, 42  # by number: how many
UNSEEN_COLOUR, UNSEEN_NUMBER, UNSEEN = 48, 53, 59  # by colour, by number, by card: how many aren't seen
ASKED_COLOUR, ASKED_NUMBER = 91, 92  # or NOT_ASKED
OWN_JOKERS, UNSEEN_JOKERS, NUM_UNSEEN = 93, 94, 95
SIZE, NEXT_SIZE, SMALLEST, TO_DRAW = 96, 97, 98, 99  # of hands; whether a card is still to be drawn
OWN, BEST, GOAL = 100, 101, 102  # totals with what is collected, own and the others' best; the target
SCENE = 103
NOT_ASKED = -1

# What signs tell apart
LOOKS = rules.NUM_NUMBERS + 1  # of a pile: nothing, or a number on top
MASKS = 1 << rules.NUM_NUMBERS  # hands in a colour
SIZES = 10  # of hands
FEW, SOME = 4, 5  # none, one …
LEAST_LEAD, MOST_LEAD = -40, 40
COARSE, COARSE_LEADS = 4, 21  # points of a coarse lead, and how many of these there are
STEP = 5  # points of a distance to the target
FAR, FARTHER = 10, 20  # steps
PARTS = 20  # of the unseen cards
DECKS, PART_OF_DECK = 12, 4
OTHERS = 4  # seats beyond the next
MOST_SIGNS = 128
FEWEST_PLAYERS, PLAYERS = 2, 5


def _begins(*sizes: int) -> list[int]:
    """Where groups of so many signs begin, and where the last one ends."""
    return [sum(sizes[:i]) for i in range(len(sizes) + 1)]


(
    BY_TOP,
    BY_PILES,
    BY_THEIRS,
    BY_BOTH,
    BY_TWICE,
    BY_NUMBER,
    BY_SIZES,
    BY_LEAD,
    BY_END,
    BY_OWN,
    BY_JOKERS,
    BY_MEETING,
    BY_BINDING,
    BY_OWN_BINDING,
    BY_ASKED,
    BY_DECK,
    BY_OTHERS,
    BY_PLAYERS,
    NUM_SIGNS,
) = _begins(
    2 * MASKS * LOOKS,  # whether a colour is asked for, the hand and the own top in it
    2 * LOOKS**3,  # … the own top, the card beneath, the next player's top
    2 * LOOKS**2 * SOME,  # … the next player's top, the card beneath, how many aren't seen
    MASKS * LOOKS,  # the hand in a colour, and the next player's top
    MASKS,  # what is twice in the hand
    rules.NUM_NUMBERS * 2 * FEW**3,  # of a number in the hand, on own piles, on the next player's
    SIZES**2 * 2,  # of the own hand and the next, and whether a card is to be drawn
    MOST_LEAD - LEAST_LEAD + 1,
    COARSE_LEADS * (FAR + 1) * 3,  # the lead, how far the target is, how near the round's end
    FARTHER,  # how far the target is from the own total
    SOME**2,  # jokers in the hand, and unseen
    (PARTS // 2 + 1) * 8 * 2,  # how much of the unseen fits, the next hand's size, whether it is bound
    LOOKS * SOME,  # of the next player's tops that fit, the lowest, and how many
    LOOKS * SOME,  # the lowest own top that fits, and how much of the hand
    LOOKS * 2 * SOME,  # what is asked for: a number, a colour; how many of the number aren't seen
    DECKS,
    OTHERS * SIZES * 2,  # a seat beyond the next: its hand's size, whether it is bound
    PLAYERS,
)


# What a seat knows


@kernel
def survey(state: AnyRecord, seat: int, scene: Scene) -> None:
    """Tell what a seat knows."""
    scene[:] = 0
    for kind in range(1, rules.NUM_CARDS + 1):
        scene[UNSEEN + kind] = rules.COPIES_OF[kind]
    scene[UNSEEN_JOKERS] = rules.JOKERS
    survey_hand(state, seat, scene)
    survey_piles(state, seat, scene)
    for place in range(wide(state.discard_size)):
        see_card(scene, wide(state.discard[place]))
    unseen = scene[UNSEEN_JOKERS]
    for kind in range(1, rules.NUM_CARDS + 1):
        left = scene[UNSEEN + kind]
        scene[UNSEEN_COLOUR + rules.COLOUR[kind]] += left
        scene[UNSEEN_NUMBER + rules.NUMBER[kind]] += left
        unseen += left
    scene[NUM_UNSEEN] = unseen
    ask_for(scene, rules.what_is_asked(state))
    survey_totals(state, seat, scene)


@kernel
def see_card(scene: Scene, kind: int) -> None:
    """A card that is seen is none of the unseen."""
    if kind == rules.JOKER:
        scene[UNSEEN_JOKERS] -= 1
    else:
        scene[UNSEEN + kind] -= 1


@kernel
def survey_hand(state: AnyRecord, seat: int, scene: Scene) -> None:
    """The own hand, and how many the others hold."""
    for place in range(wide(state.hand_sizes[seat])):
        kind = wide(state.hands[seat, place])
        see_card(scene, kind)
        if kind == rules.JOKER:
            scene[OWN_JOKERS] += 1
        else:
            take_up(scene, wide(rules.COLOUR[kind]), wide(rules.NUMBER[kind]))
    players = wide(state.players)
    scene[SIZE] = wide(state.hand_sizes[seat])
    scene[NEXT_SIZE] = wide(state.hand_sizes[(seat + 1) % players])
    smallest = wide(SIZES)
    for other in range(players):
        if other != seat:
            smallest = min(smallest, wide(state.hand_sizes[other]))
    scene[SMALLEST] = smallest


@kernel
def take_up(scene: Scene, colour: int, number: int) -> None:
    """A card more in the hand."""
    bit = 1 << number
    if scene[HAND + colour] & bit:
        scene[TWICE + colour] |= bit
    scene[HAND + colour] |= bit
    scene[IN_HAND + number] += 1


@kernel
def lay_down(scene: Scene, colour: int, number: int) -> None:
    """A card less in the hand."""
    bit = 1 << number
    if scene[TWICE + colour] & bit:
        scene[TWICE + colour] &= ~bit
    else:
        scene[HAND + colour] &= ~bit
    scene[IN_HAND + number] -= 1


@kernel
def survey_piles(state: AnyRecord, seat: int, scene: Scene) -> None:
    """What lies on top, and beneath."""
    players = wide(state.players)
    for other in range(players):
        for colour in range(rules.NUM_COLOURS):
            for place in range(wide(state.heights[other, colour])):
                see_card(scene, wide(state.piles[other, colour, place]))
    following = (seat + 1) % players
    for colour in range(rules.NUM_COLOURS):
        scene[TOPS + colour] = look_at(state, seat, colour, 1)
        scene[BENEATH + colour] = look_at(state, seat, colour, 2)
        scene[THEIRS + colour] = look_at(state, following, colour, 1)
        scene[THEIRS_BENEATH + colour] = look_at(state, following, colour, 2)
        if scene[TOPS + colour] > 0:
            scene[ON_TOP + scene[TOPS + colour] - 1] += 1
        if scene[THEIRS + colour] > 0:
            scene[ON_THEIRS + scene[THEIRS + colour] - 1] += 1


@kernel
def look_at(state: AnyRecord, seat: int, colour: int, depth: int) -> int:
    """A pile's number and one more, so deep from its top; 0 if it isn't so high."""
    place = wide(state.heights[seat, colour]) - depth
    return wide(rules.NUMBER[state.piles[seat, colour, place]]) + 1 if place >= 0 else 0


@kernel
def ask_for(scene: Scene, asked: int) -> None:
    """What a card on top, or a call, asks for."""
    scene[ASKED_COLOUR], scene[ASKED_NUMBER] = NOT_ASKED, NOT_ASKED
    if asked <= rules.NUM_CARDS:
        scene[ASKED_COLOUR], scene[ASKED_NUMBER] = rules.COLOUR[asked], rules.NUMBER[asked]
    elif asked - rules.NUM_CARDS < rules.CALL_NUMBER:
        scene[ASKED_COLOUR] = asked - rules.NUM_CARDS - rules.CALL_COLOUR
    else:
        scene[ASKED_NUMBER] = asked - rules.NUM_CARDS - rules.CALL_NUMBER


@kernel
def survey_totals(state: AnyRecord, seat: int, scene: Scene) -> None:
    """What all would have if the hands counted nothing."""
    best = wide(-10000)
    for other in range(wide(state.players)):
        total = wide(state.scores[other]) + rules.worth_of_collection(state, other)
        if other == seat:
            scene[OWN] = total
        else:
            best = max(best, total)
    scene[BEST] = best
    scene[GOAL] = 0 if state.round_number == state.rounds else wide(state.target)


# What a move changes


@kernel
def foresee(state: AnyRecord, scene: Scene, move: int) -> None:
    """What the seat in turn knows once it has moved, before it draws."""
    chosen = wide(move)
    if chosen < rules.MATCH_COLLECTION:
        lay_down(scene, wide(rules.COLOUR[chosen + 1]), wide(rules.NUMBER[chosen + 1]))
        scene[SIZE] -= 1
        ask_for(scene, chosen + 1)
    elif chosen < rules.COLLECT:
        kind = chosen - rules.MATCH_COLLECTION + 1
        colour = wide(rules.COLOUR[kind])
        scene[ON_TOP + rules.NUMBER[kind]] -= 1
        scene[TOPS + colour] = scene[BENEATH + colour]
        if scene[TOPS + colour] > 0:
            scene[ON_TOP + scene[TOPS + colour] - 1] += 1
        scene[BENEATH + colour] = look_at(state, wide(state.turn), colour, 3)
        scene[OWN] -= rules.NUMBER[kind]
        ask_for(scene, kind)
    elif chosen < rules.WILD:
        kind = chosen - rules.COLLECT + 1
        colour, number = wide(rules.COLOUR[kind]), wide(rules.NUMBER[kind])
        lay_down(scene, colour, number)
        if scene[TOPS + colour] > 0:
            scene[ON_TOP + scene[TOPS + colour] - 1] -= 1
        scene[BENEATH + colour] = scene[TOPS + colour]
        scene[TOPS + colour] = number + 1
        scene[ON_TOP + number] += 1
        scene[OWN] += number
        scene[TO_DRAW] = 1
    else:
        scene[OWN_JOKERS] -= 1
        scene[SIZE] -= 1
        ask_for(scene, rules.NUM_CARDS + chosen - rules.WILD + 1)


# The signs that hold


@kernel
def find_signs(state: AnyRecord, seat: int, scene: Scene, signs: Signs) -> int:
    """The signs of what a seat knows; returns how many they are."""
    count = find_in_colours(scene, signs)
    count = find_in_numbers(scene, signs, count)
    count = find_in_totals(scene, signs, count)
    count = find_in_asked(scene, signs, count)
    sizes = min(SIZES - 1, scene[SIZE]) * SIZES + min(SIZES - 1, scene[NEXT_SIZE])
    signs[count] = BY_SIZES + sizes * 2 + scene[TO_DRAW]
    signs[count + 1] = BY_JOKERS + scene[OWN_JOKERS] * SOME + scene[UNSEEN_JOKERS]
    signs[count + 2] = BY_DECK + min(DECKS - 1, wide(state.deck_size) // PART_OF_DECK)
    signs[count + 3] = BY_PLAYERS + wide(state.players) - FEWEST_PLAYERS
    return find_in_others(state, seat, scene, signs, count + 4)


@kernel
def find_in_others(state: AnyRecord, seat: int, scene: Scene, signs: Signs, count: int) -> int:
    """How it stands with the seats beyond the next."""
    players = wide(state.players)
    for distance in range(2, players):
        other = (seat + distance) % players
        size = min(SIZES - 1, wide(state.hand_sizes[other]))
        place = (distance - 2) * SIZES + size
        signs[count] = BY_OTHERS + place * 2 + is_bound(state, other, scene)
        count += 1
    return count


@kernel
def is_bound(state: AnyRecord, seat: int, scene: Scene) -> int:
    """Whether a card on top of a seat's collection fits what is asked for."""
    for colour in range(rules.NUM_COLOURS):
        top = look_at(state, seat, colour, 1)
        if top > 0 and (colour == scene[ASKED_COLOUR] or top - 1 == scene[ASKED_NUMBER]):
            return 1
    return 0


@kernel
def find_in_colours(scene: Scene, signs: Signs) -> int:
    """How each colour looks."""
    count = 0
    for colour in range(rules.NUM_COLOURS):
        asked = wide(colour == scene[ASKED_COLOUR])
        mask, top, theirs = scene[HAND + colour], scene[TOPS + colour], scene[THEIRS + colour]
        piles = (top * LOOKS + scene[BENEATH + colour]) * LOOKS + theirs
        their_pile = theirs * LOOKS + scene[THEIRS_BENEATH + colour]
        signs[count] = BY_TOP + (asked * MASKS + mask) * LOOKS + top
        signs[count + 1] = BY_PILES + asked * LOOKS**3 + piles
        signs[count + 2] = (
            BY_THEIRS + (asked * LOOKS**2 + their_pile) * SOME + about(scene[UNSEEN_COLOUR + colour])
        )
        signs[count + 3] = BY_BOTH + mask * LOOKS + theirs
        count += 4
        if scene[TWICE + colour]:
            signs[count] = BY_TWICE + scene[TWICE + colour]
            count += 1
    return count


@kernel
def about(left: int) -> int:
    """How many cards are left, as far as that is told apart: none, up to two, to four, to seven, more."""
    return wide(left > 0) + wide(left > 2) + wide(left > 4) + wide(left > 7)


@kernel
def find_in_numbers(scene: Scene, signs: Signs, count: int) -> int:
    """How each number looks."""
    for number in range(rules.NUM_NUMBERS):
        place = number * 2 + wide(number == scene[ASKED_NUMBER])
        place = place * FEW + min(FEW - 1, scene[IN_HAND + number])
        place = place * FEW + min(FEW - 1, scene[ON_TOP + number])
        place = place * FEW + min(FEW - 1, scene[ON_THEIRS + number])
        signs[count + number] = BY_NUMBER + place
    return count + rules.NUM_NUMBERS


@kernel
def find_in_totals(scene: Scene, signs: Signs, count: int) -> int:
    """Who leads, and how far the end is."""
    lead = scene[OWN] - scene[BEST]
    away = max(0, scene[GOAL] - max(scene[OWN], scene[BEST]))
    steps = FAR if away == 0 else min(FAR - 1, (away - 1) // STEP)
    coarse = (lead + COARSE_LEADS // 2 * COARSE + COARSE // 2) // COARSE
    place = min(COARSE_LEADS - 1, max(0, coarse)) * (FAR + 1) + steps
    smallest = min(scene[SMALLEST], scene[SIZE])
    signs[count] = BY_LEAD + min(MOST_LEAD, max(LEAST_LEAD, lead)) - LEAST_LEAD
    signs[count + 1] = BY_END + place * 3 + wide(smallest > 1) + wide(smallest > 2)
    signs[count + 2] = BY_OWN + min(FARTHER - 1, max(0, scene[GOAL] - scene[OWN]) // STEP)
    return count + 3


@kernel
def find_in_asked(scene: Scene, signs: Signs, count: int) -> int:
    """What is asked for, whom it binds, and who may have it."""
    colour, number = scene[ASKED_COLOUR], scene[ASKED_NUMBER]
    theirs, lowest = fitting_tops(scene, THEIRS)
    _, own_lowest = fitting_tops(scene, TOPS)
    in_hand, unseen = fitting_cards(scene)
    part = min(PARTS // 2, PARTS * unseen // max(1, scene[NUM_UNSEEN]))
    left = min(SOME - 1, scene[UNSEEN_NUMBER + number] // 2) if number != NOT_ASKED else wide(0)
    signs[count] = BY_BINDING + lowest * SOME + min(SOME - 1, theirs)
    signs[count + 1] = BY_OWN_BINDING + own_lowest * SOME + min(SOME - 1, in_hand)
    signs[count + 2] = BY_MEETING + (part * 8 + min(7, scene[NEXT_SIZE])) * 2 + wide(theirs > 0)
    signs[count + 3] = BY_ASKED + ((number + 1) * 2 + wide(colour != NOT_ASKED)) * SOME + left
    return count + 4


@kernel
def fitting_tops(scene: Scene, tops: int) -> tuple[int, int]:
    """How many tops of a collection fit, and the lowest of their numbers; NUM_NUMBERS if none does."""
    count, lowest = wide(0), wide(rules.NUM_NUMBERS)
    for colour in range(rules.NUM_COLOURS):
        number = scene[tops + colour] - 1
        if number >= 0 and (colour == scene[ASKED_COLOUR] or number == scene[ASKED_NUMBER]):
            count += 1
            lowest = min(lowest, number)
    return count, lowest


@kernel
def fitting_cards(scene: Scene) -> tuple[int, int]:
    """How many different cards of the hand fit, without jokers; and how many of the unseen, with them."""
    colour, number = scene[ASKED_COLOUR], scene[ASKED_NUMBER]
    in_hand, unseen = wide(0), scene[UNSEEN_JOKERS]
    if colour != NOT_ASKED:
        unseen += scene[UNSEEN_COLOUR + colour]
        for each in range(rules.NUM_NUMBERS):
            in_hand += scene[HAND + colour] >> each & 1
    if number != NOT_ASKED:
        unseen += scene[UNSEEN_NUMBER + number]
        in_hand += scene[IN_HAND + number]
    if colour != NOT_ASKED and number != NOT_ASKED:  # one card has both
        unseen -= scene[UNSEEN + 1 + colour * rules.NUM_NUMBERS + number]
        in_hand -= scene[HAND + colour] >> number & 1
    return in_hand, unseen
