/** Longest key of an entity in code units. */
const MAX_KEY = 120;

/** A name without the differences between spellings: case, width, accents of case, possessive endings and white space. */
export function entityKeyOf(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’']s$/u, '')
    .replace(/[’']/gu, "'")
    .replace(/[\s\u00a0_-]+/gu, ' ')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    .trim()
    .slice(0, MAX_KEY);
}
