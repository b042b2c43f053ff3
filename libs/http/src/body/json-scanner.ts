export interface JsonBounds {
  /** Most values: objects, lists, texts, numbers, true, false and null; names of members are none. */
  readonly values: number;
  /** Most objects and lists within each other. */
  readonly depth: number;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const SPACE = 0x20;

/**
 * Counts the values of a JSON text and their depth while its bytes arrive, without keeping any. It assumes well-formed text; in other text it
 * counts at least the values that a parser would read before it stops.
 */
export class JsonScanner {
  private values = 0;
  /** For each open object or list: whether it is an object. */
  private readonly open: boolean[] = [];
  private place: 'between' | 'text' | 'escape' | 'scalar' = 'between';
  /** True where an object expects the name of a member. */
  private isName = false;

  constructor(private readonly bounds: JsonBounds) {}

  /** Takes the next bytes; which bound they exceed, or undefined. */
  scan(bytes: Uint8Array): keyof JsonBounds | undefined {
    for (const byte of bytes) {
      if (this.place === 'text') {
        if (byte === QUOTE) this.place = 'between';
        else if (byte === BACKSLASH) this.place = 'escape';
      } else if (this.place === 'escape') {
        this.place = 'text';
      } else {
        this.step(byte);
        if (this.values > this.bounds.values) return 'values';
        if (this.open.length > this.bounds.depth) return 'depth';
      }
    }
    return undefined;
  }

  /** Takes a byte outside of texts. */
  private step(byte: number): void {
    switch (byte) {
      case QUOTE:
        if (!this.isName) this.values += 1;
        this.place = 'text';
        return;
      case OPEN_OBJECT:
      case OPEN_LIST:
        this.values += 1;
        this.open.push(byte === OPEN_OBJECT);
        this.isName = byte === OPEN_OBJECT;
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        this.open.pop();
        this.isName = false;
        break;
      case COMMA:
        this.isName = this.open.at(-1) === true;
        break;
      case COLON:
        this.isName = false;
        break;
      default:
        if (byte <= SPACE) break;
        if (this.place !== 'scalar') this.values += 1;
        this.place = 'scalar';
        return;
    }
    this.place = 'between';
  }
}
