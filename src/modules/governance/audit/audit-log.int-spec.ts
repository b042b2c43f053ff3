import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { newId, NOWHERE_TENANT, type ApiKeyId, type DatasetId } from '#libs/common';
import type { PinoLogger } from 'nestjs-pino';
import type { Settings } from '#libs/config';
import { AuditLog } from '#libs/database';
import { createObjectStorage, type ObjectStorage } from '#libs/object-storage';
import type { RequestContext } from '#libs/tenancy';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { TenantDirectory } from '../../accounts/index.js';
import { createDocumentServices, DocumentLab } from '../../documents/testing/document-lab.js';
import { AuditAnchoring } from './audit-anchoring.service.js';
import { AuditAnchors } from './audit-anchors.service.js';
import { AuditLogRepository } from './audit-log.repository.js';
import { AuditLogService } from './audit-log.service.js';
import type { AuditLogEntry, AuditLogQuery } from './audit-log.dto.js';

const NEVER = new AbortController().signal;
const ENTRIES = 6;

let db: TestDatabase;
let superuser: Client;
let folder: string;
let storage: ObjectStorage;
let audit: AuditLog;
let log: AuditLogService;
let anchors: AuditAnchors;
let lab: DocumentLab;
let auditor: TestMember;
let dataset: DatasetId;

beforeAll(async () => {
  db = await createTestDatabase();
  const url = new URL(inject('clusterUrl'));
  url.pathname = new URL(db.url).pathname;
  superuser = new Client({ connectionString: url.href });
  await superuser.connect();
  folder = await mkdtemp(join(tmpdir(), 'audit-anchors-'));
  storage = await createObjectStorage({ kind: 'filesystem', directory: folder });
  anchors = new AuditAnchors({ values: { auditAnchors: 'on' } } as Settings, storage);
  audit = new AuditLog(db.unitOfWork);
  const { access } = createDocumentServices(db.unitOfWork);
  log = new AuditLogService(new AuditLogRepository(db.unitOfWork, access), audit, anchors, db.unitOfWork);
  lab = new DocumentLab(db.unitOfWork);
});
afterAll(async () => {
  await superuser.end();
  await db.close();
  await rm(folder, { recursive: true, force: true });
});

const query = (change: Partial<AuditLogQuery> = {}): AuditLogQuery => ({
  skip: 0,
  limit: 20,
  order_by: '-created_at',
  ...change,
});

/** A tenant with `ENTRIES` entries. */
async function fill(member: TestMember): Promise<void> {
  for (let n = 1; n <= ENTRIES; n += 1) {
    await audit.append(member.ctx, {
      event: n % 2 === 0 ? 'thing.changed' : 'thing.made',
      subject: `thing:${n}`,
      details: { n, before: { name: 'übel', list: [1, 2.5, null] } },
    });
  }
}

describe('the verification of an audit log', () => {
  beforeEach(async () => {
    auditor = await createTestMember(db.unitOfWork, 'auditor');
    await fill(auditor);
  });

  const verdict = async (): Promise<unknown> => {
    const { valid, first_broken: broken } = await log.verify(auditor.ctx, NEVER);
    expect(valid).toBe(broken === null);
    return broken === null ? null : [broken.id, broken.reason];
  };
  const tamper = (set: string, id: number): Promise<unknown> =>
    superuser.query(`UPDATE audit_log SET ${set} WHERE tenant_id = $1 AND seq = $2`, [auditor.tenantId, id]);

  it('finds nothing in an unaltered log', async () => {
    const { hash } = (await audit.head(auditor.ctx))!;
    expect(await log.verify(auditor.ctx, NEVER)).toEqual({
      valid: true,
      entries: ENTRIES,
      anchors: 0,
      head: { id: ENTRIES, hash },
      first_broken: null,
    });
  });

  it.each([
    ['event', `event = 'thing.madf'`],
    ['actor', `actor = 'system'`],
    ['subject', `subject = 'thing:4'`],
    ['an absent subject', `subject = NULL`],
    ['request id', `request_id = request_id || '0'`],
    ['a number of the details', `details = jsonb_set(details, '{n}', '4')`],
    ['a letter of the details', `details = replace(details::text, 'übel', 'ubel')::jsonb`],
    ['an added member', `details = details || '{"more": 1}'`],
    ['time', `created_at = created_at + interval '1 millisecond'`],
    ['a time that is none', `created_at = 'infinity'`],
    ['hash', `hash = repeat('0', 64)`],
  ])('names an entry with one changed byte: %s', async (_what, set) => {
    await tamper(set, 3);
    expect(await verdict()).toEqual([3, 'changed']);
    expect((await log.list(auditor.ctx, query())).items).toHaveLength(ENTRIES);
  });

  it('names an entry whose link to the previous one was changed', async () => {
    await tamper(`previous_hash = repeat('0', 64)`, 3);
    expect(await verdict()).toEqual([3, 'not_linked']);
  });

  it('names a removed entry: at the beginning, in the middle, in another tenant', async () => {
    const remove = (id: number): Promise<unknown> =>
      superuser.query('DELETE FROM audit_log WHERE tenant_id = $1 AND seq = $2', [auditor.tenantId, id]);
    await tamper(`tenant_id = '${newId()}'`, 5);
    expect(await verdict()).toEqual([5, 'missing']);
    await remove(3);
    expect(await verdict()).toEqual([3, 'missing']);
    await remove(1);
    expect(await verdict()).toEqual([1, 'missing']);
  });

  it('names a removed entry after renumbering', async () => {
    await superuser.query('DELETE FROM audit_log WHERE tenant_id = $1 AND seq = 3', [auditor.tenantId]);
    for (const id of [4, 5, 6]) await tamper(`seq = ${id - 1}`, id);
    expect(await verdict()).toEqual([3, 'not_linked']);
  });

  it('names the first of two swapped entries', async () => {
    await tamper('seq = 99', 3);
    await tamper('seq = 3', 4);
    await tamper('seq = 4', 99);
    expect(await verdict()).toEqual([3, 'not_linked']);
  });

  it('names an inserted entry', async () => {
    await superuser.query(
      `INSERT INTO audit_log SELECT tenant_id, 0, event, actor, subject, request_id, details, previous_hash, hash, created_at
       FROM audit_log WHERE tenant_id = $1 AND seq = 1`,
      [auditor.tenantId],
    );
    expect(await verdict()).toEqual([0, 'unexpected']);
  });

  it('names an entry that was removed at the end before the last anchor', async () => {
    await anchors.keep(auditor.tenantId, (await audit.head(auditor.ctx))!, NEVER);
    await superuser.query('DELETE FROM audit_log WHERE tenant_id = $1 AND seq > 4', [auditor.tenantId]);
    expect(await verdict()).toEqual([5, 'missing']);
    await superuser.query('DELETE FROM audit_log WHERE tenant_id = $1', [auditor.tenantId]);
    expect(await verdict()).toEqual([1, 'missing']);
  });

  it('can rely on the ends of all chains being recorded at start and at stop, in the log and in the storage', async () => {
    const lines: [object, string][] = [];
    const note = (facts: object, event: string): unknown => lines.push([facts, event]);
    const logger = { info: note, error: note } as unknown as PinoLogger;
    const anchoring = new AuditAnchoring(new TenantDirectory(db.unitOfWork), audit, anchors, logger);
    const linesOf = (wanted: string): string[] =>
      lines.flatMap(([facts, event]) => {
        const { tenantId, occasion, entry } = facts as Record<string, unknown>;
        return tenantId === auditor.tenantId && occasion === wanted ? [`${event} ${String(entry)}`] : [];
      });
    anchoring.onApplicationBootstrap();
    await vi.waitFor(() => expect(linesOf('start')).toEqual([`audit.anchored ${ENTRIES}`]));
    await audit.append(auditor.ctx, { event: 'thing.changed' });
    await anchoring.beforeApplicationShutdown();
    expect(linesOf('stop')).toEqual([`audit.anchored ${ENTRIES + 1}`]);
    expect((await anchors.list(auditor.tenantId))?.map(({ id }) => id).sort()).toEqual([ENTRIES, ENTRIES + 1]);
    expect(await verdict()).toBeNull();
  });

  it('names the anchored entry when the end was replaced by other entries, and makes the next anchor a conflict', async () => {
    const head = (await audit.head(auditor.ctx))!;
    expect(await anchors.keep(auditor.tenantId, head, NEVER)).toBe('kept');
    expect(await anchors.keep(auditor.tenantId, head, NEVER)).toBe('known');
    await superuser.query('DELETE FROM audit_log WHERE tenant_id = $1 AND seq > 4', [auditor.tenantId]);
    for (const event of ['thing.invented', 'thing.invented', 'thing.invented']) {
      await audit.append(auditor.ctx, { event });
      const made = (await audit.head(auditor.ctx))!;
      if (made.id === ENTRIES) expect(await anchors.keep(auditor.tenantId, made, NEVER)).toBe('conflict');
    }
    expect(await verdict()).toEqual([ENTRIES, 'not_as_anchored']);
  });
});

describe('the audit log', () => {
  beforeEach(async () => {
    auditor = await createTestMember(db.unitOfWork, 'auditor');
    dataset = await lab.addDataset(auditor);
  });

  const found = async (change: Partial<AuditLogQuery>): Promise<number[]> => {
    const page = await log.list(auditor.ctx, query({ order_by: 'created_at', ...change }));
    expect(page.total).toBe(page.items.length);
    return page.items.map(({ id }) => id);
  };

  it('shows entries with actor, action and subject, the latest first', async () => {
    await fill(auditor);
    const { items, total } = await log.list(auditor.ctx, query({ skip: 1, limit: 2 }));
    expect(total).toBe(ENTRIES);
    expect(items.map(({ id }) => id)).toEqual([5, 4]);
    expect(items[1]).toEqual({
      id: 4,
      action: 'thing.changed',
      actor: { type: 'account', id: auditor.accountId },
      subject: { type: 'thing', id: '4' },
      request_id: auditor.ctx.requestId,
      details: { n: 4, before: { name: 'übel', list: [1, 2.5, null] } },
      details_withheld: false,
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      previous_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      hash: items[0]!.previous_hash,
    });
  });

  it('is filtered by action, actor, subject, request and time', async () => {
    const colleague = await createTestMember(db.unitOfWork, 'admin', auditor.tenantId);
    await audit.append(auditor.ctx, { event: 'thing.made', subject: 'thing:1' });
    await audit.append(colleague.ctx, { event: 'thing.changed', subject: 'thing:1' });
    const named = { ...colleague.ctx, requestId: 'a-request' };
    const documentId = newId();
    await audit.append(named, {
      event: 'document.deleted',
      subject: `dataset:${dataset}`,
      details: { document_ids: [documentId] },
    });
    expect(await found({ action: 'thing.made' })).toEqual([1]);
    expect(await found({ actor: colleague.accountId })).toEqual([2, 3]);
    expect(await found({ actor: `account:${colleague.accountId}`, request_id: 'a-request' })).toEqual([3]);
    expect(await found({ actor: `api_key:${colleague.accountId}` })).toEqual([]);
    expect(await found({ actor: 'system' })).toEqual([]);
    expect(await found({ subject_type: 'thing', subject_id: '1' })).toEqual([1, 2]);
    expect(await found({ subject_type: 'dataset' })).toEqual([3]);
    expect(await found({ subject_id: documentId })).toEqual([3]);
    expect(await found({ subject_type: 'document', subject_id: documentId })).toEqual([3]);
    expect(await found({ subject_type: 'thing', subject_id: documentId })).toEqual([]);
    const { items } = await log.list(auditor.ctx, query());
    expect(await found({ from: items[0]!.created_at })).toContain(3);
    expect(await found({ to: items[2]!.created_at })).toEqual([]);
    await expect(
      log.list(auditor.ctx, query({ from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' })),
    ).rejects.toMatchObject({ code: 'http.validation_failed' });
  });

  it('is exported completely as JSON lines, and records the export', async () => {
    for (let n = 0; n < 1_100; n += 500) {
      await db.unitOfWork.run(auditor.ctx, async (_manager, inner) => {
        for (let m = 0; m < 500; m += 1) await audit.append(inner, { event: 'thing.made' });
      });
    }
    const lines = (await text(await log.export(auditor.ctx, query({ action: 'thing.made' }), NEVER)))
      .trim()
      .split('\n');
    const entries = lines.map((line) => JSON.parse(line) as AuditLogEntry);
    expect(entries.map(({ id }) => id)).toEqual(Array.from({ length: 1_500 }, (_, n) => n + 1));
    const [last] = (await log.list(auditor.ctx, query())).items;
    expect(last).toMatchObject({
      id: 1_501,
      action: 'audit_log.exported',
      details: { filter: { action: 'thing.made' }, up_to: 1_500 },
    });
    expect((await log.verify(auditor.ctx, NEVER)).valid).toBe(true);
  });

  it('leaves out texts about a dataset that the caller does not see', async () => {
    const owner = await createTestMember(db.unitOfWork, 'owner', auditor.tenantId);
    const hidden = await lab.addDataset(owner, { acl: 'only_me' });
    const details = { reason: 'The merger', document_ids: [newId()] };
    await audit.append(owner.ctx, { event: 'document.quarantined', subject: `dataset:${hidden}`, details });
    expect((await log.list(owner.ctx, query())).items[0]).toMatchObject({ details, details_withheld: false });
    const [seen] = (await log.list(auditor.ctx, query())).items;
    expect(seen).toMatchObject({ details_withheld: true, subject: { id: hidden } });
    expect(seen!.details).toEqual({ document_ids: details.document_ids });
    const exported = await text(await log.export(auditor.ctx, query(), NEVER));
    expect(exported).not.toContain('merger');
  });

  it('shows an API key that is limited to certain datasets no entries about others', async () => {
    const other = await lab.addDataset(auditor);
    for (const id of [dataset, other])
      await audit.append(auditor.ctx, { event: 'dataset.made', subject: `dataset:${id}` });
    await audit.append(auditor.ctx, { event: 'document.read', subject: 'document:1', details: { dataset_id: other } });
    await audit.append(auditor.ctx, { event: 'tenant.changed' });
    for (const ids of [[dataset], [dataset, other], [other]])
      await audit.append(auditor.ctx, { event: 'evaluation.started', details: { dataset_ids: ids } });
    const key: RequestContext = {
      ...auditor.ctx,
      principal: {
        kind: 'api_key',
        keyId: newId<ApiKeyId>(),
        accountId: auditor.accountId,
        role: 'auditor',
        permissions: new Set(['audit:read']),
        datasetIds: [dataset],
      },
    };
    expect((await log.list(key, query())).items.map(({ id }) => id)).toEqual([5, 4, 1]);
  });

  it('is empty for a caller who does not belong to the tenant, even if there are entries without a tenant', async () => {
    const outsider: RequestContext = { ...auditor.ctx, tenantId: NOWHERE_TENANT };
    await audit.append(outsider, { event: 'account.sessions_ended', subject: `account:${auditor.accountId}` });
    expect(await log.list(outsider, query())).toMatchObject({ items: [], total: 0 });
    expect(await text(await log.export(outsider, query(), NEVER))).toBe('');
  });

  it('contains only entries of the own tenant', async () => {
    await fill(auditor);
    const foreigner = await createTestMember(db.unitOfWork, 'owner');
    expect(await log.list(foreigner.ctx, query())).toMatchObject({ items: [], total: 0 });
    expect(await log.verify(foreigner.ctx, NEVER)).toMatchObject({ valid: true, entries: 0, head: null });
  });
});
