import { CatalogueError, type AccountId, type DocumentId, type JsonObject } from '#libs/common';
import { maskJson } from '#libs/detectors';
import type { VisibleDataset } from '../../datasets/index.js';
import { governanceRulesOf, type GovernanceRules, type VersionedPolicy } from '../../ingestion-policy/index.js';
import type { NewDocument } from '../record/document-creation.repository.js';
import type { DocumentRow } from '../record/document.entity.js';
import { problemsOfMetadata, type DocumentFacts } from '../record/document-facts.js';
import { identityOf } from '../record/document-path.js';
import type { NewRevision } from '../record/document-revisions.repository.js';
import type { RevisionFile } from '../record/revision-writes.repository.js';
import { guardOfNew, maskedTypesIn, maskedTypesOf, maskFacts, maskName } from '../record/masked-facts.js';
import { judgeFacts } from '../rules/ruled-facts.js';
import type { TenantRoom } from '../record/tenant-storage.repository.js';
import type { StoredUpload } from './upload-form-reader.service.js';
import type { UploadOptions } from './upload-options.js';

/** A stored file with the options of its sender. */
export interface HandedIn {
  readonly file: StoredUpload;
  readonly options: UploadOptions;
  /** Path of the file within its folder; null: the sender gave none. */
  readonly path: string | null;
  /** Identifier of the upload request. */
  readonly requestId: string;
}

/** Values that the files of one transaction share. */
export interface Intake {
  readonly dataset: VisibleDataset;
  readonly policy: VersionedPolicy;
  readonly accountId: AccountId;
  readonly room: TenantRoom;
}

/** Existing documents that match a file. */
export interface Relatives {
  /** The document with the same content; not looked up if both are to be kept. */
  readonly same: DocumentRow | undefined;
  /** The newest document with the same name. */
  readonly namesake: DocumentRow | undefined;
}

/** Properties of a file for its document or revision. */
export type DescribedFile = RevisionFile & {
  readonly path: string | null;
  readonly policyVersion: number;
  /** Whether the policy masks something in its name or path (`identityOf`). */
  readonly isNameMasked: boolean;
};

/** The file with its name and path masked as the policy says. */
export function describeFile({ policy, accountId }: Intake, { file, path }: HandedIn): DescribedFile {
  const { revisionId, declaredMediaType, sizeBytes, sha256, blobKey } = file;
  const types = maskedTypesOf(policy.policy);
  const shown = { name: maskName(file.name, types), path: path === null ? null : maskName(path, types) };
  return {
    ...shown,
    isNameMasked: identityOf(shown) !== identityOf({ name: file.name, path }),
    revisionId,
    mediaType: file.type.mediaType,
    declaredMediaType,
    sizeBytes,
    sha256,
    blobKey,
    contentGuard: guardOfNew(policy.policy),
    policyVersion: policy.version,
    createdBy: accountId,
  };
}

/** The new document for a file. `sameNameId`: another document with its name. */
export function newDocumentOf(intake: Intake, handedIn: HandedIn, sameNameId: DocumentId | null): NewDocument {
  const { file, options, requestId } = handedIn;
  const rules = governanceRulesOf(intake.policy.policy.governance);
  const facts = maskFacts({ name: file.name, ...factsOfNew(file, options, rules) }, maskedTypesIn(rules));
  const ids = { id: file.documentId, datasetId: intake.dataset.id, sameNameId, requestId };
  return { ...describeFile(intake, handedIn), ...facts, ...ids };
}

/**
 * Metadata and tags of a new document. Fields that the sender leaves out are taken from the file's front matter, unless the policy
 * quarantines or rejects it: the file itself has yet to be parsed.
 */
function factsOfNew(
  { name, offered }: StoredUpload,
  { metadata = {}, tags }: UploadOptions,
  rules: GovernanceRules,
): Pick<DocumentFacts, 'metadata' | 'tags'> {
  const sent = { metadata, tags: tags ?? [] };
  if (offered === undefined) return sent;
  const { problems, quarantined } = judgeFacts({ name, metadata: {}, tags: [] }, { name, ...offered }, rules);
  const all = { ...offered.metadata, ...metadata };
  const isRefused = problems.length > 0 || quarantined.length > 0 || problemsOfMetadata(all).length > 0;
  return isRefused ? sent : { metadata: all, tags: tags ?? offered.tags };
}

/** Whether a file may become a revision of a document. */
export function mayRevise(
  { onDuplicate, onSameName }: UploadOptions,
  dataset: Pick<VisibleDataset, 'onSameName'>,
): boolean {
  return onDuplicate === 'new_revision' || (onSameName ?? dataset.onSameName) === 'new_revision';
}

/**
 * The document that a file becomes a revision of, if it may be one: the document with the same content, else the newest one with the same
 * name. Masked names may be equal although the original names differ, so `on_same_name` ignores them.
 */
export function formerOf(
  { file, options }: HandedIn,
  { isNameMasked }: DescribedFile,
  { same, namesake }: Relatives,
): DocumentRow | undefined {
  if (options.onDuplicate === 'new_revision') return same ?? namesake;
  if (isNameMasked) return undefined;
  // The sender wants equal content to be kept twice, even under one name.
  const isEqual = options.onDuplicate === 'keep_both' && namesake?.sha256 === file.sha256;
  return same === undefined && !isEqual ? namesake : undefined;
}

/** Metadata and tags for a revision, masked as the policy says; undefined: the document keeps its values. */
export function revisedFactsOf({ policy }: Intake, options: UploadOptions): Pick<NewRevision, 'metadata' | 'tags'> {
  const types = maskedTypesOf(policy.policy);
  return {
    metadata: options.metadata === undefined ? undefined : maskJson(options.metadata, types),
    tags: options.tags === undefined ? undefined : maskJson([...options.tags], types),
  };
}

/** The result, or the error of a refused request. */
export function resultOrRefusal<T>(decide: () => T): T | CatalogueError {
  try {
    return decide();
  } catch (error) {
    if (error instanceof CatalogueError && error.status < 500) return error;
    throw error;
  }
}

/** The fields of a form by which `Idempotency-Key` compares two uploads. Fields that are not sent are left out. */
export function fingerprintOfOptions(options: UploadOptions): JsonObject {
  const { datasetId, metadata, tags, onDuplicate, onSameName, paths } = options;
  return {
    datasetId,
    onDuplicate,
    ...(metadata === undefined ? {} : { metadata }),
    ...(tags === undefined ? {} : { tags }),
    ...(onSameName === undefined ? {} : { onSameName }),
    ...(paths === undefined ? {} : { paths: [...paths] }),
  };
}
