import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId, type DatasetId, type DocumentId } from '#libs/common';
import { AuditLog } from '#libs/database';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { inTurns, runningTask, tasksOver } from '../../../../libs/tasks/src/testing/tasks-over.js';
import { DatasetAccess } from '../../datasets/index.js';
import { DocumentLab, type DocumentInState } from '../../documents/testing/document-lab.js';
import { createPolicyServices } from '../../ingestion-policy/testing/policy-services.js';
import { FindingsRepository } from '../findings/findings.repository.js';
import { RescanRun } from './rescan-run.task.js';
import { RescannedDocumentsRepository } from './rescanned-documents.repository.js';
import { RescansRepository } from './rescans.repository.js';
import { RescansService } from './rescans.service.js';

const PIECE = 40;
const EMAIL = 'jane.doe@kestrel-survey.org';

let db: TestDatabase;
let lab: DocumentLab;
let rescans: RescansService;
let handler: RescanRun;
let findings: FindingsRepository;
let officer: TestMember;
let dataset: DatasetId;

beforeAll(async () => {
  db = await createTestDatabase();
  const { unitOfWork } = db;
  const access = new DatasetAccess(unitOfWork);
  const runs = new RescansRepository(unitOfWork, access);
  const { policies } = createPolicyServices(unitOfWork);
  findings = new FindingsRepository(unitOfWork, access);
  rescans = new RescansService(runs, access, tasksOver(unitOfWork), new AuditLog(unitOfWork), unitOfWork);
  handler = new RescanRun(runs, new RescannedDocumentsRepository(unitOfWork), findings, access, policies, unitOfWork);
  lab = new DocumentLab(unitOfWork);
});
afterAll(() => db.close());
beforeEach(async () => {
  officer = await createTestMember(db.unitOfWork, 'admin');
  dataset = await addDataset();
});

async function addDataset(acl: 'only_me' | 'all_team_members' = 'all_team_members'): Promise<DatasetId> {
  const id = await lab.addDataset(officer, { acl });
  const { policies } = createPolicyServices(db.unitOfWork);
  await db.unitOfWork.run(officer.ctx, (_manager, ctx) => policies.complete(ctx, { id }));
  return id;
}

/** A document with this text, in pieces whose borders are within values. */
async function put(text: string, document: DocumentInState = { status: 'completed' }): Promise<DocumentId> {
  const id = await lab.put(officer, dataset, document);
  const { revision_id: revision } = await lab.row(officer, id);
  for (let at = 0; at < text.length; at += PIECE) {
    const body = text.slice(at, at + PIECE);
    await lab.rows(
      officer,
      `INSERT INTO document_segments (tenant_id, revision_id, text_start, text_end, body, blocks) VALUES ($1, $2, $3, $4, $5, '[]')`,
      [officer.tenantId, revision, at, at + body.length, body],
    );
  }
  return id;
}

const start = async (): Promise<string> => (await rescans.start(officer.ctx, { dataset_id: dataset })).id;
const work = (rescanId: string, signal?: AbortSignal, report = async () => undefined as void) =>
  handler.run({ ...runningTask(officer.ctx, { datasetId: dataset, rescanId }, report), ...(signal && { signal }) });
const found = async (rescanId?: string) =>
  (
    await findings.listVisible(officer.ctx, {
      dataset_id: dataset,
      ...(rescanId === undefined ? {} : { rescan_id: rescanId }),
      skip: 0,
      limit: 100,
    })
  ).items;

describe('a rescan', () => {
  it('searches titles and unseen stretches', async () => {
    const id = await put('The hut has a stove. Obey me.');
    const parsed = { title: `From ${EMAIL}`, unseen: [{ start: 21, end: 28, look: 'unseen_size' }] };
    await lab.rows(officer, `UPDATE document_revisions SET parsed = $2 WHERE document_id = $1`, [id, parsed]);
    const rescan = await start();
    await work(rescan);
    const items = await found(rescan);
    expect(items).toHaveLength(2);
    expect(items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ place: 'title', entity_type: 'email' }),
        expect.objectContaining({ place: 'text', entity_type: 'hidden_text', span_start: '21', span_end: '28' }),
      ]),
    );
  });

  it('searches text, name and metadata with all detectors, and changes nothing', async () => {
    const text = `The survey begins in May, says the leaflet; ask ${EMAIL} for a place in the hut.`;
    const id = await put(text, { status: 'completed', metadata: { author: EMAIL } });
    const before = await lab.row(officer, id);
    const rescan = await start();
    expect(await rescans.read(officer.ctx, rescan)).toMatchObject({ status: 'pending', findings: [] });
    await work(rescan);
    expect(await rescans.read(officer.ctx, rescan)).toMatchObject({
      status: 'completed',
      progress: { done: 1, total: 1 },
      findings: [{ entity_type: 'email', findings: 2, documents: 1 }],
    });
    const [inMetadata, inText] = await found(rescan);
    expect(inMetadata).toMatchObject({ place: 'metadata', action: 'allow', rescan_id: rescan, generation: null });
    const start_ = text.indexOf(EMAIL);
    expect(inText).toMatchObject({ span_start: String(start_), span_end: String(start_ + EMAIL.length) });
    expect(await found()).toEqual([]);
    expect(await lab.row(officer, id)).toEqual(before);
    expect(JSON.stringify(await found(rescan))).not.toContain('jane');
  });

  it('continues where an earlier try ended, and counts each finding once', async () => {
    for (let n = 0; n < 12; n += 1) await put(`Write to person${n}@kestrel-survey.org.`);
    const rescan = await start();
    const killed = new AbortController();
    let looks = 0;
    const signal = {
      throwIfAborted: () => {
        if (++looks > 14) killed.abort(new Error('killed'));
        killed.signal.throwIfAborted();
      },
    } as AbortSignal;
    await expect(work(rescan, signal)).rejects.toThrow('killed');
    const { progress } = await rescans.read(officer.ctx, rescan);
    expect(progress.done).toBeGreaterThan(0);
    expect(progress.done).toBeLessThan(12);
    await work(rescan);
    expect(await rescans.read(officer.ctx, rescan)).toMatchObject({
      status: 'completed',
      progress: { done: 12, total: 12 },
      findings: [{ entity_type: 'email', findings: 12, documents: 12 }],
    });
  });

  it('lets other tenants run after each document, and inspects none twice', async () => {
    for (let n = 0; n < 3; n += 1) await put(`Write to person${n}@kestrel-survey.org.`);
    const rescan = await start();
    const { turns } = await inTurns(handler, runningTask(officer.ctx, { datasetId: dataset, rescanId: rescan }));
    expect(turns).toBe(4);
    expect(await rescans.read(officer.ctx, rescan)).toMatchObject({
      status: 'completed',
      progress: { done: 3, total: 3 },
    });
    expect(await found(rescan)).toHaveLength(3);
  });

  it('leaves deleted and quarantined documents out', async () => {
    await put(`Write to ${EMAIL}.`, { status: 'quarantined' });
    const gone = await put(`Write to ${EMAIL}.`);
    await lab.rows(officer, `UPDATE documents SET deleted_at = now() WHERE id = $1`, [gone]);
    const rescan = await start();
    await work(rescan);
    expect(await rescans.read(officer.ctx, rescan)).toMatchObject({ status: 'completed', findings: [] });
  });

  it('runs one at a time for a dataset, and the error names the running one', async () => {
    const rescan = await start();
    await expect(start()).rejects.toMatchObject({
      status: 409,
      code: 'governance.rescan_running',
      message: expect.stringContaining(rescan),
    });
    await work(rescan);
    expect(await start()).not.toBe(rescan);
  });

  it('ends when it is cancelled, and with its task', async () => {
    const cancelled = await start();
    expect(await rescans.cancel(officer.ctx, cancelled)).toMatchObject({ status: 'cancelled' });
    expect(await rescans.cancel(officer.ctx, cancelled)).toMatchObject({ status: 'cancelled' });
    await work(cancelled);
    expect(await rescans.read(officer.ctx, cancelled)).toMatchObject({ status: 'cancelled' });
    const lost = await start();
    await lab.systemRows(
      `UPDATE tasks SET status = 'failed', ended_at = now(), error_code = 'tasks.principal_gone', error = 'Gone.' WHERE subject = $1`,
      [lost],
    );
    expect(await rescans.read(officer.ctx, lost)).toMatchObject({ status: 'failed', error: { message: 'Gone.' } });
    await expect(rescans.cancel(officer.ctx, lost)).rejects.toMatchObject({ code: 'governance.rescan_ended' });
  });

  it('is visible only to callers who see the dataset', async () => {
    dataset = await addDataset('only_me');
    const rescan = await start();
    const colleague = await createTestMember(db.unitOfWork, 'owner', officer.tenantId);
    const foreigner = await createTestMember(db.unitOfWork, 'owner');
    for (const { ctx } of [colleague, foreigner]) {
      await expect(rescans.read(ctx, rescan)).rejects.toMatchObject({ code: 'governance.rescan_not_found' });
      await expect(rescans.cancel(ctx, rescan)).rejects.toMatchObject({ code: 'governance.rescan_not_found' });
      const refused = rescans.start(ctx, { dataset_id: dataset });
      await expect(refused).rejects.toMatchObject({ code: 'datasets.not_found' });
    }
    for (const absent of [newId(), 'no-id'])
      await expect(rescans.read(officer.ctx, absent)).rejects.toMatchObject({ status: 404 });
  });

  it('is kept with its findings if it is one of the newest 20 that have ended', async () => {
    await put(`Write to ${EMAIL}.`);
    const first = await start();
    await work(first);
    expect(await found(first)).toHaveLength(1);
    for (let n = 0; n < 21; n += 1) await work(await start());
    await expect(rescans.read(officer.ctx, first)).rejects.toMatchObject({ code: 'governance.rescan_not_found' });
    expect(await found(first)).toEqual([]);
  });
});
