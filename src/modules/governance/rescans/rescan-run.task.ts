import type { JsonObject } from '#libs/common';
import { UnitOfWork } from '#libs/database';
import { TaskFailed, TaskHandler, type RunningTask, yieldToRequests } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import { IngestionPolicies } from '../../ingestion-policy/index.js';
import { allTypesUnder, findInContent, type SearchedTypes } from '../findings/content-search.js';
import { FindingsRepository, type NewFinding } from '../findings/findings.repository.js';
import { GOVERNANCE_RESCAN, type RescanPayload } from './rescan.task.js';
import { RescannedDocumentsRepository, type RescannedDocument } from './rescanned-documents.repository.js';
import { RescansRepository } from './rescans.repository.js';

/** Documents that are listed together. Each is kept by itself. */
const PAGE = 100;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Looks at the kept text and the facts of each document of a dataset with all detectors and records what it finds; nothing else changes.
 * A try goes on behind the last document of the one before: its findings and how far it is are one transaction.
 */
@TaskHandler(GOVERNANCE_RESCAN)
export class RescanRun implements TaskHandler<RescanPayload> {
  constructor(
    private readonly rescans: RescansRepository,
    private readonly documents: RescannedDocumentsRepository,
    private readonly findings: FindingsRepository,
    private readonly access: DatasetAccess,
    private readonly policies: IngestionPolicies,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async run(task: RunningTask<RescanPayload>): Promise<JsonObject> {
    const { ctx, payload, signal } = task;
    const [dataset] = await this.access.listVisible(ctx, [payload.datasetId]);
    if (dataset === undefined)
      throw new TaskFailed('datasets.not_found', 'The dataset is deleted, or no longer visible.');
    const rescan = await this.rescans.begin(ctx, dataset.id, payload.rescanId);
    if (rescan === undefined) return {};
    const rules = allTypesUnder((await this.policies.current(ctx, dataset.id)).policy);
    const total = await this.documents.count(ctx, dataset.id);
    let { done } = rescan;
    for (let after: string = rescan.last_document_id ?? BEFORE_ALL; ;) {
      const page = await this.documents.listNext(ctx, dataset.id, after, PAGE);
      const last = page.at(-1);
      if (last === undefined) break;
      for (const document of page) {
        const found = await this.lookAt(ctx, document, rules, signal);
        done += 1;
        const progress = { last: document.id, done, total: Math.max(done, total) };
        await this.keep(ctx, payload.rescanId, document, found, progress);
        await task.giveWay();
      }
      await task.report({ done, total: Math.max(done, total) });
      after = last.id;
    }
    await this.rescans.end(ctx, payload.rescanId, 'completed');
    return { done };
  }

  private async lookAt(
    ctx: RequestContext,
    document: RescannedDocument,
    rules: SearchedTypes,
    signal: AbortSignal,
  ): Promise<NewFinding[]> {
    const text = this.documents.readText(ctx, document.text_revision_id);
    const found = await findInContent({ ...document, unseen: document.unseen ?? [], text }, rules, () =>
      yieldToRequests(signal),
    );
    await yieldToRequests(signal);
    return found;
  }

  private async keep(
    ctx: RequestContext,
    rescanId: string,
    document: RescannedDocument,
    found: readonly NewFinding[],
    progress: Parameters<RescansRepository['advance']>[2],
  ): Promise<void> {
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      if (!(await this.rescans.advance(inner, rescanId, progress)))
        throw new TaskFailed('governance.rescan_ended', 'The rescan was ended meanwhile.');
      const { id: documentId, text_revision_id: revisionId, text_revision: revision } = document;
      await this.findings.record(inner, { documentId, revisionId, revision, generation: null, rescanId }, found);
    });
  }
}
