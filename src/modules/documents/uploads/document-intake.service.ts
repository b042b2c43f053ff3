import { Injectable } from '@nestjs/common';
import { CatalogueError } from '#libs/common';
import { UnitOfWork, type TransactionContext } from '#libs/database';
import { authErrors, type RequestContext } from '#libs/tenancy';
import { bumpContent, DatasetAccess } from '../../datasets/index.js';
import { IngestionPolicies } from '../../ingestion-policy/index.js';
import { DocumentCreationRepository, type NewDocument } from '../record/document-creation.repository.js';
import { isLegalMove } from '../record/document-moves.js';
import { identityOf } from '../record/document-path.js';
import { DocumentRevisionsRepository } from '../record/document-revisions.repository.js';
import { toDetail } from '../record/document-views.js';
import { documentErrors } from '../documents.errors.js';
import type { DocumentDetail } from '../record/document.dto.js';
import {
  describeFile,
  formerOf,
  mayRevise,
  newDocumentOf,
  revisedFactsOf,
  resultOrRefusal,
  type DescribedFile,
  type HandedIn,
  type Intake,
  type Relatives,
} from './intake-facts.js';
import { maskedTypesOf, maskName } from '../record/masked-facts.js';
import { requireAcceptable } from './upload-acceptance.js';
import { TenantStorage } from '../record/tenant-storage.repository.js';
import type { UploadOptions } from './upload-options.js';

export type { HandedIn } from './intake-facts.js';

/** The outcome for a file. */
export interface AcceptedFile {
  /** 200: the document already existed. */
  readonly status: 200 | 201;
  readonly document: DocumentDetail;
  /** Whether the stored file belongs to the document. */
  readonly isKept: boolean;
}

/** The outcome for a file, or the error if there is no document. */
export type IntakeOutcome = AcceptedFile | CatalogueError;

/** Creates documents and revisions from stored files. */
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
   * Creates documents or revisions from files for one dataset. All senders must agree on `on_duplicate: new_revision` and on
   * `on_same_name`. A refused file has the error as its outcome and does not affect the others: `documents.duplicate`,
   * `documents.illegal_state`, `documents.type_not_supported`, `documents.type_not_allowed`, `documents.too_large_for_policy`,
   * `documents.tenant_storage_exceeded`.
   * @throws `datasets.not_found`
   */
  async takeAll(ctx: TransactionContext, datasetId: string, handedIn: readonly HandedIn[]): Promise<IntakeOutcome[]> {
    if (ctx.principal.kind === 'system') throw authErrors.account_required({});
    const { accountId } = ctx.principal;
    // Locks everything that will be read, in the order that all writers keep.
    const dataset = await this.access.holdVisible(ctx, datasetId);
    const policy = await this.policies.current(ctx, dataset.id);
    const intake = { dataset, accountId, policy, room: await this.storage.room(ctx) };
    const isRevising = handedIn.some(({ options }) => mayRevise(options, dataset));
    return isRevising ? this.takeRevisions(ctx, intake, handedIn) : this.takeNew(ctx, intake, handedIn);
  }

  /** Names of files as stored answers may contain them. */
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
    const contents = handedIn
      .filter(({ options }) => options.onDuplicate !== 'keep_both')
      .map(({ file }) => file.sha256);
    const files = handedIn.map((one) => ({ ...one, described: describeFile(intake, one) }));
    const names = files.map(({ described }) => identityOf(described));
    await this.creation.lockUploads(ctx, intake.dataset.id, contents, names);
    const there = await this.creation.findDuplicates(ctx, intake.dataset.id, contents);
    const namesakes = await this.revisions.findNamesakes(ctx, intake.dataset.id, names);
    const newestOf = new Map([...namesakes].map(([name, { id }]) => [name, id]));
    const created: NewDocument[] = [];
    const firstOf = new Map<string, NewDocument>();
    // For each file: the id of its document, or the error.
    const decided = files.map(({ described, ...one }) =>
      resultOrRefusal(() => {
        const { file, options } = one;
        requireAcceptable({ ...file, name: described.name }, intake.policy);
        const same = there.get(file.sha256) ?? firstOf.get(file.sha256);
        if (same !== undefined && options.onDuplicate === 'skip') return same.id;
        if (same !== undefined && options.onDuplicate === 'reject') {
          throw documentErrors.duplicate({ name: same.name, documentId: same.id });
        }
        intake.room.take(file.sizeBytes);
        const name = identityOf(described);
        const document = newDocumentOf(intake, one, newestOf.get(name) ?? null);
        created.push(document);
        newestOf.set(name, document.id);
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

  /** One after another, because a file may be a revision of the document that an earlier file created. */
  private async takeRevisions(
    ctx: TransactionContext,
    intake: Intake,
    handedIn: readonly HandedIn[],
  ): Promise<IntakeOutcome[]> {
    const contents = handedIn.map(({ file }) => file.sha256);
    const names = handedIn.map((one) => identityOf(describeFile(intake, one)));
    await this.creation.lockUploads(ctx, intake.dataset.id, contents, names);
    const contentSeq = await this.unitOfWork.run(ctx, (manager) => bumpContent(manager, intake.dataset.id));
    const former: string[] = [];
    for (const one of handedIn) {
      const described = describeFile(intake, one);
      const row = formerOf(one, described, await this.relativesOf(ctx, intake, one.options, described));
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
    const { file, options } = handedIn;
    const described = describeFile(intake, handedIn);
    const refusal = resultOrRefusal(() => requireAcceptable({ ...file, name: described.name }, intake.policy));
    if (refusal instanceof CatalogueError) return refusal;
    const relatives = await this.relativesOf(ctx, intake, options, described);
    const { same, namesake } = relatives;
    if (same !== undefined && options.onDuplicate === 'skip') {
      return { status: 200, document: toDetail(same), isKept: false };
    }
    if (same !== undefined && options.onDuplicate === 'reject') {
      return documentErrors.duplicate({ name: same.name, documentId: same.id });
    }
    const former = formerOf(handedIn, described, relatives);
    const full = resultOrRefusal(() => intake.room.take(file.sizeBytes));
    if (full instanceof CatalogueError) return full;
    if (former === undefined) {
      const document = newDocumentOf(intake, handedIn, namesake?.id ?? null);
      const rows = await this.creation.createAll(ctx, [document]);
      return { status: 201, document: toDetail(rows.get(document.id)!), isKept: true };
    }
    if (!isLegalMove('revise', former.status)) {
      return documentErrors.illegal_state({ move: 'revise', status: former.status });
    }
    const sameNameId = namesake === undefined || namesake.id === former.id ? null : namesake.id;
    const facts = { ...described, ...revisedFactsOf(intake, options), sameNameId };
    const row = await this.revisions.revise(ctx, { ...facts, documentId: former.id, contentSeq });
    // Changes that another transaction made to it meanwhile are committed now, so another try has another result.
    if (row === undefined) return this.takeRevision(ctx, intake, contentSeq, handedIn);
    return { status: 201, document: toDetail(row), isKept: true };
  }

  private async relativesOf(
    ctx: TransactionContext,
    { dataset }: Intake,
    { onDuplicate }: UploadOptions,
    described: DescribedFile,
  ): Promise<Relatives> {
    const asksForSame = onDuplicate !== 'keep_both';
    const same = asksForSame ? await this.creation.findDuplicate(ctx, dataset.id, described.sha256) : undefined;
    const name = identityOf(described);
    return { same, namesake: (await this.revisions.findNamesakes(ctx, dataset.id, [name])).get(name) };
  }
}
