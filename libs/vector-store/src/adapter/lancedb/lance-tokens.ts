/** How a table holds terms: as they are given, as tables did before, or in four characters each. Its specification says which. */
export type TokenForm = 'given' | 'short';

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Terms as a table holds them and is asked for them, each once. Two terms in sixteen million share a short token: then the table proposes a row too many,
 * which the ranking puts where it belongs.
 */
export function tokensOf(terms: readonly string[], form: TokenForm): string[] {
  return [...new Set(form === 'short' ? terms.map(shortToken) : terms)];
}

/** Twenty-four bits of a hash (FNV-1a, mixed as in murmur3). */
function shortToken(term: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < term.length; index += 1) hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  const at = (shift: number): string => CHARACTERS[(hash >>> shift) & 63]!;
  return at(0) + at(6) + at(12) + at(18);
}
