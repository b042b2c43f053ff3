import { toNormalForm, type DocumentId, type JsonObject, type RevisionId } from '#libs/common';
import type { VersionedPolicy } from '../../ingestion-policy/index.js';
import type { NewDocument } from './document-creation.repository.js';
import type { DocumentRow } from './document.entity.js';
import { MAX_PATH_LENGTH } from './document-path.js';
import { cleanFileName } from './file-name.js';
import { guardOfNew, maskedTypesOf, maskFacts, maskName, type MaskedTypes } from './masked-facts.js';
import type { RevisionFile } from './revision-writes.repository.js';

/** A stored file of an archive that has no document yet. */
export interface StoredPart {
  readonly documentId: DocumentId;
  readonly revisionId: RevisionId;
  readonly blobKey: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** A file of an archive; `stored` is null if the dataset already has it with this content. */
export interface ArchivePart {
  /** The path of the document, from `PartPaths`. */
  readonly path: string;
  readonly stored: StoredPart | null;
}

/** Values that all files of an archive share. */
export interface ArchiveOfParts {
  readonly row: DocumentRow;
  readonly policy: Pick<VersionedPolicy, 'version' | 'policy'>;
  readonly requestId: string;
}

/** Paths of the documents of one archive: masked as the policy says, and unique. */
export class PartPaths {
  private readonly taken = new Set<string>();
  private masked = false;
  private readonly types: MaskedTypes;

  constructor({ policy }: Pick<VersionedPolicy, 'policy'>) {
    this.types = maskedTypesOf(policy);
  }

  /** Whether the policy masks something in one of the paths; the bytes of the archive contain it unmasked. */
  get isMasked(): boolean {
    return this.masked;
  }

  /** Must be called for the files in the order of the archive, so that the same archive always gets the same paths. */
  take(path: string): string {
    const named = toNormalForm(path, 'NFC');
    const masked = maskName(named, this.types);
    this.masked ||= masked !== named;
    const shown = masked.slice(-MAX_PATH_LENGTH).toWellFormed();
    let unique = shown;
    for (let n = 2; this.taken.has(unique); n += 1) unique = numbered(shown, n);
    this.taken.add(unique);
    return unique;
  }
}

/** `a/b.txt` → `a/b (2).txt`. */
function numbered(path: string, n: number): string {
  const dot = path.lastIndexOf('.');
  const end = dot > path.lastIndexOf('/') + 1 ? dot : path.length;
  return `${path.slice(0, end)} (${n})${path.slice(end)}`.slice(-MAX_PATH_LENGTH).toWellFormed();
}

/** The file name at the end of a path. */
export function nameOfPart(path: string): string {
  return cleanFileName(path) || 'unnamed';
}

/** A file as a revision of its document. */
export function revisionOfPart({ row, policy }: ArchiveOfParts, path: string, stored: StoredPart): RevisionFile {
  const { revisionId, blobKey, mediaType, sizeBytes, sha256 } = stored;
  const file = { revisionId, blobKey, mediaType, sizeBytes, sha256, declaredMediaType: null };
  return { ...file, name: nameOfPart(path), contentGuard: guardOfNew(policy.policy), createdBy: row.created_by };
}

/** A file as a new document, with the metadata and tags of its archive. */
export function documentOfPart(archive: ArchiveOfParts, path: string, stored: StoredPart): NewDocument {
  const { row, policy, requestId } = archive;
  const { metadata, tags }: { metadata: JsonObject; tags: readonly string[] } = row;
  const file = revisionOfPart(archive, path, stored);
  const facts = maskFacts({ name: file.name, metadata, tags }, maskedTypesOf(policy.policy));
  const ids = { id: stored.documentId, datasetId: row.dataset_id, archiveId: row.id, sameNameId: null };
  return { ...file, ...facts, ...ids, path, policyVersion: policy.version, requestId };
}
