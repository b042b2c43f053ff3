import { Injectable } from '@nestjs/common';
import { CatalogueError, type AccountId, type JsonObject } from '#libs/common';
import { maskJson } from '#libs/detectors';
import { UnitOfWork, type TransactionContext } from '#libs/database';
import { authErrors, type RequestContext } from '#libs/tenancy';
import { bumpContent, DatasetAccess, type VisibleDataset } from '../datasets/index.js';
import {
  governanceRulesOf,
  IngestionPolicies,
  type GovernanceRules,
  type VersionedPolicy,
} from '../ingestion-policy/index.js';
import { DocumentCreationRepository, type NewDocument } from './document-creation.repository.js';
import type { DocumentRow } from './document.entity.js';
import { problemsOfMetadata, type DocumentFacts } from './document-facts.js';
import { isLegalMove } from './document-moves.js';
import { DocumentRevisionsRepository } from './document-revisions.repository.js';
import { toDetail } from './document-views.js';
import { documentErrors } from './documents.errors.js';
import type { DocumentDetail } from './dto/document.dto.js';
import { guardOfNew, maskedTypesIn, maskedTypesOf, maskFacts, maskName } from './masked-facts.js';
import { judgeFacts } from './ruled-facts.js';
import { requireAcceptable } from './upload-acceptance.js';
import { TenantStorage, type TenantRoom } from './tenant-storage.js';
import type { StoredUpload } from './upload-form.reader.js';
import type { UploadWish } from './upload-wish.js';

/** What became of a file. */
export interface TakenFile {
  /** 200: the document was there already. */
  readonly status: 200 | 201;
  readonly document: DocumentDetail;
  /** Whether the stored file belongs to the document. */
  readonly isKept: boolean;
}

/** A stored file, and what its sender wants. */
export interface HandedIn {
  readonly file: StoredUpload;
  readonly wish: UploadWish;
  /** Of the request that brought it. */
  readonly requestId: string;
}

/** What became of a file, or why there is no document. */
export type IntakeOutcome = TakenFile | CatalogueError;

/** What the files of one transaction have in common. */
interface Intake {
  readonly dataset: VisibleDataset;
  readonly policy: VersionedPolicy;
  readonly accountId: AccountId;
  readonly room: TenantRoom;
}

/** Makes documents and revisions of stored files. */
@Injectable()
export class DocumentIntake {
  constructor(
    private readonly creation: DocumentCreationRepository,
    private readonly revisions: DocumentRevisionsRepository,
    private readonly access: DatasetAccess,
    private readonly policies: IngestionPolicies,
    private readonly storage: TenantStorage,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Makes what the senders want of files for one dataset; either all or none of them come with `new_revision`. A refusal of one
   * file is its outcome and leaves the others alone: `documents.duplicate`, `documents.illegal_state`,
   * `documents.type_not_supported`, `documents.type_not_allowed`, `documents.too_large_for_policy`,
   * `documents.tenant_storage_exceeded`.
   * @throws `datasets.not_found`
   */
  async takeAll(ctx: TransactionContext, datasetId: string, handedIn: readonly HandedIn[]): Promise<IntakeOutcome[]> {
    if (ctx.principal.kind === 'system') throw authErrors.account_required({});
    const { accountId } = ctx.principal;
    // Everything that will be looked at is held, in the order that all writers keep.
    const dataset = await this.access.holdVisible(ctx, datasetId);
    const policy = await this.policies.current(ctx, dataset.id);
    const intake = { dataset, accountId, policy, room: await this.storage.room(ctx) };
    const isRevising = handedIn.some(({ wish }) => wish.onDuplicate === 'new_revision');
    return isRevising ? this.takeRevisions(ctx, intake, handedIn) : this.takeNew(ctx, intake, handedIn);
  }

  /** Names of files as answers that are kept may hold them. */
  async maskNames(ctx: RequestContext, datasetId: string, names: readonly string[]): Promise<string[]> {
    const dataset = await this.access.requireVisible(ctx, datasetId);
    const types = maskedTypesOf((await this.policies.current(ctx, dataset.id)).policy);
    return names.map((name) => maskName(name, types));
  }

  private async takeNew(
    ctx: TransactionContext,
    intake: Intake,
    handedIn: readonly HandedIn[],
  ): Promise<IntakeOutcome[]> {
    const contents = handedIn.filter(({ wish }) => wish.onDuplicate !== 'keep_both').map(({ file }) => file.sha256);
    if (contents.length > 0) await this.creation.lockUploads(ctx, intake.dataset.id, contents, []);
    const there = await this.creation.findDuplicates(ctx, intake.dataset.id, contents);
    const created: NewDocument[] = [];
    const firstOf = new Map<string, NewDocument>();
    // Per file: the id of its document, or why there is none.
    const decided = handedIn.map(({ file, wish, requestId }) =>
      settled(() => {
        requireAcceptable({ ...file, name: describe(intake, file).name }, intake.policy);
        const same = there.get(file.sha256) ?? firstOf.get(file.sha256);
        if (same !== undefined && wish.onDuplicate === 'skip') return same.id;
        if (same !== undefined && wish.onDuplicate === 'reject') {
          throw documentErrors.duplicate({ name: same.name, documentId: same.id });
        }
        intake.room.take(file.sizeBytes);
        const document = this.newDocument(intake, file, wish, requestId);
        created.push(document);
        if (!firstOf.has(file.sha256)) firstOf.set(file.sha256, document);
        return document.id;
      }),
    );
    const rows = await this.creation.createAll(ctx, created);
    const known = new Map([...there.values()].map((row) => [row.id as string, row]));
    return decided.map((id, index) => {
      if (id instanceof CatalogueError) return id;
      const isKept = handedIn[index]!.file.documentId === id;
      return { status: isKept ? 201 : 200, document: toDetail((rows.get(id) ?? known.get(id))!), isKept };
    });
  }

  /** One after the other: a file may be a revision of the document that the file before it made. */
  private async takeRevisions(
    ctx: TransactionContext,
    intake: Intake,
    handedIn: readonly HandedIn[],
  ): Promise<IntakeOutcome[]> {
    const files = handedIn.map(({ file }) => file);
    const contents = files.map((file) => file.sha256);
    const names = files.map((file) => describe(intake, file).name);
    await this.creation.lockUploads(ctx, intake.dataset.id, contents, names);
    const contentSeq = await this.unitOfWork.run(ctx, (manager) => bumpContent(manager, intake.dataset.id));
    const former: string[] = [];
    for (const file of files) {
      const row = await this.findFormer(ctx, intake.dataset, file, describe(intake, file).name);
      if (row !== undefined) former.push(row.id);
    }
    await this.revisions.lock(ctx, former);
    const outcomes: IntakeOutcome[] = [];
    for (const one of handedIn) outcomes.push(await this.takeRevision(ctx, intake, contentSeq, one));
    return outcomes;
  }

  private async takeRevision(
    ctx: TransactionContext,
    intake: Intake,
    contentSeq: string,
    handedIn: HandedIn,
  ): Promise<IntakeOutcome> {
    const { file, wish, requestId } = handedIn;
    const refusal = settled(() => requireAcceptable({ ...file, name: describe(intake, file).name }, intake.policy));
    if (refusal instanceof CatalogueError) return refusal;
    const former = await this.findFormer(ctx, intake.dataset, file, describe(intake, file).name);
    const full = settled(() => intake.room.take(file.sizeBytes));
    if (full instanceof CatalogueError) return full;
    if (former === undefined) {
      const document = this.newDocument(intake, file, wish, requestId);
      const rows = await this.creation.createAll(ctx, [document]);
      return { status: 201, document: toDetail(rows.get(document.id)!), isKept: true };
    }
    if (!isLegalMove('revise', former.status)) {
      return documentErrors.illegal_state({ move: 'revise', status: former.status });
    }
    const types = maskedTypesOf(intake.policy.policy);
    const metadata = wish.metadata === undefined ? undefined : maskJson(wish.metadata, types);
    const tags = wish.tags === undefined ? undefined : maskJson([...wish.tags], types);
    const described = describe(intake, file);
    const row = await this.revisions.revise(ctx, { ...described, documentId: former.id, contentSeq, metadata, tags });
    // Whatever happened to it meanwhile is committed now, so that another look finds another answer.
    if (row === undefined) return this.takeRevision(ctx, intake, contentSeq, handedIn);
    return { status: 201, document: toDetail(row), isKept: true };
  }

  /** The document that a file is a revision of: that of the same content, else the newest one of the same name. */
  private async findFormer(
    ctx: TransactionContext,
    dataset: VisibleDataset,
    file: StoredUpload,
    name: string,
  ): Promise<DocumentRow | undefined> {
    const same = await this.creation.findDuplicate(ctx, dataset.id, file.sha256);
    return same ?? this.revisions.findNamesake(ctx, dataset.id, name);
  }

  private newDocument(intake: Intake, file: StoredUpload, wish: UploadWish, requestId: string): NewDocument {
    const rules = governanceRulesOf(intake.policy.policy.governance);
    const facts = maskFacts({ name: file.name, ...factsOfNew(file, wish, rules) }, maskedTypesIn(rules));
    return { ...describe(intake, file), ...facts, id: file.documentId, datasetId: intake.dataset.id, requestId };
  }
}

/**
 * What the sender says of a new document; what is left open is taken from what the file says of itself, unless the policy quarantines or
 * rejects it: the file has yet to be read.
 */
function factsOfNew(
  { name, offered }: StoredUpload,
  { metadata = {}, tags }: UploadWish,
  rules: GovernanceRules,
): Pick<DocumentFacts, 'metadata' | 'tags'> {
  const sent = { metadata, tags: tags ?? [] };
  if (offered === undefined) return sent;
  const { problems, quarantined } = judgeFacts({ name, metadata: {}, tags: [] }, { name, ...offered }, rules);
  const all = { ...offered.metadata, ...metadata };
  const isRefused = problems.length > 0 || quarantined.length > 0 || problemsOfMetadata(all).length > 0;
  return isRefused ? sent : { metadata: all, tags: tags ?? offered.tags };
}

function describe(intake: Intake, file: StoredUpload) {
  const { revisionId, declaredMediaType, sizeBytes, sha256, blobKey } = file;
  const name = maskName(file.name, maskedTypesOf(intake.policy.policy));
  const contentGuard = guardOfNew(intake.policy.policy);
  const facts = { revisionId, name, declaredMediaType, sizeBytes, sha256, blobKey, contentGuard };
  const policyVersion = intake.policy.version;
  return { ...facts, mediaType: file.type.mediaType, policyVersion, createdBy: intake.accountId };
}

/** The result, or the refusal of the caller's wish. */
function settled<T>(decide: () => T): T | CatalogueError {
  try {
    return decide();
  } catch (error) {
    if (error instanceof CatalogueError && error.status < 500) return error;
    throw error;
  }
}

/** What makes two uploads the same for `Idempotency-Key`, of the fields of the form. */
export function fingerprintOfWish(wish: UploadWish): JsonObject {
  const { datasetId, metadata, tags, onDuplicate } = wish;
  return {
    datasetId,
    onDuplicate,
    ...(metadata === undefined ? {} : { metadata }),
    ...(tags === undefined ? {} : { tags }),
  };
}
