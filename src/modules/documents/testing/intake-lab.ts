import { createHash } from 'node:crypto';
import { CatalogueError, newId, type DatasetId, type DocumentId, type RevisionId } from '#libs/common';
import type { Settings } from '#libs/config';
import { type UnitOfWork } from '#libs/database';
import { objectKey } from '#libs/object-storage';
import type { TestMember } from '#libs/testing';
import { tasksOver } from '../../../../libs/tasks/src/testing/tasks-over.js';
import { DatasetAccess } from '../../datasets/index.js';
import { DEFAULT_POLICY, type IngestionPolicy } from '../../ingestion-policy/index.js';
import { createPolicyServices } from '../../ingestion-policy/testing/policy-services.js';
import { DocumentCreationRepository } from '../record/document-creation.repository.js';
import { DocumentIntake, type AcceptedFile } from '../uploads/document-intake.service.js';
import { readFrontMatter } from '../rules/front-matter.js';
import { DocumentRevisionsRepository } from '../record/document-revisions.repository.js';
import type { StoredUpload } from '../uploads/upload-form-reader.service.js';
import type { UploadOptions } from '../uploads/upload-options.js';
import { TenantStorage } from '../record/tenant-storage.repository.js';
import { StoreIntents } from '../intents/store-intents.repository.js';

/** A file of a form, with the fields that the sender sets. */
export interface HandedFile {
  readonly name: string;
  readonly content: string;
  readonly mediaType?: string;
  readonly path?: string;
}

/** Hands files to the intake as an upload that has stored them would. */
export class IntakeLab {
  readonly intake: DocumentIntake;
  private readonly intents: StoreIntents;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    tenantStorageBytes = 0,
  ) {
    this.intents = new StoreIntents(unitOfWork, tasksOver(unitOfWork));
    const creation = new DocumentCreationRepository(unitOfWork, tasksOver(unitOfWork), this.intents);
    this.intake = new DocumentIntake(
      creation,
      new DocumentRevisionsRepository(unitOfWork, creation, this.intents),
      new DatasetAccess(unitOfWork),
      createPolicyServices(unitOfWork).policies,
      new TenantStorage(unitOfWork, { values: { tenantStorageBytes } } as Settings),
      unitOfWork,
    );
  }

  /** Writes a version of a dataset's policy; the dataset uses version 1 unless it was created otherwise. */
  async writePolicy(
    member: TestMember,
    datasetId: DatasetId,
    version: number,
    governance: Partial<IngestionPolicy['governance']> = {},
  ): Promise<void> {
    const policy = { ...DEFAULT_POLICY, governance: { ...DEFAULT_POLICY.governance, ...governance } };
    await this.unitOfWork.run(member.ctx, (manager) =>
      manager.query(
        `INSERT INTO policy_versions (tenant_id, dataset_id, version, fingerprint, policy) VALUES ($1, $2, $3, $4, $5)`,
        [member.tenantId, datasetId, version, `policy-${version}`, policy],
      ),
    );
  }

  async take(
    member: TestMember,
    datasetId: DatasetId,
    file: HandedFile,
    options: Partial<UploadOptions> = {},
  ): Promise<AcceptedFile & { readonly file: StoredUpload }> {
    const [taken] = await this.takeAll(member, datasetId, [file], options);
    return taken!;
  }

  /** All in one transaction. */
  async takeAll(
    member: TestMember,
    datasetId: DatasetId,
    files: readonly HandedFile[],
    options: Partial<UploadOptions> = {},
  ): Promise<(AcceptedFile & { readonly file: StoredUpload })[]> {
    const stored = files.map((file) => storedUpload(member, file));
    const none = { metadata: undefined, tags: undefined, onSameName: undefined, paths: undefined };
    const full: UploadOptions = { datasetId, ...none, onDuplicate: 'reject', ...options };
    return this.unitOfWork.run(member.ctx, async (_manager, ctx) => {
      for (const { blobKey } of stored) await this.intents.add(ctx, 'remove_blob', blobKey, { blobKey }, 3600);
      const handedIn = stored.map((file, index) => {
        return { file, options: full, path: files[index]!.path ?? null, requestId: ctx.requestId };
      });
      const outcomes = await this.intake.takeAll(ctx, datasetId, handedIn);
      return outcomes.map((outcome, index) => {
        if (outcome instanceof CatalogueError) throw outcome;
        return { ...outcome, file: stored[index]! };
      });
    });
  }
}

function storedUpload(member: TestMember, file: HandedFile): StoredUpload {
  const documentId = newId<DocumentId>();
  const revisionId = newId<RevisionId>();
  const mediaType = file.mediaType ?? 'text/plain';
  const offered = readFrontMatter(Buffer.from(file.content), mediaType);
  return {
    ...(offered === undefined ? {} : { offered }),
    documentId,
    revisionId,
    blobKey: objectKey(member.tenantId, documentId, revisionId),
    name: file.name,
    declaredMediaType: null,
    type: { mediaType, basis: 'extension' },
    sizeBytes: Buffer.byteLength(file.content),
    sha256: createHash('sha256').update(file.content).digest('hex'),
  };
}
