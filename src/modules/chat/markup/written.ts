import type { Marker } from '#libs/answering';

/** A piece of Markdown that shows a text, with its markers and what was counted on the way. */
export interface Written {
  readonly text: string;
  /** Markers in order, with offsets in `text`. */
  readonly markers: readonly Marker[];
  /** Markers that were taken out. */
  readonly removed: number;
  /** Links, images, addresses and tags that are shown as text. */
  readonly shown: number;
}

export function plainly(text: string): Written {
  return { text, markers: [], removed: 0, shown: 0 };
}

/** Pieces one behind the other. */
export function joined(pieces: readonly Written[]): Written {
  const texts: string[] = [];
  const markers: Marker[] = [];
  let [length, removed, shown] = [0, 0, 0];
  for (const piece of pieces) {
    for (const { number, start, end } of piece.markers)
      markers.push({ number, start: start + length, end: end + length });
    texts.push(piece.text);
    length += piece.text.length;
    removed += piece.removed;
    shown += piece.shown;
  }
  return { text: texts.join(''), markers, removed, shown };
}

/** The piece with spaces before each of its lines but the first, empty ones left as they are. */
export function indented(piece: Written, width: number): Written {
  const space = ' '.repeat(width);
  const added: number[] = [];
  const text = piece.text.replace(/\n(?=[^\n])/g, (_, at: number) => {
    added.push(at);
    return `\n${space}`;
  });
  let lines = 0;
  const markers = piece.markers.map(({ number, start, end }) => {
    while (lines < added.length && added[lines]! < start) lines += 1;
    const shift = lines * width;
    return { number, start: start + shift, end: end + shift };
  });
  return { ...piece, text, markers };
}

/** A text in pieces: to look at the end of a long one would read all of it, for every piece again. */
export class TextPieces {
  length = 0;
  private readonly pieces: string[] = [];

  append(piece: string): void {
    if (piece === '') return;
    this.pieces.push(piece);
    this.length += piece.length;
  }

  /** The last character; '' of an empty text. */
  get last(): string {
    return this.pieces.at(-1)?.at(-1) ?? '';
  }

  dropLast(): void {
    const piece = this.pieces.pop();
    if (piece === undefined) return;
    this.length -= piece.length;
    this.append(piece.slice(0, -1));
  }

  toString(): string {
    return this.pieces.join('');
  }
}
