import type { DocumentId, Steps } from '#libs/common';
import type { ChunkMetadata } from '#libs/vector-store';
import { LOOKED_AT_MAX } from './filter-limits.js';
import type { FilterSubject, TextPlace } from './filter-subject.js';
import type { Piece, PredicateRun } from './predicate-run.js';
import type { ShownChunk } from '../../content/index.js';
import type { ShownDocument } from './shown-texts.repository.js';

/** What a model is shown of metadata. */
const METADATA_CHARS = 2_000;

/** The chunks of a document in order, as far as they were read. */
export interface ReadText {
  readonly chunks: ShownChunk[];
  isComplete: boolean;
}

/** A document with its facts. */
export interface DocumentWithFacts {
  readonly row: ShownDocument;
  readonly facts: ChunkMetadata;
}

/** A subject that a run has claimed. */
export interface ClaimedSubject {
  readonly subject: FilterSubject;
  readonly isRead: boolean;
}

/** `at`: its number in the run. */
export interface ClaimedDocument extends ClaimedSubject {
  readonly at: number;
}

/** Takes what the facts decide; the others are left open. */
export function* claimByFacts(
  documents: readonly DocumentWithFacts[],
  run: PredicateRun<TextPlace>,
  taken: ClaimedDocument[],
): Steps<readonly DocumentWithFacts[]> {
  const open: DocumentWithFacts[] = [];
  for (const document of documents) {
    if (run.needsText(document.facts)) open.push(document);
    else taken.push(yield* takeDocument(document, null, true, run));
    yield;
  }
  return open;
}

/** Takes documents with their texts. */
export function* claimByTexts(
  documents: readonly DocumentWithFacts[],
  texts: ReadonlyMap<DocumentId, ReadText>,
  run: PredicateRun<TextPlace>,
  taken: ClaimedDocument[],
): Steps<void> {
  for (const document of documents) {
    // What shows another generation by now is taken as not read; the last look leaves it out.
    const text = texts.get(document.row.id);
    const pieces = text?.chunks.map((chunk) => toPiece(chunk, document.row.name)) ?? null;
    taken.push(yield* takeDocument(document, pieces, text?.isComplete ?? false, run));
  }
}

function* takeDocument(
  { row, facts }: DocumentWithFacts,
  pieces: readonly Piece<TextPlace>[] | null,
  isComplete: boolean,
  run: PredicateRun<TextPlace>,
): Steps<ClaimedDocument> {
  const at = yield* run.add(facts, pieces, { isComplete, language: primaryTag(facts.language) });
  return { subject: toSubject(row, null), isRead: isComplete, at };
}

/** Takes the chunks of documents, each by itself. */
export function* takeEachChunk(
  documents: readonly DocumentWithFacts[],
  texts: ReadonlyMap<DocumentId, ReadText>,
  run: PredicateRun<TextPlace>,
  taken: ClaimedSubject[],
): Steps<void> {
  for (const { row, facts } of documents) {
    const language = primaryTag(facts.language);
    for (const chunk of texts.get(row.id)?.chunks ?? []) {
      if (taken.length >= LOOKED_AT_MAX.chunks) return;
      const pieces = run.needsText(facts) ? [toPiece(chunk, row.name)] : null;
      yield* run.add(facts, pieces, { isComplete: true, language });
      taken.push({ subject: toSubject(row, chunk), isRead: true });
      yield;
    }
  }
}

/** A chunk as it is read. */
export function toPiece(
  chunk: Pick<ShownChunk, 'id' | 'body' | 'heading_path' | 'text_start'>,
  name: string,
): Piece<TextPlace> {
  return {
    text: chunk.body,
    title: [name, ...chunk.heading_path].join('\n'),
    ref: { chunkId: chunk.id, charStart: Number(chunk.text_start) },
  };
}

function toSubject(row: ShownDocument, chunk: ShownChunk | null): FilterSubject {
  return {
    id: chunk?.id ?? row.id,
    documentId: row.id,
    documentName: row.name,
    generation: row.generation,
    metadata: JSON.stringify(row.metadata).slice(0, METADATA_CHARS),
    chunkId: chunk?.id ?? null,
    row: null,
  };
}

function primaryTag(language: string | null): string | null {
  return language?.split('-', 1)[0]?.toLowerCase() ?? null;
}
