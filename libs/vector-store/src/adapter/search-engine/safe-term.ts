import { createHash } from 'node:crypto';

/** From here on the whitespace tokenizer cuts a term in two. */
const LONGEST = 255;
/** What either side, Java or JavaScript, takes for white space. */
// oxlint-disable-next-line no-control-regex -- the separators U+001C to U+001F are white space to Java
const WHITE = /[\s\u001c-\u001f\u0085]/;

/** A term as it is, unless the engine's tokenizer would split it: then a digest represents it, in rows and queries alike. */
export function safeTerm(term: string): string {
  if (term.length <= LONGEST && !WHITE.test(term)) return term;
  return `sha256:${createHash('sha256').update(term).digest('base64url')}`;
}
