/**
 * The recursive character splitter that most retrieval libraries ship, with offsets: the text is split at the first separator
 * that occurs in it, pieces that are too long are split at the next ones, and neighbours are joined again up to the size. A
 * separator stays with the piece that it begins; white space at the ends of a chunk is cut off.
 */
const SEPARATORS = ['\n\n', '\n', '. ', ' ', ''];

/** @returns {{ start: number, end: number }[]} ranges of at most `size` UTF-16 units that repeat up to `overlap` units */
export function splitRecursively(text, { size, overlap }) {
  const chunks = [];
  splitPiece(text, { start: 0, end: text.length }, SEPARATORS, { size, overlap }, chunks);
  return chunks;
}

function splitPiece(text, piece, separators, limits, chunks) {
  const content = text.slice(piece.start, piece.end);
  const index = separators.findIndex((separator) => separator === '' || content.includes(separator));
  const rest = separators.slice(index + 1);
  let small = [];
  for (const part of partsOf(text, piece, separators[index])) {
    if (part.end - part.start < limits.size) {
      small.push(part);
      continue;
    }
    mergeParts(text, small, limits, chunks);
    small = [];
    if (rest.length === 0) pushTrimmed(text, part.start, part.end, chunks);
    else splitPiece(text, part, rest, limits, chunks);
  }
  mergeParts(text, small, limits, chunks);
}

function partsOf(text, { start, end }, separator) {
  const parts = [];
  if (separator === '') {
    for (let at = start; at < end;) {
      const width = text.codePointAt(at) > 0xffff ? 2 : 1;
      parts.push({ start: at, end: Math.min(end, at + width) });
      at += width;
    }
    return parts;
  }
  let from = start;
  for (
    let at = text.indexOf(separator, start);
    at >= 0 && at < end;
    at = text.indexOf(separator, at + separator.length)
  ) {
    if (at > from) parts.push({ start: from, end: at });
    from = at;
  }
  if (from < end) parts.push({ start: from, end });
  return parts;
}

/** Joins neighbours while they fit, then drops parts from the front until no more than the overlap is left to repeat. */
function mergeParts(text, parts, { size, overlap }, chunks) {
  let first = 0;
  const length = (last) => (last > first ? parts[last - 1].end - parts[first].start : 0);
  for (let index = 0; index < parts.length; index++) {
    const own = parts[index].end - parts[index].start;
    if (length(index) + own > size && index > first) {
      pushTrimmed(text, parts[first].start, parts[index - 1].end, chunks);
      while (first < index && (length(index) > overlap || length(index) + own > size)) first++;
    }
  }
  if (parts.length > first) pushTrimmed(text, parts[first].start, parts.at(-1).end, chunks);
}

function pushTrimmed(text, start, end, chunks) {
  const content = text.slice(start, end);
  const from = start + content.length - content.trimStart().length;
  const to = end - (content.length - content.trimEnd().length);
  if (to > from) chunks.push({ start: from, end: to });
}
