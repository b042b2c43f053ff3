import type { ParseWarning } from '../document-parser.port.js';

/** What a format says of the words that its document strikes out: they are withdrawn, and none of the text. */
export function reportStruckOut(characters: number): {
  readonly warnings: ParseWarning[];
  readonly fidelity: Readonly<Record<string, number>>;
} {
  if (characters === 0) return { warnings: [], fidelity: {} };
  const detail = `${characters} characters are struck out in the document and were left out.`;
  return {
    warnings: [{ code: 'STRUCK_OUT_TEXT', detail }],
    fidelity: { struck_out_characters_left_out: characters },
  };
}
