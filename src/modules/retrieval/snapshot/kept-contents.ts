import type { ChunkSetId, DocumentId, JsonObject, Steps } from '#libs/common';
import { LEGS, TermStatistics } from '#libs/ranking';
import { HeldDataset } from './held-dataset.js';
import type { ShownSet } from '../rows/retrieval-rows.js';
import { bufferOf, bytesOf, numbersOf, readUuid, UUID_BYTES, writeUuid } from './kept-arrays.js';
import { BrokenFile, type Sealed } from './sealed-file.js';

/** Documents that are written or read between two pauses. */
const DOCUMENTS_PER_STEP = 512;

/** Whose words they are. */
export interface WordsOwner {
  readonly tenantId: string;
  readonly datasetId: string;
}

/** Beside the owner and the number of the last change: the sums of the statistics, and the languages that documents name by number. */
interface Facts extends WordsOwner {
  readonly seq: string;
  readonly chunks: number;
  readonly lengths: readonly number[];
  readonly languages: readonly (string | null)[];
  /** Names of the files that hold the postings of the same moment; none where there are no postings. */
  readonly segments: readonly string[];
}

/** The names of the segments that a file of contents tells of, as far as it tells any. */
export function segmentsOf(facts: JsonObject | undefined): readonly string[] {
  const names = facts?.['segments'];
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

/** The statistics of a dataset as of `seq` with the documents that they count, and the names of its segments; undefined when they changed while they were written. */
export function* sealContents(
  owner: WordsOwner,
  held: HeldDataset,
  segments: readonly string[],
): Steps<Sealed | undefined> {
  const { seq } = held;
  const { totals, hashes, counts } = held.statistics.entries();
  const documents = [...held.counted];
  const ids = Buffer.alloc(documents.length * UUID_BYTES * 2);
  const numbers = new BigInt64Array(documents.length * 2);
  const small = new Uint32Array(documents.length * 2);
  const languages = new Map<string | null, number>();
  for (const [place, [document, shown]] of documents.entries()) {
    writeUuid(ids, place * 2, document);
    writeUuid(ids, place * 2 + 1, shown.set);
    numbers[place * 2] = BigInt(shown.generation);
    numbers[place * 2 + 1] = shown.changedAt;
    if (!languages.has(shown.language)) languages.set(shown.language, languages.size);
    small[place * 2] = shown.attempt;
    small[place * 2 + 1] = languages.get(shown.language)!;
    if (place % DOCUMENTS_PER_STEP === 0) yield;
  }
  if (held.seq !== seq) return undefined;
  const facts: Facts = {
    tenantId: owner.tenantId,
    datasetId: owner.datasetId,
    seq: String(seq),
    chunks: totals.chunkCount,
    lengths: LEGS.map((leg) => totals.lengths[leg]),
    languages: [...languages.keys()],
    segments,
  };
  return { facts: facts as unknown as JsonObject, parts: [ids, numbers, small, hashes, counts].map(bytesOf) };
}

/** The opposite. @throws BrokenFile for the words of another dataset */
export function* openContents(owner: WordsOwner, { facts: read, parts }: Sealed): Steps<HeldDataset> {
  const facts = read as unknown as Facts;
  if (facts.tenantId !== owner.tenantId || facts.datasetId !== owner.datasetId)
    throw new BrokenFile('It holds the words of another dataset.');
  const [ids, numbers, small, hashes, counts] = parts as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const [words, grams, title] = facts.lengths as [number, number, number];
  const totals = { chunkCount: facts.chunks, lengths: { words, grams, title } };
  const statistics = yield* TermStatistics.of({ totals, hashes: numbersOf(hashes), counts: numbersOf(counts) });
  const held = new HeldDataset(BigInt(facts.seq), statistics);
  const texts = bufferOf(ids);
  const large = new BigInt64Array(numbers.buffer, numbers.byteOffset, numbers.byteLength / 8);
  const others = numbersOf(small);
  for (let place = 0; place * 2 < large.length; place += 1) {
    const shown: ShownSet = {
      set: readUuid(texts, place * 2 + 1) as ChunkSetId,
      generation: String(large[place * 2]),
      changedAt: large[place * 2 + 1]!,
      attempt: others[place * 2]!,
      language: facts.languages[others[place * 2 + 1]!] ?? null,
    };
    held.counted.set(readUuid(texts, place * 2) as DocumentId, shown);
    if (place % DOCUMENTS_PER_STEP === 0) yield;
  }
  return held;
}
