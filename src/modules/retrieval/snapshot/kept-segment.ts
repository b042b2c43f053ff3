import type { ChunkId, ChunkSetId, DocumentId, JsonObject, Steps } from '#libs/common';
import { LEGS, LegPostings, type Leg, type PostingArrays } from '#libs/ranking';
import { PostingSegment, type PostedChunk } from '../postings/posting-segment.js';
import { bufferOf, bytesOf, numbersOf, readUuid, shortNumbersOf, UUID_BYTES, writeUuid } from './kept-arrays.js';
import type { WordsOwner } from './kept-contents.js';
import { BrokenFile, type Sealed } from './sealed-file.js';

/** Chunks that are written or read between two pauses. */
const CHUNKS_PER_STEP = 512;
/** Chunk, document and chunk set. */
const IDS_EACH = 3;
/** Arrays of the postings of a leg. */
const ARRAYS_EACH = 5;

/** A segment without what was struck out of it; undefined when more was struck out while it was written. */
export function* sealSegment(owner: WordsOwner, segment: PostingSegment): Steps<Sealed | undefined> {
  const { shown } = segment;
  const chunks = segment.chunks.filter((chunk) => chunk !== null);
  const ids = Buffer.alloc(chunks.length * UUID_BYTES * IDS_EACH);
  const ordinals = new Uint32Array(chunks.length);
  for (const [number, chunk] of chunks.entries()) {
    writeUuid(ids, number * IDS_EACH, chunk.id);
    writeUuid(ids, number * IDS_EACH + 1, chunk.documentId);
    writeUuid(ids, number * IDS_EACH + 2, chunk.chunkSetId);
    ordinals[number] = chunk.ordinal;
    if (number % CHUNKS_PER_STEP === 0) yield;
  }
  const parts: Uint8Array[] = [ids, bytesOf(ordinals)];
  const numbers = numbersWithout(segment);
  for (const leg of LEGS) {
    const postings = segment.postings[leg];
    const left =
      chunks.length === segment.chunks.length
        ? postings
        : yield* LegPostings.merge([{ postings, numbers }], chunks.length);
    parts.push(...left.arrays.map(bytesOf));
  }
  const facts: JsonObject = { tenantId: owner.tenantId, datasetId: owner.datasetId };
  return segment.shown === shown ? { facts, parts } : undefined;
}

/** The opposite. @throws BrokenFile for a segment of another dataset */
export function* openSegment(owner: WordsOwner, { facts, parts }: Sealed): Steps<PostingSegment> {
  if (facts['tenantId'] !== owner.tenantId || facts['datasetId'] !== owner.datasetId)
    throw new BrokenFile('It holds the words of another dataset.');
  const [ids, ordinals, ...arrays] = parts as [Uint8Array, Uint8Array, ...Uint8Array[]];
  const chunks: PostedChunk[] = [];
  let [documentId, chunkSetId] = ['', ''];
  const source = bufferOf(ids);
  for (const [number, ordinal] of numbersOf(ordinals).entries()) {
    const id = readUuid(source, number * IDS_EACH) as ChunkId;
    // One text for all chunks of a document.
    const [document, set] = [readUuid(source, number * IDS_EACH + 1), readUuid(source, number * IDS_EACH + 2)];
    if (document !== documentId) documentId = document;
    if (set !== chunkSetId) chunkSetId = set;
    const of = { documentId: documentId as DocumentId, chunkSetId: chunkSetId as ChunkSetId };
    chunks.push({ id, ...of, ordinal, segment: null, number });
    if (number % CHUNKS_PER_STEP === 0) yield;
  }
  const postings = Object.fromEntries(
    LEGS.map((leg, place) => [leg, openLeg(arrays.slice(place * ARRAYS_EACH, (place + 1) * ARRAYS_EACH))]),
  );
  return new PostingSegment(postings as Record<Leg, LegPostings>, chunks);
}

/** By number of a chunk: its number among the chunks that are not struck out; -1 for a struck-out chunk. */
function numbersWithout({ chunks }: PostingSegment): Int32Array {
  const numbers = new Int32Array(chunks.length).fill(-1);
  let next = 0;
  for (const [number, chunk] of chunks.entries()) if (chunk !== null) numbers[number] = next++;
  return numbers;
}

function openLeg(parts: readonly Uint8Array[]): LegPostings {
  const [hashes, starts, numbers, frequencies, lengths] = parts as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const arrays: PostingArrays = [
    numbersOf(hashes),
    numbersOf(starts),
    shortNumbersOf(numbers),
    frequencies,
    numbersOf(lengths),
  ];
  return LegPostings.ofArrays(arrays);
}
