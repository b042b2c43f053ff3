import { NearDuplicateFinder } from './similarity/near-duplicates.js';
import { SIGNATURE_LENGTH } from './similarity/min-hash.js';
import type { StoredDuplicates, StoredProfile } from './stored-profile.js';

/** Maximum number of groups in a profile; the largest of each kind come first. */
const MOST_GROUPS = 100;
const MOST_MEMBERS = 50;
const MOST_PAIRS = 20;
/** Maximum number of signatures in memory, of 480 bytes each. Further texts are compared only for equality. */
const MOST_COMPARED = 200_000;
const BYTES_PER_NUMBER = 4;

/** The properties of a document that are compared. */
export interface ComparedDocument {
  readonly id: string;
  readonly sha256: string;
  /** Null for a document without a text, and for a blank text. */
  readonly textHash: string | null;
  readonly signature: Buffer | null;
}

/** Finds duplicates: equal files, equal texts and similar texts. */
export class DuplicateBuilder {
  private readonly byFile = new Map<string, string[]>();
  private readonly byText = new Map<string, { readonly ids: string[]; readonly files: Set<string> }>();
  private readonly ids: string[] = [];
  private readonly signatures: Int32Array[] = [];

  /** `threshold`: minimum similarity of near duplicates; null: they are not searched for. */
  constructor(private readonly threshold: number | null) {}

  add({ id, sha256, textHash, signature }: ComparedDocument): void {
    const files = this.byFile.get(sha256);
    if (files === undefined) this.byFile.set(sha256, [id]);
    else files.push(id);
    if (textHash === null) return;
    const texts = this.byText.get(textHash);
    if (texts !== undefined) {
      texts.ids.push(id);
      texts.files.add(sha256);
      return;
    }
    this.byText.set(textHash, { ids: [id], files: new Set([sha256]) });
    // One document for each text, because equal texts need no comparison.
    if (this.threshold === null || signature === null || this.ids.length >= MOST_COMPARED) return;
    this.ids.push(id);
    this.signatures.push(numbersOf(signature));
  }

  /** `breathe` is called between two pieces of work. */
  async build(breathe: () => Promise<void>): Promise<StoredProfile['duplicates']> {
    const sameFile = [...this.byFile]
      .filter(([, ids]) => ids.length > 1)
      .map(([sha256, ids]) => sameOf('same_file', sha256, ids));
    const sameText = [...this.byText]
      .filter(([, { ids, files }]) => ids.length > 1 && files.size > 1)
      .map(([sha256, { ids }]) => sameOf('same_text', sha256, ids));
    const exact = [...sameFile, ...sameText];
    const members = new Set(exact.flatMap(({ documents }) => documents));
    const near = await this.findNear(breathe);
    return {
      exact: { groups: exact.length, documents: members.size },
      near:
        near === null
          ? null
          : {
              groups: near.length,
              documents: near.reduce((sum, { size }) => sum + size, 0),
              compared: this.ids.length,
            },
      items: [...shown(sameFile), ...shown(sameText), ...shown(near ?? [])],
    };
  }

  private async findNear(breathe: () => Promise<void>): Promise<StoredDuplicates[] | null> {
    if (this.threshold === null) return null;
    const finder = new NearDuplicateFinder(this.signatures, this.threshold);
    for (const band of NearDuplicateFinder.bands) {
      finder.compareBand(band);
      await breathe();
    }
    return finder.groups().map(({ members, pairs }) => ({
      kind: 'near',
      size: members.length,
      documents: members.map((n) => this.ids[n]!),
      sha256: null,
      pairs: pairs.slice(0, MOST_PAIRS).map(({ a, b, similarity }) => ({
        a: this.ids[a]!,
        b: this.ids[b]!,
        similarity: Math.round(similarity * 1000) / 1000,
      })),
    }));
  }
}

function sameOf(kind: 'same_file' | 'same_text', sha256: string, ids: readonly string[]): StoredDuplicates {
  return { kind, size: ids.length, documents: ids, sha256, pairs: null };
}

function shown(groups: readonly StoredDuplicates[]): StoredDuplicates[] {
  return groups
    .toSorted((a, b) => b.size - a.size)
    .slice(0, MOST_GROUPS)
    .map((group) => ({ ...group, documents: group.documents.slice(0, MOST_MEMBERS) }));
}

function numbersOf(signature: Buffer): Int32Array {
  const numbers = new Int32Array(SIGNATURE_LENGTH);
  for (let n = 0; n < SIGNATURE_LENGTH; n += 1) numbers[n] = signature.readInt32LE(n * BYTES_PER_NUMBER);
  return numbers;
}

/** A signature in the form in which it is stored while a scan runs. */
export function bytesOf(signature: Int32Array): Buffer {
  const bytes = Buffer.allocUnsafe(signature.length * BYTES_PER_NUMBER);
  for (const [n, value] of signature.entries()) bytes.writeInt32LE(value, n * BYTES_PER_NUMBER);
  return bytes;
}
