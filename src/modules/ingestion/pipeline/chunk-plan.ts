import { createHash } from 'node:crypto';
import { canonicalJson } from '#libs/common';
import {
  ADDED_TERMS_VERSION,
  ANALYSIS_VERSION,
  chunkText,
  encodeChunk,
  summarizeTerms,
  type EncodedChunk,
  type EncodedTerms,
} from '#libs/ranking';
import type { Chunk, ChunkingOptions } from '#libs/text';
import { maskedTypesOf, maskFacts } from '../../documents/index.js';
import type { Parsed } from '../attempt/document-states.js';
import { searchTitle } from '../../content/index.js';

/** Changes when the same text and options would give other chunks. */
const CHUNKER_VERSION = '5';
/** Chunks whose terms are summed up in one row. */
const CHUNKS_PER_SUMMARY = 512;

/** How a text is to be chunked, and what that is known by. */
export interface ChunkPlan {
  readonly options: ChunkingOptions;
  /** A field of its own in ranking: the document's name, and the title that the content gives. */
  readonly title: string;
  /** Everything that decides which chunks a revision has and which terms they carry. */
  readonly fingerprint: string;
  /** As a chunk set key has it. */
  readonly partial: string | null;
}

/** @param writer what decides lines about chunks; undefined where there are none. */
export function chunkPlanOf(
  { journal, policy, text }: Pick<Parsed, 'journal' | 'policy' | 'text'>,
  options: ChunkingOptions,
  writer: string | undefined,
): ChunkPlan {
  const title = searchTitle(maskFacts(journal.run.document, maskedTypesOf(policy)).name, text.title);
  const lines = writer === undefined ? {} : { writer };
  const made = { chunker: CHUNKER_VERSION, analysis: `${ANALYSIS_VERSION}.${ADDED_TERMS_VERSION}`, ...lines };
  const parts = { text: text.fingerprint, ...made, options, title };
  const fingerprint = createHash('sha256').update(canonicalJson(parts)).digest('hex').slice(0, 32);
  const partial = writer === undefined ? null : `${fingerprint}:${journal.run.document.attempt}`;
  return { options, title, fingerprint, partial };
}

/** The terms of a chunk, those of the line about it included. */
export function analyse(chunk: Chunk, title: string, context: string | null): EncodedChunk {
  return encodeChunk({ text: chunkText(chunk.text, context), title, headings: chunk.headingPath });
}

/** Sums up the terms of a set's chunks in parts, so that those of a long document need little memory. */
export class TermSummaries {
  private encoded: EncodedTerms[] = [];
  private finished: { part: number; summary: Uint8Array }[] = [];
  private parts = 0;

  add(terms: EncodedTerms): void {
    this.encoded.push(terms);
    if (this.encoded.length >= CHUNKS_PER_SUMMARY) this.close();
  }

  /** The parts that are whole; with `isLast` the rest as well. None is given twice. */
  take(isLast: boolean): readonly { readonly part: number; readonly summary: Uint8Array }[] {
    if (isLast && this.encoded.length > 0) this.close();
    const taken = this.finished;
    this.finished = [];
    return taken;
  }

  private close(): void {
    this.finished.push({ part: this.parts++, summary: summarizeTerms(this.encoded) });
    this.encoded = [];
  }
}
