import { fetchRoute } from './client';

/** A piece of a text that is read at once. */
const STRETCH = 1_000_000;
/** Beyond this a text is too long to be held by a page. */
export const MOST_CHARACTERS = 16_000_000;

/** The canonical text from `start` to `end`, in the code units to which all offsets refer. */
export async function fetchText(documentId: string, start: number, end: number, signal: AbortSignal): Promise<string> {
  const response = await fetchRoute(`api/v1/documents/${documentId}/text?start=${start}&end=${end}`, { signal });
  // A mark of byte order is a character of the text: without it all offsets behind it would be another's.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
}

/** The whole text, as far as a page can hold it. */
export async function fetchWholeText(documentId: string, signal: AbortSignal): Promise<string> {
  let text = '';
  while (text.length < MOST_CHARACTERS) {
    const piece = await fetchText(documentId, text.length, text.length + STRETCH, signal);
    text += piece;
    // Half a pair at the border is left out, and read with the next piece.
    if (piece.length < STRETCH - 1) break;
  }
  return text;
}
