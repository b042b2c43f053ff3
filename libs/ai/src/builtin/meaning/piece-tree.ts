const EMPTY = -1;
/** No path of the tree goes on with this character. */
export const NOWHERE = 0;
/** Where every path begins. */
export const ROOT = 1;

/** Pieces of a vocabulary, character by character, so that no text has to be cut out to be looked up: open addressing over place and character. */
export class PieceTree {
  private readonly mask: number;
  private readonly from: Int32Array;
  private readonly codes: Uint16Array;
  private readonly to: Int32Array;
  /** The number of the piece that ends at a place, or -1. */
  private readonly ends: Int32Array;

  constructor(pieces: Iterable<readonly [piece: string, id: number]>) {
    const all = [...pieces];
    const most = all.reduce((sum, [piece]) => sum + piece.length, 2);
    const capacity = 2 ** Math.ceil(Math.log2(2 * most));
    this.mask = capacity - 1;
    this.from = new Int32Array(capacity);
    this.codes = new Uint16Array(capacity);
    this.to = new Int32Array(capacity);
    this.ends = new Int32Array(most).fill(EMPTY);
    let places = ROOT;
    for (const [piece, id] of all) {
      let place = ROOT;
      for (let at = 0; at < piece.length; at += 1) {
        const code = piece.charCodeAt(at);
        const slot = this.slotOf(place, code);
        if (this.from[slot] === NOWHERE) {
          places += 1;
          this.from[slot] = place;
          this.codes[slot] = code;
          this.to[slot] = places;
        }
        place = this.to[slot]!;
      }
      this.ends[place] = id;
    }
  }

  /** The place one character further; `NOWHERE` where no piece goes on like this. */
  next(place: number, code: number): number {
    return this.to[this.slotOf(place, code)]!;
  }

  /** The piece that ends here; -1: none. */
  pieceAt(place: number): number {
    return this.ends[place]!;
  }

  /** The slot of a step, or the free one where it would be. */
  private slotOf(place: number, code: number): number {
    let slot = (Math.imul(place, 0x9e3779b1) ^ Math.imul(code, 0x85ebca6b)) >>> 7;
    for (slot &= this.mask; this.from[slot] !== NOWHERE; slot = (slot + 1) & this.mask) {
      if (this.from[slot] === place && this.codes[slot] === code) break;
    }
    return slot;
  }
}
