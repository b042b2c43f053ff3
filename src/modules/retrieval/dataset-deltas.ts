import type { ChunkSetId, DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { ChangedDocumentRow, DatasetChanges, ShownSet } from './retrieval.entity.js';
import type { TermStatisticsRepository } from './term-statistics.repository.js';

/** Chunk sets read by one statement. */
export const SETS_PER_READ = 64;

/** What became of a document, with the summaries of the chunk sets to count and to take back, complete. */
export interface Delta {
  readonly document: DocumentId;
  readonly shown: ShownSet | null;
  /** Whether it shows another chunk set than before, or none. */
  readonly isMoved: boolean;
  readonly added: readonly Uint8Array[];
  readonly removed: readonly Uint8Array[];
}

/** Reads the deltas from `counted` to what `changes` say. Undefined when a chunk set vanished while it was read: its document changed again. */
export async function readDeltas(
  repository: TermStatisticsRepository,
  ctx: RequestContext,
  changes: DatasetChanges,
  counted: ReadonlyMap<DocumentId, ShownSet>,
): Promise<Delta[] | undefined> {
  const moves = changes.changed.map((row) => {
    const shown = shownOf(row);
    const before = counted.get(row.document_id)?.set ?? null;
    return { document: row.document_id, shown, before, isMoved: (shown?.set ?? null) !== before };
  });
  const moved = moves.filter(({ isMoved }) => isMoved);
  const sets = [
    ...new Set(moved.flatMap(({ shown, before }) => [shown?.set ?? null, before]).filter((set) => set !== null)),
  ];
  const summaries = new Map<ChunkSetId, readonly Uint8Array[]>();
  for (let from = 0; from < sets.length; from += SETS_PER_READ) {
    const read = await repository.listSummaries(ctx, sets.slice(from, from + SETS_PER_READ));
    for (const [set, parts] of read) summaries.set(set, parts);
  }
  if (summaries.size < sets.length) return undefined;
  const partsOf = (set: ChunkSetId | null): readonly Uint8Array[] => (set === null ? [] : summaries.get(set)!);
  return moves.map(({ document, shown, before, isMoved }) => ({
    document,
    shown,
    isMoved,
    added: isMoved ? partsOf(shown?.set ?? null) : [],
    removed: isMoved ? partsOf(before) : [],
  }));
}

function shownOf(row: ChangedDocumentRow): ShownSet | null {
  const { chunk_set_id: set, generation, changed_at: changedAt, attempt } = row;
  return set === null || generation === null ? null : { set, generation, changedAt: BigInt(changedAt), attempt };
}
