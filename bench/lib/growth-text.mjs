/** Texts of a given length made of one unit, of numbered pieces, or of brackets around each other. */

export const fill = (unit, length) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** Numbered pieces, so that no two are the same; as many as are needed for at least the length. */
export function numbered(pieceOf, length) {
  const pieces = [];
  for (let n = 0, size = 0; size < length; n += 1) {
    pieces.push(pieceOf(n));
    size += pieces.at(-1).length;
  }
  return pieces.join('');
}

export function wrap(open, close, length) {
  const levels = Math.floor(length / (open.length + close.length));
  return `${open.repeat(levels)}${close.repeat(levels)}`;
}
