// Ka-Ching! as one writes a game for boardgame.io: as much state, as many choices and as much hidden as in
// Kibitz's. Without the last sale: the game ends when cards are left in two columns only.
const { INVALID_MOVE } = require('boardgame.io/core');

const COLOURS = ['R', 'Y', 'G', 'B', 'P'];
const VALUES = [2, 2, 3, 3, 4, 5, 6];
const COLUMNS = 5;
const OPENING_MONEY = 20;
const WILD = 'W';

const value = (card) => (card === WILD ? 2 : Number(card.slice(1)));
const free = (column) => column[column.length - 1];

function buy({ G, playerID }, number) {
  const column = G.columns[number];
  if (!column?.length || value(free(column)) > G.money[playerID]) return INVALID_MOVE;
  const card = column.pop();
  G.money[playerID] -= value(card);
  G.stocks[playerID].push(card);
}

function sell({ G, playerID }, first, second) {
  const stock = G.stocks[playerID];
  const at = stock.indexOf(first);
  const other = stock.findIndex((card, place) => place !== at && card === second);
  if (at < 0 || other < 0 || (second !== WILD && first[0] !== second[0])) return INVALID_MOVE;
  G.stocks[playerID] = stock.filter((_, place) => place !== at && place !== other);
  G.money[playerID] += value(first) * value(second);
  G.sold += 2;
}

function pass({ G, playerID }) {
  if (G.columns.some((column) => column.length && value(free(column)) <= G.money[playerID])) {
    return INVALID_MOVE;
  }
}

exports.kaching = {
  name: 'kaching',
  minPlayers: 2,
  maxPlayers: 2,
  disableUndo: true, // which saves it work; Kibitz has no undo at a table of two people either

  setup: ({ random }) => {
    const deck = random.Shuffle(COLOURS.flatMap((colour) => VALUES.map((worth) => colour + worth)));
    const size = deck.length / COLUMNS;
    return {
      columns: Array.from({ length: COLUMNS }, (_, place) => deck.slice(place * size, (place + 1) * size)),
      stocks: [[WILD], [WILD]],
      money: [OPENING_MONEY, OPENING_MONEY],
      sold: 0,
    };
  },

  playerView: ({ G, playerID }) => ({
    ...G,
    money: G.money.map((money, seat) => (String(seat) === playerID ? money : '?')),
  }),

  moves: { buy, sell, pass },
  turn: { minMoves: 1, maxMoves: 1 },
  endIf: ({ G }) =>
    G.columns.filter((column) => column.length).length <= 2 ? { money: [...G.money] } : undefined,
};
