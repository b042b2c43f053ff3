import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatasetId, DocumentId } from '#libs/common';
import { DocumentTransitions, DocumentUpdatesService } from '../../documents/index.js';
import { FindingsRepository, QuarantineService } from '../../governance/index.js';
import { DEFAULT_POLICY, type DetectorAction, type IngestionPolicy } from '../../ingestion-policy/index.js';
import { IngestionLab } from '../testing/ingestion-lab.js';

const MAIL = 'anna.lindqvist@kestrel-survey.org';

let lab: IngestionLab;
let dataset: DatasetId;

beforeAll(async () => {
  lab = await IngestionLab.open();
});
afterAll(() => lab.close());
beforeEach(async () => {
  dataset = await lab.addDataset();
});

async function withRule(action: DetectorAction): Promise<void> {
  const detectors = [{ entity_type: 'email', action, min_score: 0.5 }];
  const policy: IngestionPolicy = { ...DEFAULT_POLICY, governance: { ...DEFAULT_POLICY.governance, detectors } };
  await lab.query(`UPDATE policy_versions SET policy = $2 WHERE dataset_id = $1`, [dataset, JSON.stringify(policy)]);
}

async function ingest(name = 'hut.md', content = 'The hut has a stove.'): Promise<DocumentId> {
  const [id] = await lab.upload(dataset, [{ name, content }]);
  await lab.work();
  return id!;
}

const findingsOf = async (id: DocumentId) =>
  (await lab.get(FindingsRepository).listVisible(lab.owner.ctx, { document_id: id, skip: 0, limit: 20 })).items;
const quarantinesOf = async () =>
  (
    await lab
      .get(QuarantineService)
      .list(lab.owner.ctx, { dataset_id: dataset, skip: 0, limit: 20, order_by: '-quarantined_at' })
  ).items;

describe('a change of name, metadata or tags under a rule that quarantines', () => {
  it.each([
    ['name', { name: `${MAIL}.md` }],
    ['metadata', { metadata: { author: MAIL } }],
    ['tags', { tags: [MAIL] }],
  ])('quarantines the document because of its %s, with the finding, in the same transaction', async (place, patch) => {
    await withRule('quarantine');
    const id = await ingest();
    const { ctx, accountId } = lab.owner;
    const after = await lab.get(DocumentUpdatesService).update(ctx, id, patch);
    expect(after).toMatchObject({ status: 'quarantined', searchable: false, ...patch });
    expect(await findingsOf(id)).toMatchObject([{ place, entity_type: 'email', action: 'quarantine' }]);
    expect(await quarantinesOf()).toMatchObject([
      { document_id: id, quarantined_by: accountId, findings: [{ entity_type: 'email', count: 1 }] },
    ]);
  });

  it('quarantines it again for another value after a release, which accepted the first value', async () => {
    await withRule('quarantine');
    const id = await ingest();
    const { ctx } = lab.owner;
    const updates = lab.get(DocumentUpdatesService);
    await updates.update(ctx, id, { metadata: { author: MAIL } });
    await lab.get(QuarantineService).release(ctx, [id]);
    await lab.work();
    expect(await updates.update(ctx, id, { tags: ['plain'] })).toMatchObject({ status: 'completed' });
    const other = MAIL.replace('anna', 'emma');
    expect(await updates.update(ctx, id, { metadata: { reader: other } })).toMatchObject({ status: 'quarantined' });
  });

  it('leaves a quarantined document in quarantine, and records the new finding', async () => {
    await withRule('quarantine');
    const id = await ingest();
    await lab.get(QuarantineService).quarantine(lab.owner.ctx, { document_ids: [id], reason: 'By hand' });
    await lab.get(DocumentUpdatesService).update(lab.owner.ctx, id, { name: `${MAIL}.md` });
    expect(await quarantinesOf()).toMatchObject([{ document_id: id, reason: 'By hand' }]);
    expect(await findingsOf(id)).toMatchObject([{ place: 'name' }]);
  });
});

describe('a reingest under a rule that masks', () => {
  it('removes the value from all tables, including former generations, timelines and events', async () => {
    const mail = 'otto.brandvold@kestrel-survey.org';
    const id = await ingest(`${mail}.md`, `# Ask ${mail}\n\nWrite to ${mail} for a place.`);
    const { ctx } = lab.owner;
    await lab.get(DocumentUpdatesService).update(ctx, id, { metadata: { author: mail }, tags: [mail] });
    await withRule('mask');
    await lab.get(DocumentTransitions).reingest(ctx, [id]);
    await lab.work();
    await lab.clean(dataset);
    const tables = await lab.system<{ name: string }>(
      `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const text = `SELECT t::text AS row FROM ${name} t WHERE t::text LIKE '%otto.brandvold%'`;
      const rows = await lab.query<{ row: string }>(text, []).catch(() => []);
      found.push(...rows.map(({ row }) => `${name}: ${row.slice(0, 300)}`));
    }
    expect(found).toEqual([]);
  });
});
