/** Round constants: the first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2). */
const ROUNDS = new Int32Array(64);
/** The same of the square roots of the first eight primes (5.3.3). */
const BEGINNING = new Int32Array(8);

const BLOCK = 64;
const WORDS = 16;
const LENGTH_AT = BLOCK - 8;
const TWO_TO_32 = 0x1_0000_0000;

fillConstants();

function fillConstants(): void {
  const fraction = (root: number): number => ((root - Math.floor(root)) * TWO_TO_32) | 0;
  const primes: number[] = [];
  for (let candidate = 2; primes.length < ROUNDS.length; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  for (const [index, prime] of primes.entries()) {
    ROUNDS[index] = fraction(Math.cbrt(prime));
    if (index < BEGINNING.length) BEGINNING[index] = fraction(Math.sqrt(prime));
  }
}

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/**
 * SHA-256 of bytes that come piece by piece. The browser's own takes a whole file into memory, and is there on safe origins only.
 */
export class Sha256 {
  private readonly state = BEGINNING.slice();
  private readonly schedule = new Int32Array(ROUNDS.length);
  private readonly rest = new Uint8Array(BLOCK);
  private restLength = 0;
  private length = 0;

  update(bytes: Uint8Array): void {
    this.length += bytes.length;
    let from = 0;
    if (this.restLength > 0) {
      from = Math.min(BLOCK - this.restLength, bytes.length);
      this.rest.set(bytes.subarray(0, from), this.restLength);
      this.restLength += from;
      if (this.restLength < BLOCK) return;
      this.take(this.rest, 0);
      this.restLength = 0;
    }
    for (; from + BLOCK <= bytes.length; from += BLOCK) this.take(bytes, from);
    this.rest.set(bytes.subarray(from));
    this.restLength = bytes.length - from;
  }

  /** The sum in lower-case hexadecimal digits; nothing can be added afterwards. */
  hex(): string {
    const bits = this.length * 8;
    const padding = new Uint8Array((this.restLength < LENGTH_AT ? BLOCK : 2 * BLOCK) - this.restLength);
    const view = new DataView(padding.buffer);
    padding[0] = 0x80;
    view.setUint32(padding.length - 8, Math.floor(bits / TWO_TO_32));
    view.setUint32(padding.length - 4, bits % TWO_TO_32);
    this.update(padding);
    return [...this.state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  }

  /** One block (6.2.2). */
  private take(bytes: Uint8Array, from: number): void {
    const words = this.schedule;
    for (let at = 0; at < WORDS; at += 1) {
      const byte = from + 4 * at;
      words[at] = (bytes[byte]! << 24) | (bytes[byte + 1]! << 16) | (bytes[byte + 2]! << 8) | bytes[byte + 3]!;
    }
    for (let at = WORDS; at < words.length; at += 1) {
      const early = words[at - 15]!;
      const late = words[at - 2]!;
      const fromEarly = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const fromLate = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      words[at] = (words[at - 16]! + fromEarly + words[at - 7]! + fromLate) | 0;
    }
    const state = this.state;
    let [a, b, c, d] = [state[0]!, state[1]!, state[2]!, state[3]!];
    let [e, f, g, h] = [state[4]!, state[5]!, state[6]!, state[7]!];
    for (let at = 0; at < words.length; at += 1) {
      const ofE = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const first = (h + ofE + ((e & f) ^ (~e & g)) + ROUNDS[at]! + words[at]!) | 0;
      const ofA = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const second = (ofA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + second) | 0;
    }
    const worked = [a, b, c, d, e, f, g, h];
    for (let at = 0; at < state.length; at += 1) state[at] = (state[at]! + worked[at]!) | 0;
  }
}
