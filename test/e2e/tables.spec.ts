import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { makeXlsx, sheetRow } from '../../libs/parsing/src/testing/make-ooxml.js';
import type { ApiClient, UploadFile } from '../support/api-client.js';
import { addMember, addTenant, personOf, withApiKey } from '../support/people.js';
import { useTenant } from '../support/shared-service.js';

interface Table {
  readonly name: string;
  readonly kind: string;
  readonly row_count: number;
  readonly columns: readonly { readonly name: string; readonly type: string; readonly unit: string | null }[];
  readonly sources: readonly { readonly document_id: string; readonly sheet: string | null }[];
}
interface Result {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
  readonly truncated: boolean;
  readonly row_sources:
    readonly { readonly document_id: string; readonly sheet: string | null; readonly row: number }[] | null;
  readonly source_documents: readonly { readonly document_id: string; readonly document_name: string }[];
}
interface ScanRun {
  readonly status: string;
  readonly summary: { readonly sections: Readonly<Record<string, unknown>> };
}
interface Refusal {
  readonly code: string;
  readonly detail: string;
}

const PATIENCE = { withinMs: 60_000, everyMs: 100 };
const SALES = 'Region,Amount,Sold on\nNorth,"1,200.50",2024-01-03\nSouth,300,2024-02-01\nTotal,"1,500.50",\n';
const HTML = `<h1>Rates</h1><table><tr><th>Room</th><th>Rate</th></tr><tr><td>Large</td><td>12.5 %</td></tr><tr><td>Small</td><td>7 %</td></tr></table>`;
const MARKDOWN = `# Staff\n\n| Name | Since | Active |\n|---|---|---|\n| **Ada** | 2020-05-01 | yes |\n| Ben | 2021-06-02 | no |\n`;

const service = useTenant();
let dataset: string;
let sales: string;

async function add(client: ApiClient, into: string, file: UploadFile): Promise<string> {
  const { id } = await client.upload(into, file);
  expect((await client.pollUntilTerminal(id)).status).toBe('completed');
  return id;
}

const tablesOf = async (client: ApiClient, id: string): Promise<readonly Table[]> =>
  (await client.get<{ items: readonly Table[] }>(`/datasets/${id}/tables?limit=100`)).items;
const ask = (client: ApiClient, id: string, body: unknown) =>
  client.send<Result & Refusal>('POST', `/datasets/${id}/tables/query/sql`, body);
const typesOf = ({ columns }: Pick<Table, 'columns'>) =>
  Object.fromEntries(columns.map(({ name, type }) => [name, type]));

describe('tables of documents', () => {
  beforeAll(async () => {
    const { admin } = service;
    dataset = await admin.createDataset('Tables of many formats');
    sales = await add(admin, dataset, { name: 'Sales 2024.csv', content: SALES });
    await add(admin, dataset, { name: 'rates.html', content: HTML });
    await add(admin, dataset, { name: 'staff.md', content: MARKDOWN });
    const rows = [
      ['Item', 'Stock'],
      ['Lamp', 4],
      ['Chair', 11],
    ].map((cells, index) => sheetRow(index + 1, cells));
    await add(admin, dataset, { name: 'stock.xlsx', content: makeXlsx([{ name: 'Store', xml: rows.join('') }]) });
  });

  it('are listed with their columns, types, units and where they are', async () => {
    const tables = await tablesOf(service.admin, dataset);
    expect(tables.map(({ name, row_count }) => [name, row_count])).toEqual([
      ['rates', 2],
      ['sales_2024', 3],
      ['staff', 2],
      ['stock_store', 2],
    ]);
    const [rates, first, staff, stock] = tables;
    expect(typesOf(first!)).toEqual({ region: 'text', amount: 'number', sold_on: 'date' });
    expect(rates!.columns[1]).toMatchObject({ name: 'rate', type: 'number', unit: '%' });
    expect(typesOf(staff!)).toEqual({ name: 'text', since: 'date', active: 'boolean' });
    expect(stock!.sources).toMatchObject([{ sheet: 'Store' }]);
    const page = await service.admin.get<{ total: number; items: Table[] }>(
      `/datasets/${dataset}/tables?q=SOLD&limit=1`,
    );
    expect(page).toMatchObject({ total: 1, items: [{ name: 'sales_2024' }] });
  });

  it('say what their values are like, and what sums them up', async () => {
    const detail = await service.admin.get(`/datasets/${dataset}/tables/sales_2024`);
    expect(detail).toMatchObject({
      title: 'Sales 2024.csv',
      row_count: 3,
      total_rows: 1,
      fidelity: 'exact',
      columns: [
        { name: 'region', profile: { distinct: 2, nulls: 0 } },
        { name: 'amount', profile: { min: 300, max: 1200.5 } },
        { name: 'sold_on', profile: { min: '2024-01-03', max: '2024-02-01' } },
      ],
      sample_rows: [
        ['North', 1200.5, '2024-01-03'],
        ['South', 300, '2024-02-01'],
        ['Total', 1500.5, null],
      ],
    });
    const absent = await service.admin.send<Refusal>('GET', `/datasets/${dataset}/tables/none`);
    expect([absent.status, absent.body.code]).toEqual([404, 'tables.not_found']);
  });

  it('answer statements, with the place of each row or the documents', async () => {
    const { status, body } = await ask(service.admin, dataset, {
      sql: 'SELECT region FROM sales_2024 WHERE amount > ?',
      params: [400],
    });
    expect(status).toBe(200);
    expect(body.rows).toEqual([['North'], ['Total']]);
    expect(body.row_sources).toEqual([
      { document_id: sales, sheet: null, row: 2 },
      { document_id: sales, sheet: null, row: 4 },
    ]);
    const sum = await ask(service.admin, dataset, {
      sql: 'SELECT sum(amount) AS sum FROM sales_2024 WHERE NOT _total',
    });
    expect(sum.body).toMatchObject({ rows: [[1500.5]], row_sources: null, source_documents: [{ document_id: sales }] });
    const cut = await ask(service.admin, dataset, { sql: 'SELECT * FROM staff ORDER BY name', limit: 1 });
    expect(cut.body).toMatchObject({ rows: [['Ada', '2020-05-01', true]], truncated: true });
  });

  it.each([
    ['an unknown table', 'SELECT * FROM missing', 'sql.unknown_table', 'sales_2024'],
    ['another statement', 'DELETE FROM sales_2024', 'sql.not_one_select', 'SELECT'],
    ['a file', "SELECT * FROM read_csv('/etc/passwd')", 'sql.not_allowed', 'line 1, column 15'],
    ['a slip of the pen', 'SELEC region FROM sales_2024', 'sql.syntax', 'line 1, column 1'],
    ['an unknown column', 'SELECT colour FROM sales_2024', 'sql.invalid', 'colour'],
  ])('refuse %s and say where', async (_what, sql, code, told) => {
    const { status, body } = await ask(service.admin, dataset, { sql });
    expect([status, body.code]).toEqual([422, code]);
    expect(body.detail).toContain(told);
  });

  it('are seen by those alone who see the dataset', async () => {
    const owner = await personOf(service.admin, service.owner.email);
    const member = await addMember(owner, 'tables-viewer@example.com', 'viewer');
    const stranger = await addTenant(service.platform, 'Tables elsewhere', 'tables-elsewhere@example.com');
    for (const { client } of [member, stranger]) {
      expect((await client.send('GET', `/datasets/${dataset}/tables`)).status).toBe(404);
      expect((await client.send('GET', `/datasets/${dataset}/tables/staff`)).status).toBe(404);
      expect((await ask(client, dataset, { sql: 'SELECT 1 AS one' })).status).toBe(404);
    }
  });
});

describe('tables over the life of their documents', () => {
  const namesIn = async (id: string): Promise<string[]> => (await tablesOf(service.admin, id)).map(({ name }) => name);

  it('keep their name over revisions, make one of the same columns, and go with quarantine and deletion', async () => {
    const { admin } = service;
    const id = await admin.createDataset('Tables that change');
    const north = await add(admin, id, { name: 'north.csv', content: 'Item,Price\nLamp,12\n' });
    const south = await add(admin, id, { name: 'south.csv', content: 'Item,Price\nChair,40.5\n' });
    const [combined] = (await tablesOf(admin, id)).filter(({ kind }) => kind === 'combined');
    const all = { sql: `SELECT document, item, price FROM ${combined!.name} ORDER BY item` };
    expect((await ask(admin, id, all)).body.rows).toEqual([
      ['south.csv', 'Chair', 40.5],
      ['north.csv', 'Lamp', 12],
    ]);

    const revision = await admin.upload(
      id,
      { name: 'north.csv', content: 'Item,Price\nLamp,13\nShade,2\n' },
      { on_duplicate: 'new_revision' },
    );
    await admin.pollUntilTerminal(revision.id);
    const newest = (await tablesOf(admin, id)).filter(({ name }) => name.startsWith('north'));
    expect(newest.length).toBeGreaterThan(0);

    await admin.post('/governance/quarantine', { document_ids: [south], reason: 'A look at it' });
    expect(await namesIn(id)).not.toContain('south');
    expect((await ask(admin, id, { sql: 'SELECT * FROM south' })).body.code).toBe('sql.unknown_table');
    await admin.post('/governance/quarantine/release', { document_ids: [south] });
    await admin.pollUntilTerminal(south);
    expect(await namesIn(id)).toContain('south');

    await admin.send('DELETE', `/documents/${north}`);
    expect(
      (await tablesOf(admin, id)).flatMap(({ sources }) => sources.map(({ document_id: of }) => of)),
    ).not.toContain(north);
  });

  it('are in the profile of their dataset, with their columns for who may query them', async () => {
    const { admin } = service;
    const id = await admin.createDataset('Tables in a profile');
    await add(admin, id, { name: 'stock.csv', content: 'Item,Count,Sold on\nLamp,4,2024-01-03\nChair,,2024-02-01\n' });
    const { scan_run_id: run } = await admin.post<{ scan_run_id: string }>(`/datasets/${id}/profile/scans`, {});
    const read = (client: ApiClient) => client.get<ScanRun>(`/datasets/${id}/profile/scans/${run}`);
    await until(async () => (await read(admin)).status === 'completed', { what: 'the scan', ...PATIENCE });
    const counts = { tables: 1, rows: 2, documents: 1, guessed: 0, columns_by_type: { text: 1, integer: 1, date: 1 } };
    const columns = [
      { name: 'item', label: 'Item', type: 'text', unit: null, nulls: 0, distinct: 2, min: 'Chair', max: 'Lamp' },
      { name: 'count', label: 'Count', type: 'integer', unit: null, nulls: 1, distinct: 1, min: 4, max: 4 },
      {
        name: 'sold_on',
        label: 'Sold on',
        type: 'date',
        unit: null,
        nulls: 0,
        distinct: 2,
        min: '2024-01-03',
        max: '2024-02-01',
      },
    ];
    expect((await read(admin)).summary.sections['tables']).toEqual({
      ...counts,
      column_profiles: [{ table: 'stock', rows: 2, columns }],
    });
    const key = await withApiKey(await personOf(admin, service.owner.email), ['datasets:read']);
    expect((await read(key)).summary.sections['tables']).toEqual(counts);
  });

  it('follow the policy when their document is reingested, and hold what is masked as masked', async () => {
    const { admin } = service;
    const id = await admin.createDataset('Tables by policy');
    const document = await add(admin, id, {
      name: 'people.csv',
      content: 'Name,Mail\nAda,ada@example.org\nBen,ben@example.org\n',
    });
    const reingest = async (policy: object): Promise<void> => {
      await admin.send('PUT', `/datasets/${id}/ingestion-policy`, policy);
      const { updated_at: before } = await admin.get<{ updated_at: string }>(`/documents/${document}/status`);
      await admin.post('/documents/batch/reingest', { document_ids: [document] });
      const isDone = async (): Promise<boolean> => {
        const now = await admin.get<{ status: string; updated_at: string }>(`/documents/${document}/status`);
        return now.status === 'completed' && now.updated_at !== before;
      };
      await until(isDone, { what: 'the reingest', ...PATIENCE });
    };
    await reingest({ governance: { detectors: [{ entity_type: 'email', action: 'mask' }] } });
    const masked = await ask(admin, id, { sql: 'SELECT mail FROM people ORDER BY name' });
    expect(masked.body.rows).toEqual([['█'.repeat(15)], ['█'.repeat(15)]]);
    await reingest({ tables: { enabled: false } });
    expect(await namesIn(id)).toEqual([]);
  });
});
