import { estimateSimilarity, LSH_BANDS, LSH_ROWS } from './min-hash.js';

/**
 * Maximum number of texts of a bucket with which each text is compared; otherwise thousands of texts of one template would be compared in
 * pairs.
 */
const MOST_COMPARED = 64;

/** Two similar texts, by their positions in the input. */
export interface SimilarPair {
  readonly a: number;
  readonly b: number;
  /** Estimated Jaccard similarity of their shingles. */
  readonly similarity: number;
}

/** A group of texts that are connected by similar pairs. */
export interface SimilarGroup {
  /** Ascending. */
  readonly members: readonly number[];
  /** The similar pairs of the group, the most similar first; not all of its members need be similar to each other. */
  readonly pairs: readonly SimilarPair[];
}

/**
 * Finds similar texts by their signatures. Only texts that agree in a whole band are compared: of pairs with a similarity of 0.9 all but
 * one in a million, of 0.8 all but one in four hundred.
 */
export class NearDuplicateFinder {
  private readonly parents: Int32Array;
  private readonly found: SimilarPair[] = [];
  private readonly seen = new Set<number>();

  /** `threshold`: minimum estimated similarity. */
  constructor(
    private readonly signatures: readonly Int32Array[],
    private readonly threshold: number,
  ) {
    this.parents = Int32Array.from(signatures, (_signature, n) => n);
  }

  /** Numbers of the bands; the caller compares each once and can let other work run in between. */
  static readonly bands: readonly number[] = Array.from({ length: LSH_BANDS }, (_, band) => band);

  compareBand(band: number): void {
    const buckets = new Map<number, number[]>();
    for (let n = 0; n < this.signatures.length; n += 1) {
      const key = bandKey(this.signatures[n]!, band);
      const bucket = buckets.get(key);
      if (bucket === undefined) {
        buckets.set(key, [n]);
        continue;
      }
      for (let i = 0; i < bucket.length && i < MOST_COMPARED; i += 1) this.compare(bucket[i]!, n);
      bucket.push(n);
    }
  }

  /** Groups by falling size, then by their first member. */
  groups(): SimilarGroup[] {
    const members = new Map<number, number[]>();
    for (let n = 0; n < this.parents.length; n += 1) append(members, this.rootOf(n), n);
    const pairs = new Map<number, SimilarPair[]>();
    for (const pair of this.found) append(pairs, this.rootOf(pair.a), pair);
    return [...members]
      .filter(([, group]) => group.length > 1)
      .map(([root, group]) => ({ members: group, pairs: (pairs.get(root) ?? []).toSorted(bySimilarity) }))
      .toSorted((x, y) => y.members.length - x.members.length || x.members[0]! - y.members[0]!);
  }

  private compare(a: number, b: number): void {
    const key = a * this.signatures.length + b;
    if (this.seen.has(key)) return;
    const similarity = estimateSimilarity(this.signatures[a]!, this.signatures[b]!);
    if (similarity < this.threshold) return;
    this.seen.add(key);
    this.found.push({ a, b, similarity });
    this.parents[this.rootOf(b)] = this.rootOf(a);
  }

  private rootOf(n: number): number {
    let root = n;
    while (this.parents[root] !== root) root = this.parents[root]!;
    for (let at = n; at !== root;) {
      const next = this.parents[at]!;
      this.parents[at] = root;
      at = next;
    }
    return root;
  }
}

function bandKey(signature: Int32Array, band: number): number {
  let key = 0x811c9dc5 | 0;
  for (let n = band * LSH_ROWS; n < (band + 1) * LSH_ROWS; n += 1) {
    key = Math.imul(key ^ signature[n]!, 0x01000193);
    key ^= key >>> 15;
  }
  return key;
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function bySimilarity(x: SimilarPair, y: SimilarPair): number {
  return y.similarity - x.similarity || x.a - y.a || x.b - y.b;
}
