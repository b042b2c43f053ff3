/** The legs of keyword ranking, in the order in which they are encoded and summed. */
export const LEGS = ['words', 'grams', 'title'] as const;

/** A field of a chunk with its own terms, its own length and its own weight. */
export type Leg = (typeof LEGS)[number];

const SEEDS: Record<Leg, number> = { words: 0x811c9dc5, grams: 0x3c6ef372, title: 0xa54ff53a };

/**
 * The 32-bit hash that represents a term in encoded terms and statistics: FNV-1a over the UTF-16 units from a seed of the
 * leg, mixed as in murmur3. Never 0. The same term has another hash in another leg. The term is `text[start, end)`.
 */
export function hashTerm(leg: Leg, text: string, start = 0, end = text.length): number {
  let hash = SEEDS[leg];
  for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  hash ^= hash >>> 16;
  return hash >>> 0 || 1;
}
