import { createHash } from 'node:crypto';
import type { Embedder } from '#libs/ai';
import type { DatasetId, DocumentId } from '#libs/common';
import { AuditLog, type UnitOfWork } from '#libs/database';
import type { TestMember } from '#libs/testing';
import { eventsOver } from '../../../../libs/events/src/testing/events-over.js';
import { inTurns, runningTask, tasksOver } from '../../../../libs/tasks/src/testing/tasks-over.js';
import { DatasetAccess } from '../../datasets/index.js';
import { DocumentLab, type DocumentInState } from '../../documents/testing/document-lab.js';
import { createPolicyServices } from '../../ingestion-policy/testing/policy-services.js';
import { DocumentSurvey } from '../profile/document-survey.service.js';
import { ProfileDocumentsRepository } from '../profile/profile-documents.repository.js';
import { ProfileScan } from '../profile/profile-scan-run.task.js';
import { ProfileScanStore } from '../profile/profile-scan-store.service.js';
import { ProfileScansService } from '../profile/profile-scans.service.js';
import { ProfileSections } from '../profile/profile-sections.service.js';
import { ScannedDocumentsRepository } from '../profile/scanned-documents.repository.js';
import { ScanLedger } from '../runs/scan-ledger.service.js';
import { ScanRunsRepository } from '../runs/scan-runs.repository.js';

const PIECE = 40;

/** Profile scans over a database, with documents and texts as after ingestion. */
export class ProfileLab {
  readonly documentLab: DocumentLab;
  readonly scans: ProfileScansService;
  readonly handler: ProfileScan;
  readonly sections = new Map<string, unknown>();
  private readonly policies;

  constructor(private readonly unitOfWork: UnitOfWork) {
    this.documentLab = new DocumentLab(unitOfWork);
    this.policies = createPolicyServices(unitOfWork).policies;
    const access = new DatasetAccess(unitOfWork);
    const runs = new ScanRunsRepository(unitOfWork, eventsOver(unitOfWork));
    const ledger = new ScanLedger(runs, tasksOver(unitOfWork), unitOfWork, new AuditLog(unitOfWork));
    const documents = new ProfileDocumentsRepository(unitOfWork);
    const scanned = new ScannedDocumentsRepository(unitOfWork);
    const sections = new ProfileSections({ getProviders: () => [] } as never);
    Object.assign(sections, { found: this.sections });
    const embedder = { descriptor: { space: 'space' } } as Embedder;
    const store = new ProfileScanStore(runs, documents, scanned, unitOfWork);
    this.scans = new ProfileScansService(unitOfWork, access, ledger, runs, documents, sections);
    const survey = new DocumentSurvey(documents);
    this.handler = new ProfileScan(store, survey, access, this.policies, sections, embedder, unitOfWork);
  }

  async addDataset(owner: TestMember, acl: 'only_me' | 'all_team_members' = 'all_team_members'): Promise<DatasetId> {
    const id = await this.documentLab.addDataset(owner, { acl });
    await this.unitOfWork.run(owner.ctx, (_manager, ctx) => this.policies.complete(ctx, { id }));
    return id;
  }

  /** A document with this text; `fields` are columns of its row. */
  async put(
    owner: TestMember,
    dataset: DatasetId,
    text: string,
    fields: Readonly<Record<string, unknown>> = {},
    document: DocumentInState = { status: 'completed' },
  ): Promise<DocumentId> {
    const id = await this.documentLab.put(owner, dataset, document);
    const { revision_id: revision } = await this.documentLab.row(owner, id);
    const columns = {
      sha256: createHash('sha256').update(id).digest('hex'),
      language: 'en',
      token_count: 7,
      ...fields,
    };
    for (const [column, value] of Object.entries(columns))
      await this.documentLab.rows(owner, `UPDATE documents SET ${column} = $2 WHERE id = $1`, [id, value]);
    await this.documentLab.rows(owner, `UPDATE document_revisions SET text_length = $2 WHERE id = $1`, [
      revision,
      text.length,
    ]);
    for (let at = 0; at < text.length; at += PIECE) {
      const body = text.slice(at, at + PIECE);
      await this.documentLab.rows(
        owner,
        `INSERT INTO document_segments (tenant_id, revision_id, text_start, text_end, body, blocks) VALUES ($1, $2, $3, $4, $5, '[]')`,
        [owner.tenantId, revision, at, at + body.length, body],
      );
    }
    return id;
  }

  /** One try of a worker: `signal` ends it early, `onReport` is called when a page has been stored. */
  async work(
    owner: TestMember,
    dataset: DatasetId,
    scanRunId: string,
    { signal, onReport }: { readonly signal?: AbortSignal; readonly onReport?: () => Promise<unknown> } = {},
  ): Promise<void> {
    const task = runningTask(owner.ctx, { datasetId: dataset, scanRunId }, async () => void (await onReport?.()));
    await this.handler.run(signal === undefined ? task : { ...task, signal });
  }

  /** Runs a scan as if another tenant always waited. Resolves to the number of turns. */
  async workInTurns(owner: TestMember, dataset: DatasetId, scanRunId: string): Promise<number> {
    return (await inTurns(this.handler, runningTask(owner.ctx, { datasetId: dataset, scanRunId }))).turns;
  }

  /** A scan that a worker has carried out. */
  async scan(owner: TestMember, dataset: DatasetId): Promise<string> {
    const { scan_run_id: id } = await this.scans.start(owner.ctx, dataset, {});
    await this.work(owner, dataset, id);
    return id;
  }
}
