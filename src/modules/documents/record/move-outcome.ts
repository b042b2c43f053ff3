import type { CatalogueError } from '#libs/common';
import { goesAlong, leadsParts } from './archive-moves.js';
import { archivesOf } from './archive-settling.repository.js';
import { REJECTED_BY_POLICY, type DocumentRow } from './document.entity.js';
import { isLegalMove, type DocumentMove } from './document-moves.js';
import { documentErrors } from '../documents.errors.js';

/** A document that was not moved, and why: `documents.not_found` or `documents.illegal_state`. */
export interface RejectedMove {
  readonly id: string;
  readonly error: CatalogueError;
}

/** Result of a move; both lists are in the order of the requested ids, each id once. */
export interface MoveOutcome {
  /** The rows after the move. */
  readonly accepted: readonly DocumentRow[];
  readonly rejected: readonly RejectedMove[];
  /** Files that were moved because their archive was requested, in no particular order. */
  readonly along: readonly DocumentRow[];
}

/** The ids of rows. */
export function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map((row) => row.id);
}

/** The documents of a move: the requested ones that may be moved, and files that are moved with their archives. */
export function legalOf(
  move: DocumentMove,
  before: ReadonlyMap<string, DocumentRow>,
  named: ReadonlySet<string>,
): DocumentRow[] {
  const isLegal = (row: DocumentRow): boolean => refusalOf(move, row) === undefined;
  // A reingest of an archive also ingests its failed files again, under the present policy.
  const isLegalPart = (row: DocumentRow): boolean =>
    isLegal(row) || (move === 'reingest' && refusalOf('retry', row) === undefined);
  return [...before.values()].filter((row) => {
    if (named.has(row.id) && isLegal(row)) return true;
    const archive = row.archive_id === null ? undefined : before.get(row.archive_id);
    if (archive === undefined || !isLegalPart(row)) return false;
    return leadsParts(move, archive, isLegal(archive)) && goesAlong(move, row, archive);
  });
}

/** Of the archives whose status follows their files, those that were moved or had a file moved; the others have not changed. */
export function reached(followed: readonly DocumentRow[], moved: readonly DocumentRow[]): DocumentRow[] {
  const ids = new Set<string>([...archivesOf(moved), ...idsOf(moved)]);
  return followed.filter(({ id }) => ids.has(id));
}

/** The outcome for each requested document. */
export function sortOut(
  move: DocumentMove,
  wanted: readonly string[],
  before: ReadonlyMap<string, DocumentRow>,
  moved: readonly DocumentRow[],
): Omit<MoveOutcome, 'along'> {
  const after = new Map<string, DocumentRow>(moved.map((row) => [row.id, row]));
  const accepted = wanted.flatMap((id) => after.get(id) ?? []);
  const rejected = wanted
    .filter((id) => !after.has(id))
    .map((id) => {
      const row = before.get(id);
      if (row === undefined) return { id, error: documentErrors.not_found({}) };
      return { id, error: refusalOf(move, row) ?? documentErrors.illegal_state({ move, status: row.status }) };
    });
  return { accepted, rejected };
}

/** Moves that would ingest a rejected document again, whose original is being removed. */
const ENDED_BY_REJECTION: ReadonlySet<DocumentMove> = new Set(['retry', 'quarantine']);

function refusalOf(move: DocumentMove, { status, error }: DocumentRow): CatalogueError | undefined {
  if (!isLegalMove(move, status)) return documentErrors.illegal_state({ move, status });
  const isRejected = status === 'failed' && error?.code === REJECTED_BY_POLICY;
  return isRejected && ENDED_BY_REJECTION.has(move) ? documentErrors.rejected_by_policy({ move }) : undefined;
}
