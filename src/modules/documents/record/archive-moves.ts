import type { DocumentRow } from './document.entity.js';
import { followsParts } from './archive-settling.repository.js';
import type { DocumentMove } from './document-moves.js';

/** A document that a move may take along because its archive was named. */
type Part = Pick<DocumentRow, 'archive_id' | 'quarantined_at'>;

/** Whether a move by the id of an archive reaches its files: where the archive itself may be moved, or has files that failed. */
export function leadsParts(move: DocumentMove, archive: DocumentRow, isLegal: boolean): boolean {
  return isLegal || (move === 'retry' && followsParts(archive) && archive.status !== 'quarantined');
}

/** Whether a file goes along with its archive. A release takes along what went into quarantine with the archive. */
export function goesAlong(move: DocumentMove, part: Part, archive: DocumentRow): boolean {
  return move !== 'release' || part.quarantined_at?.getTime() === archive.quarantined_at?.getTime();
}

/** Archives that are cancelled before they were ever complete: none of their files stays. */
export function neverComplete(row: DocumentRow): boolean {
  return followsParts(row) && row.ingested_policy_version === null;
}
