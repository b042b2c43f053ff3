import { inTurns, type ChunkSetId, type DocumentId, type Steps } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { TermStatistics } from '#libs/ranking';
import { readAhead } from '../rows/read-ahead.js';
import type { ChangedDocumentRow, DatasetChanges, ShownSet } from '../rows/retrieval-rows.js';
import type { TermStatisticsRepository } from '../rows/term-statistics.repository.js';

/** Documents whose summaries are read by one statement. */
const DOCUMENTS_PER_READ = 64;
/** Documents that are compared between two pauses. */
const DOCUMENTS_PER_STEP = 1_024;

/** What became of a document. */
export interface DocumentDelta {
  readonly document: DocumentId;
  readonly shown: ShownSet | null;
  /** Whether it shows another chunk set than before, or none. */
  readonly isMoved: boolean;
}

/** The documents that changed, with the sums of the statistics that are to be added and to be taken back. */
export interface ContentsDelta {
  readonly documents: readonly DocumentDelta[];
  readonly added: TermStatistics;
  readonly removed: TermStatistics;
}

/** The chunk sets of a document that shows another one: to be counted, and to be taken back. */
interface Move {
  readonly after: ChunkSetId | null;
  readonly before: ChunkSetId | null;
}

/**
 * Reads the difference between `counted` and the changed documents. Undefined when a chunk set vanished while it was read: its document
 * changed again. Other work gets its turns meanwhile.
 */
export async function readDelta(
  repository: TermStatisticsRepository,
  ctx: RequestContext,
  { changed }: DatasetChanges,
  counted: ReadonlyMap<DocumentId, ShownSet>,
): Promise<ContentsDelta | undefined> {
  const { documents, moves } = await inTurns(compare(changed, counted));
  const batches = Array.from({ length: Math.ceil(moves.length / DOCUMENTS_PER_READ) }, (_, n) =>
    moves.slice(n * DOCUMENTS_PER_READ, (n + 1) * DOCUMENTS_PER_READ),
  );
  const delta = { documents, added: new TermStatistics(), removed: new TermStatistics() };
  for await (const { batch, summaries } of readAhead(batches, (one) => readSummaries(repository, ctx, one))) {
    if (!(await inTurns(count(delta, batch, summaries)))) return undefined;
  }
  return delta;
}

/** What became of each document, and which of them moved. */
function* compare(
  changed: readonly ChangedDocumentRow[],
  counted: ReadonlyMap<DocumentId, ShownSet>,
): Steps<{ documents: DocumentDelta[]; moves: Move[] }> {
  const documents: DocumentDelta[] = [];
  const moves: Move[] = [];
  for (const [number, row] of changed.entries()) {
    const shown = shownOf(row);
    const [after, before] = [shown?.set ?? null, counted.get(row.document_id)?.set ?? null];
    if (after !== before) moves.push({ after, before });
    documents.push({ document: row.document_id, shown, isMoved: after !== before });
    if (number % DOCUMENTS_PER_STEP === 0) yield;
  }
  return { documents, moves };
}

/** Adds up the summaries of a batch, one a step; false when one of its chunk sets is gone. */
function* count(
  { added, removed }: Pick<ContentsDelta, 'added' | 'removed'>,
  batch: readonly Move[],
  summaries: Summaries,
): Steps<boolean> {
  for (const { after, before } of batch) {
    const [toAdd, toRemove] = [partsOf(summaries, after), partsOf(summaries, before)];
    if (toAdd === undefined || toRemove === undefined) return false;
    for (const summary of toAdd) yield added.add(summary);
    for (const summary of toRemove) yield removed.add(summary);
  }
  return true;
}

type Summaries = ReadonlyMap<ChunkSetId, readonly Uint8Array[]>;

async function readSummaries(
  repository: TermStatisticsRepository,
  ctx: RequestContext,
  batch: readonly Move[],
): Promise<{ batch: readonly Move[]; summaries: Summaries }> {
  const sets = new Set(batch.flatMap(({ after, before }) => [after, before]).filter((set) => set !== null));
  return { batch, summaries: await repository.listSummaries(ctx, [...sets]) };
}

/** Undefined for a set that is gone. */
function partsOf(summaries: Summaries, set: ChunkSetId | null): readonly Uint8Array[] | undefined {
  return set === null ? [] : summaries.get(set);
}

function shownOf(row: ChangedDocumentRow): ShownSet | null {
  const { chunk_set_id: set, generation, changed_at: changedAt, attempt, language } = row;
  return set === null || generation === null
    ? null
    : { set, generation, changedAt: BigInt(changedAt), attempt, language };
}
