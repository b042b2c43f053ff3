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

/** A stored file, and what its sender wants. */
export interface HandedIn {
  readonly file: StoredUpload;
  readonly options: UploadOptions;
  /** Where it lies in its folder; null: its sender did not say. */
  readonly path: string | null;
  /** Of the request that brought it. */
  readonly requestId: string;
}

/** What the files of one transaction have in common. */
export interface Intake {
  readonly dataset: VisibleDataset;
  readonly policy: VersionedPolicy;
  readonly accountId: AccountId;
  readonly room: TenantRoom;
}

/** Documents that a file has to do with. */
export interface Relatives {
  /** The one of the same content; where both are to be kept, no one asks. */
  readonly same: DocumentRow | undefined;
  /** The newest one of the same name. */
  readonly namesake: DocumentRow | undefined;
}

/** A file as its document or revision will have it. */
export type DescribedFile = RevisionFile & {
  readonly path: string | null;
  readonly policyVersion: number;
  /** Whether the policy hides something of what it is called (`identityOf`). */
  readonly isNameMasked: boolean;
};

/** The file with what the policy hides masked in its name and path. */
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

/** The document that a file becomes. `sameNameId`: another one of its name. */
export function newDocumentOf(intake: Intake, handedIn: HandedIn, sameNameId: DocumentId | null): NewDocument {
  const { file, options, requestId } = handedIn;
  const rules = governanceRulesOf(intake.policy.policy.governance);
  const facts = maskFacts({ name: file.name, ...factsOfNew(file, options, rules) }, maskedTypesIn(rules));
  const ids = { id: file.documentId, datasetId: intake.dataset.id, sameNameId, requestId };
  return { ...describeFile(intake, handedIn), ...facts, ...ids };
}

/**
 * What the sender says of a new document; what is left open is taken from what the file says of itself, unless the policy quarantines or
 * rejects it: the file has yet to be read.
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
 * The document that a file is a revision of, if it may be one: that of the same content, else the newest one of the same name. Names of
 * which something is hidden may be equal without having been so: `on_same_name` replaces nothing by them.
 */
export function formerOf(
  { file, options }: HandedIn,
  { isNameMasked }: DescribedFile,
  { same, namesake }: Relatives,
): DocumentRow | undefined {
  if (options.onDuplicate === 'new_revision') return same ?? namesake;
  if (isNameMasked) return undefined;
  // Equal content was asked to be kept twice, also under one name.
  const isEqual = options.onDuplicate === 'keep_both' && namesake?.sha256 === file.sha256;
  return same === undefined && !isEqual ? namesake : undefined;
}

/** Metadata and tags for a revision, with what the policy hides masked; undefined: those of the document stay. */
export function revisedFactsOf({ policy }: Intake, options: UploadOptions): Pick<NewRevision, 'metadata' | 'tags'> {
  const types = maskedTypesOf(policy.policy);
  return {
    metadata: options.metadata === undefined ? undefined : maskJson(options.metadata, types),
    tags: options.tags === undefined ? undefined : maskJson([...options.tags], types),
  };
}

/** The result, or the refusal of what the caller asks for. */
export function settled<T>(decide: () => T): T | CatalogueError {
  try {
    return decide();
  } catch (error) {
    if (error instanceof CatalogueError && error.status < 500) return error;
    throw error;
  }
}

/** What makes two uploads the same for `Idempotency-Key`, of the fields of the form. Fields that are not sent are not in it. */
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
