import type { Steps } from '#libs/common';
import type { EncodedTerms } from './encoded-terms.js';
import { BitReader, BitWriter } from './term-bits.js';
import { ByteReader, ByteWriter } from './term-bytes.js';
import { HashCounts } from './hash-counts.js';
import { sortHashes } from './hash-list.js';
import { LEGS } from './term-hash.js';
import type { Leg } from './term-hash.js';

/** What BM25 must know of all chunks that a query can see. */
export interface StatisticsView {
  readonly chunkCount: number;
  /** In how many chunks the term with this hash is. */
  df(hash: number): number;
  /** Mean length of a leg over all chunks, also those where it is empty; 0 without chunks. */
  averageLength(leg: Leg): number;
}

/** Chunks and sums of lengths, which can be added up over datasets before they are divided. */
interface Totals {
  chunkCount: number;
  lengths: Record<Leg, number>;
}

/** Entries that are taken over between two pauses. */
const ENTRIES_PER_STEP = 8_192;

/** 1: hashes of four bytes, as they were written before; 2: distances between them and counts, in bits. */
const PLAIN = 1;
const FORMAT = 2;

/**
 * The statistics of one document: number of chunks, sum of the lengths of each leg, and for each hash the number of chunks
 * that hold it. The order of the chunks does not matter.
 */
export function summarizeTerms(chunks: readonly EncodedTerms[]): Uint8Array {
  const writer = new ByteWriter();
  writer.byte(FORMAT);
  writer.varint(chunks.length);
  let total = 0;
  for (const leg of LEGS) {
    let length = 0;
    for (const chunk of chunks) {
      length += chunk[leg].length;
      total += chunk[leg].hashes.length;
    }
    writer.varint(length);
  }
  const all = new Uint32Array(total);
  let filled = 0;
  for (const chunk of chunks) {
    for (const leg of LEGS) {
      all.set(chunk[leg].hashes, filled);
      filled += chunk[leg].hashes.length;
    }
  }
  const { hashes, counts } = countSorted(sortHashes(all));
  writer.varint(hashes.length);
  const bits = new BitWriter(writer);
  bits.ascending(hashes);
  bits.counts(counts);
  bits.end();
  return writer.bytes();
}

/** Each distinct hash once, in place, with how often it is in the sorted list. */
function countSorted(sorted: Uint32Array): { hashes: Uint32Array; counts: Uint32Array } {
  const counts = new Uint32Array(sorted.length);
  let distinct = 0;
  let last = 0;
  for (let index = 0; index < sorted.length; index += 1) {
    const hash = sorted[index]!;
    if (hash !== last) {
      sorted[distinct] = last = hash;
      distinct += 1;
    }
    counts[distinct - 1]! += 1;
  }
  return { hashes: sorted.subarray(0, distinct), counts: counts.subarray(0, distinct) };
}

/** Everything that statistics count, to be kept outside and made into statistics again. */
export interface StatisticsEntries {
  readonly totals: Readonly<Totals>;
  /** Each once, in no order, none of them 0. */
  readonly hashes: Uint32Array;
  /** At the same index, from 1. */
  readonly counts: Uint32Array;
}

interface Summary extends Totals {
  hashes: Uint32Array;
  counts: Uint32Array;
}

function readSummary(bytes: Uint8Array): Summary {
  const reader = new ByteReader(bytes);
  const format = reader.formatOf([PLAIN, FORMAT], 'term summary');
  const chunkCount = reader.varint();
  const lengths = { words: reader.varint(), grams: reader.varint(), title: reader.varint() };
  const distinct = reader.varint();
  if (format === PLAIN) {
    const counts = reader.exceptions(new Uint32Array(distinct), 1);
    return { chunkCount, lengths, counts, hashes: reader.hashes(distinct) };
  }
  const bits = new BitReader(reader);
  const hashes = bits.ascending(distinct);
  return { chunkCount, lengths, hashes, counts: bits.counts(new Uint32Array(distinct)) };
}

/**
 * Statistics of the visible chunks of one dataset, kept up to date by the summaries of its documents. Some 16 bytes a
 * distinct term.
 */
export class TermStatistics implements StatisticsView {
  private readonly counts = new HashCounts();
  private readonly totals: Totals = { chunkCount: 0, lengths: { words: 0, grams: 0, title: 0 } };
  private postings = 0;

  /** One view of several datasets, which reads them when it is asked and copies nothing. */
  static combine(parts: readonly TermStatistics[]): StatisticsView {
    if (parts.length === 1) return parts[0]!;
    const sum = (value: (part: TermStatistics) => number): number =>
      parts.reduce((total, part) => total + value(part), 0);
    return {
      get chunkCount() {
        return sum((part) => part.totals.chunkCount);
      },
      df: (hash) => sum((part) => part.counts.get(hash)),
      averageLength: (leg) =>
        mean(
          sum((part) => part.totals.lengths[leg]),
          sum((part) => part.totals.chunkCount),
        ),
    };
  }

  /** The opposite of `entries`. */
  static *of({ totals, hashes, counts }: StatisticsEntries): Steps<TermStatistics> {
    const made = new TermStatistics();
    made.apply({ ...totals, hashes: new Uint32Array(), counts: new Uint32Array() }, 1);
    for (let start = 0; start < hashes.length; start += ENTRIES_PER_STEP) {
      const end = start + ENTRIES_PER_STEP;
      made.postings += made.counts.addMany(hashes.subarray(start, end), counts.subarray(start, end), 1);
      yield;
    }
    return made;
  }

  /** As they are now: a copy. */
  entries(): StatisticsEntries {
    const { chunkCount, lengths } = this.totals;
    return { totals: { chunkCount, lengths: { ...lengths } }, ...this.counts.entries() };
  }

  get chunkCount(): number {
    return this.totals.chunkCount;
  }

  /** Distinct terms. */
  get termCount(): number {
    return this.counts.size;
  }

  /** Sum over the chunks of how many distinct terms each holds. */
  get postingCount(): number {
    return this.postings;
  }

  df(hash: number): number {
    return this.counts.get(hash);
  }

  averageLength(leg: Leg): number {
    return mean(this.totals.lengths[leg], this.totals.chunkCount);
  }

  /** Counts a document that became visible. */
  add(summary: Uint8Array): void {
    this.apply(readSummary(summary), 1);
  }

  /**
   * Takes a document back that was counted before with the very same bytes. Throws a RangeError, and changes nothing, when
   * the statistics cannot have held it.
   */
  remove(summary: Uint8Array): void {
    this.takeBack(readSummary(summary));
  }

  /** Counts everything that `other` counts. */
  addAll(other: TermStatistics): void {
    this.apply(other.read(), 1);
  }

  /** Takes everything back that `other` counts. Throws a RangeError, and changes nothing, when these statistics cannot have held it. */
  removeAll(other: TermStatistics): void {
    this.takeBack(other.read());
  }

  private read(): Summary {
    return { ...this.totals, ...this.counts.entries() };
  }

  private takeBack(read: Summary): void {
    const held =
      read.chunkCount <= this.totals.chunkCount &&
      LEGS.every((leg) => read.lengths[leg] <= this.totals.lengths[leg]) &&
      read.hashes.every((hash, index) => read.counts[index]! <= this.counts.get(hash));
    if (!held) throw new RangeError('term statistics never held this document');
    this.apply(read, -1);
  }

  private apply(summary: Summary, sign: 1 | -1): void {
    this.totals.chunkCount += sign * summary.chunkCount;
    for (const leg of LEGS) this.totals.lengths[leg] += sign * summary.lengths[leg];
    this.postings += this.counts.addMany(summary.hashes, summary.counts, sign);
  }
}

function mean(sum: number, count: number): number {
  return count === 0 ? 0 : sum / count;
}
