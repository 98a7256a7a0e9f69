/** SHA-256. (The browser's own works only where the page is served securely: not at home.) */

const PRIMES = primes(64);
const FIRST_HASH = PRIMES.slice(0, 8).map((prime) => fraction(prime ** (1 / 2)));
const CONSTANTS = PRIMES.map((prime) => fraction(prime ** (1 / 3)));

/** The hash of bytes, in hexadecimal. */
export function sha256(message: Uint8Array): string {
  const padded = pad(message);
  let hash = FIRST_HASH;
  for (let at = 0; at < padded.byteLength; at += 64) hash = mixed(hash, schedule(padded, at));
  return hash.map((word) => word.toString(16).padStart(8, "0")).join("");
}

/** The bytes that hexadecimal digits write. */
export function bytesOf(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** A 1 bit, zeros, and the length in bits, up to a whole number of 64-byte blocks. */
function pad(message: Uint8Array): DataView {
  const bytes = new Uint8Array((((message.length + 8) >> 6) + 1) * 64);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 4, message.length * 8);
  return view;
}

function schedule(block: DataView, at: number): number[] {
  const words = Array.from({ length: 16 }, (_, i) => block.getUint32(at + 4 * i));
  for (let i = 16; i < 64; i++) {
    const [early, late] = [words[i - 15]!, words[i - 2]!];
    const first = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const second = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    words.push((words[i - 16]! + first + words[i - 7]! + second) >>> 0);
  }
  return words;
}

function mixed(hash: number[], words: number[]): number[] {
  let [a, b, c, d, e, f, g, h] = hash as [number, number, number, number, number, number, number, number];
  words.forEach((word, i) => {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const one = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + choice + CONSTANTS[i]! + word;
    const two = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority;
    [a, b, c, d, e, f, g, h] = [(one + two) >>> 0, a, b, c, (d + one) >>> 0, e, f, g];
  });
  return [a, b, c, d, e, f, g, h].map((word, i) => (word + hash[i]!) >>> 0);
}

function rotated(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** The first 32 bits after the point. */
function fraction(value: number): number {
  return ((value - Math.floor(value)) * 2 ** 32) >>> 0;
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++) if (found.every((prime) => number % prime)) found.push(number);
  return found;
}
