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

/** Increased when the same text and options would give other chunks. */
const CHUNKER_VERSION = '5';
/** Number of chunks whose terms are summed up in one row. */
const CHUNKS_PER_SUMMARY = 512;

/** The chunking of a text, with its fingerprint. */
export interface ChunkPlan {
  readonly options: ChunkingOptions;
  /** A separate field in ranking: the document's name and the title in its content. */
  readonly title: string;
  /** Fingerprint of everything that determines the chunks of a revision and their terms. */
  readonly fingerprint: string;
  /** As in the key of a chunk set. */
  readonly partial: string | null;
}

/** @param writer key of the writer of lines about chunks; undefined if there are none. */
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

/** The terms of a chunk, including those of the line about it. */
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

  /** The complete parts; with `isLast` also the rest. Each part is returned once. */
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
