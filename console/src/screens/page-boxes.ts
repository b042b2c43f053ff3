/** A piece of text on a page, in the page's own units, from its lower left corner. */
export interface PagePiece {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What is compared: letters and digits alone, since a page breaks, hyphenates and spaces words as it likes. */
const LETTER = /[\p{L}\p{N}]/u;

interface Letter {
  readonly letter: string;
  readonly piece: number;
  /** Where in its piece it begins, 0 to 1. */
  readonly at: number;
  readonly end: number;
}

/** Boxes of a text on a page; none where the page does not hold it. Pieces that it covers in part give the share that it covers. */
export function boxesOf(pieces: readonly PagePiece[], text: string): readonly Box[] {
  const wanted = lettersOf(text)
    .map(({ letter }) => letter)
    .join('');
  const letters = pieces.flatMap((piece, index) => lettersOf(piece.str, index));
  const found = letters
    .map(({ letter }) => letter)
    .join('')
    .indexOf(wanted);
  if (wanted === '' || found < 0) return [];
  const covered = letters.slice(found, found + wanted.length);
  return [...new Set(covered.map(({ piece }) => piece))].map((index) => {
    const own = covered.filter(({ piece }) => piece === index);
    return boxOf(pieces[index]!, own[0]!.at, own.at(-1)!.end);
  });
}

/** One unit for each letter, so that places in the joined text are places in this list. */
function lettersOf(text: string, piece = 0): readonly Letter[] {
  const plain = text.normalize('NFKC');
  return [...plain.matchAll(/./gsu)]
    .filter(([letter]) => LETTER.test(letter))
    .map(({ 0: letter, index }) => ({
      letter: letter.toLowerCase().charAt(0),
      piece,
      at: index / plain.length,
      end: (index + letter.length) / plain.length,
    }));
}

function boxOf({ transform, width, height }: PagePiece, from: number, to: number): Box {
  const [, , , , x = 0, y = 0] = transform;
  // Letters reach a little below the line that they stand on.
  return { x: x + width * from, y: y - height * 0.22, width: width * (to - from), height: height * 1.2 };
}
