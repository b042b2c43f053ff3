import { Injectable } from '@nestjs/common';
import type { AccountId, JsonObject } from '#libs/common';
import { UnitOfWork, type TransactionContext } from '#libs/database';
import { authErrors } from '#libs/tenancy';
import { DatasetAccess, type VisibleDataset } from '../datasets/index.js';
import { IngestionPolicies, type VersionedPolicy } from '../ingestion-policy/index.js';
import { DocumentCreationRepository } from './document-creation.repository.js';
import type { DocumentRow } from './document.entity.js';
import { bumpContent } from './document-lifecycle.js';
import { isLegalMove } from './document-moves.js';
import { DocumentRevisionsRepository } from './document-revisions.repository.js';
import { toDetail } from './document-views.js';
import { documentErrors } from './documents.errors.js';
import type { DocumentDetail } from './dto/document.dto.js';
import { requireAcceptable } from './upload-acceptance.js';
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

/** What the files of one form have in common, within one transaction. */
export interface Intake {
  readonly wish: UploadWish;
  readonly dataset: VisibleDataset;
  readonly policy: VersionedPolicy;
  readonly accountId: AccountId;
  /** Number of the visible change that revisions make. */
  readonly contentSeq: string;
}

/** Makes documents and revisions of stored files. */
@Injectable()
export class DocumentIntake {
  constructor(
    private readonly creation: DocumentCreationRepository,
    private readonly revisions: DocumentRevisionsRepository,
    private readonly access: DatasetAccess,
    private readonly policies: IngestionPolicies,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Holds everything that `take` will look at, in the order that all writers keep. @throws `datasets.not_found` */
  async open(ctx: TransactionContext, wish: UploadWish, files: readonly StoredUpload[]): Promise<Intake> {
    if (ctx.principal.kind === 'system') throw authErrors.account_required({});
    const { accountId } = ctx.principal;
    const dataset = await this.access.holdVisible(ctx, wish.datasetId);
    const policy = await this.policies.current(ctx, dataset.id);
    if (wish.onDuplicate === 'keep_both') return { wish, dataset, policy, accountId, contentSeq: '0' };
    const contents = files.map((file) => file.sha256);
    const isRevising = wish.onDuplicate === 'new_revision';
    await this.creation.lockUploads(ctx, dataset.id, contents, isRevising ? files.map((file) => file.name) : []);
    if (!isRevising) return { wish, dataset, policy, accountId, contentSeq: '0' };
    const contentSeq = await this.unitOfWork.run(ctx, (manager) => bumpContent(manager, dataset.id));
    const former: string[] = [];
    for (const file of files) {
      const row = await this.findFormer(ctx, dataset, file);
      if (row !== undefined) former.push(row.id);
    }
    await this.revisions.lock(ctx, former);
    return { wish, dataset, policy, accountId, contentSeq };
  }

  /**
   * Makes what the sender wants of one file. Nothing has been written when it throws.
   * @throws `documents.duplicate`, `documents.illegal_state`, `documents.type_not_supported`, `documents.type_not_allowed`,
   * `documents.too_large_for_policy`
   */
  async take(ctx: TransactionContext, intake: Intake, file: StoredUpload): Promise<TakenFile> {
    const { wish, dataset, policy } = intake;
    requireAcceptable(file, policy);
    if (wish.onDuplicate === 'new_revision') {
      const former = await this.findFormer(ctx, dataset, file);
      if (former !== undefined) return this.revise(ctx, intake, former, file);
    } else if (wish.onDuplicate !== 'keep_both') {
      const same = await this.creation.findDuplicate(ctx, dataset.id, file.sha256);
      if (same && wish.onDuplicate === 'skip') return { status: 200, document: toDetail(same), isKept: false };
      if (same) throw documentErrors.duplicate({ name: same.name, documentId: same.id });
    }
    const row = await this.creation.create(ctx, {
      ...this.describe(intake, file),
      id: file.documentId,
      datasetId: dataset.id,
      metadata: wish.metadata ?? {},
      tags: wish.tags ?? [],
    });
    return { status: 201, document: toDetail(row), isKept: true };
  }

  /** The document that a file is a revision of: that of the same content, else the newest one of the same name. */
  private async findFormer(
    ctx: TransactionContext,
    dataset: VisibleDataset,
    file: StoredUpload,
  ): Promise<DocumentRow | undefined> {
    const same = await this.creation.findDuplicate(ctx, dataset.id, file.sha256);
    return same ?? this.revisions.findNamesake(ctx, dataset.id, file.name);
  }

  private async revise(
    ctx: TransactionContext,
    intake: Intake,
    former: DocumentRow,
    file: StoredUpload,
  ): Promise<TakenFile> {
    if (!isLegalMove('revise', former.status)) {
      throw documentErrors.illegal_state({ move: 'revise', status: former.status });
    }
    const { metadata, tags } = intake.wish;
    const row = await this.revisions.revise(ctx, {
      ...this.describe(intake, file),
      documentId: former.id,
      contentSeq: intake.contentSeq,
      metadata,
      tags,
    });
    // Whatever happened to it meanwhile is committed now, so that another look finds another answer.
    if (row === undefined) return this.take(ctx, intake, file);
    return { status: 201, document: toDetail(row), isKept: true };
  }

  private describe(intake: Intake, file: StoredUpload) {
    const { revisionId, name, declaredMediaType, sizeBytes, sha256, blobKey } = file;
    const facts = { revisionId, name, declaredMediaType, sizeBytes, sha256, blobKey };
    const policyVersion = intake.policy.version;
    return { ...facts, mediaType: file.type.mediaType, policyVersion, createdBy: intake.accountId };
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
