/** The stream from which all shuffles of a game follow: SHA-256 makes the key, ChaCha20 the words. As `docs/shuffle.md` tells it. */

import { bytesOf, sha256 } from "../sha256";

const WORD = 2 ** 32;
const BLOCK = 16; // words
const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]; // “expand 32-byte k”

/** Numbers drawn one after the other, the same for the same secret and words. */
export class Random {
  readonly #key: number[];
  #block: number[] = [];
  #drawn = 0;

  constructor(secret: string, words: string[]) {
    this.#key = wordsOf(bytesOf(sha256(keyText(bytesOf(secret), words))));
  }

  /** A number from 0 to `bound` - 1, all equally likely. */
  below(bound: number): number {
    const limit = WORD - (WORD % bound);
    let word = this.#draw();
    while (word >= limit) word = this.#draw();
    return word % bound;
  }

  /** The cards in another order, from the last down. */
  shuffled(cards: string[]): string[] {
    const deck = [...cards];
    for (let last = deck.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [deck[last], deck[other]] = [deck[other]!, deck[last]!];
    }
    return deck;
  }

  /** The seat that an option names, drawn if it is to be random. */
  seat(chosen: unknown, players: number): number {
    return typeof chosen === "number" ? chosen : this.below(players);
  }

  #draw(): number {
    const place = this.#drawn++ % BLOCK;
    if (place === 0) this.#block = block(this.#key, Math.floor(this.#drawn / BLOCK));
    return this.#block[place]!;
  }
}

function keyText(secret: Uint8Array, words: string[]): Uint8Array {
  const text = new TextEncoder();
  const parts = [text.encode("kibitz/secret/"), framed(secret), ...words.map((word) => framed(text.encode(word)))];
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** The length in four bytes, then the bytes. */
function framed(bytes: Uint8Array): Uint8Array {
  const length = [24, 16, 8, 0].map((bits) => (bytes.length >>> bits) & 0xff);
  return Uint8Array.from([...length, ...bytes]);
}

function wordsOf(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer);
  return Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true));
}

function block(key: number[], number: number): number[] {
  const start = [...CONSTANTS, ...key, number, 0, 0, 0];
  const x = Uint32Array.from(start);
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < 4; i++) quarter(x, i, 4 + i, 8 + i, 12 + i);
    for (let i = 0; i < 4; i++) quarter(x, i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4));
  }
  return Array.from(x, (word, i) => (word + start[i]!) % WORD);
}

function quarter(x: Uint32Array, a: number, b: number, c: number, d: number): void {
  const steps: [number, number, number, number][] = [
    [a, b, d, 16],
    [c, d, b, 12],
    [a, b, d, 8],
    [c, d, b, 7],
  ];
  for (const [p, q, r, bits] of steps) {
    x[p] = x[p]! + x[q]!;
    const mixed = x[r]! ^ x[p]!;
    x[r] = (mixed << bits) | (mixed >>> (32 - bits));
  }
}

/** So many of each, one after the other. */
export function copies(counts: [string, number][]): string[] {
  return counts.flatMap(([card, count]) => Array<string>(count).fill(card));
}

/** Hands dealt from the top, the deck's end, one card at a time, beginning at a seat. */
export function handsOf(deck: string[], { players, size, first }: { players: number; size: number; first: number }): string[][] {
  const hands = Array.from({ length: players }, (): string[] => []);
  for (let n = 0; n < size * players; n++) hands[(first + n) % players]!.push(deck.pop()!);
  return hands;
}
