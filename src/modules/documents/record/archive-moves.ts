import type { DocumentRow } from './document.entity.js';
import { followsParts } from './archive-settling.repository.js';
import type { DocumentMove } from './document-moves.js';

/** A file of an archive that may be moved together with its archive. */
type Part = Pick<DocumentRow, 'archive_id' | 'quarantined_at'>;

/** Whether a move of an archive reaches its files: if the archive itself may be moved, or if it is retried and files of it have failed. */
export function leadsParts(move: DocumentMove, archive: DocumentRow, isLegal: boolean): boolean {
  return isLegal || (move === 'retry' && followsParts(archive) && archive.status !== 'quarantined');
}

/** Whether a file is moved together with its archive. A release includes the files that were quarantined together with the archive. */
export function goesAlong(move: DocumentMove, part: Part, archive: DocumentRow): boolean {
  return move !== 'release' || part.quarantined_at?.getTime() === archive.quarantined_at?.getTime();
}

/** Archives that are cancelled before they were ever completed; none of their files stays. */
export function neverComplete(row: DocumentRow): boolean {
  return followsParts(row) && row.ingested_policy_version === null;
}
