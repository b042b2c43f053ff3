import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.js';
import { addMember, addTenant, personOf } from '../support/people.js';
import { useTenant } from '../support/shared-service.js';

interface Answer {
  readonly sql: string | null;
  readonly explanation: string | null;
  readonly assumptions: readonly string[];
  readonly confidence: number;
  readonly table: string | null;
  readonly rows: readonly (readonly unknown[])[];
  readonly row_count: number;
  readonly row_sources: readonly { readonly document_id: string; readonly row: number }[] | null;
  readonly source_documents: readonly { readonly document_id: string }[];
  readonly executed: boolean;
  readonly refused: boolean;
  readonly reason_code: string | null;
  readonly reason: string | null;
  readonly code: string;
  readonly errors: readonly { readonly pointer: string }[];
}

const HARBOURS = `Harbour,Country,Berths,Opened,Guarded
Nordhafen,Denmark,120,2001-04-03,yes
Port Ambre,France,340,1998-06-12,no
Calla Vieja,Spain,95,2010-09-30,yes
Port Lys,France,210,2015-01-20,yes
Total,,765,,
`;
const FERRIES = 'Ferry,Operator,Seats\nAsta,Blue Lines,400\nBirk,Blue Lines,250\nCara,Nordsee,310\n';

const service = useTenant();
let dataset: string;
let harbours: string;

const ask = (client: ApiClient, id: string, body: unknown) =>
  client.send<Answer>('POST', `/datasets/${id}/tables/query/natural-language`, body);
const answerOf = async (question: string): Promise<Answer> => (await ask(service.admin, dataset, { question })).body;

describe('questions over tables', () => {
  beforeAll(async () => {
    const { admin } = service;
    dataset = await admin.createDataset('Questions over tables');
    harbours = (await admin.upload(dataset, { name: 'harbours.csv', content: HARBOURS })).id;
    const ferries = (await admin.upload(dataset, { name: 'ferries.csv', content: FERRIES })).id;
    for (const id of [harbours, ferries]) expect((await admin.pollUntilTerminal(id)).status).toBe('completed');
  });

  it.each([
    ['How many harbours are in France?', [[2]]],
    ['Which harbour has the most berths?', [['Port Ambre']]],
    ['What is the total number of berths in France?', [[550]]],
    ['What is the average number of berths?', [[191.25]]],
    ['Which harbours were opened after 2005?', [['Calla Vieja'], ['Port Lys']]],
    ['How many harbours have more than 100 berths?', [[3]]],
    ['Which harbour is not guarded?', [['Port Ambre']]],
    ['Who is the operator of Birk?', [['Blue Lines']]],
    ['What is the difference in seats between Asta and Cara?', [[90]]],
    ['Which ferry is listed after Asta?', [['Birk']]],
  ])('%s', async (question, rows) => {
    const answer = await answerOf(question);
    expect(answer.reason).toBeNull();
    expect(answer.rows).toEqual(rows);
    expect(answer).toMatchObject({ executed: true, refused: false, row_count: rows.length });
    expect(answer.confidence).toBeGreaterThan(0.5);
  });

  it('say where rows come from, and give a statement that can be carried out', async () => {
    const answer = await answerOf('Which harbours are in France?');
    expect(answer.row_sources).toEqual([
      { document_id: harbours, sheet: null, row: 3 },
      { document_id: harbours, sheet: null, row: 5 },
    ]);
    expect(answer.source_documents).toMatchObject([{ document_id: harbours }]);
    const again = await service.admin.send<Answer>('POST', `/datasets/${dataset}/tables/query/sql`, {
      sql: answer.sql,
    });
    expect(again.body.rows).toEqual(answer.rows);
    expect(answer.explanation).toContain('“Country” is “France”');
  });

  it('give the statement alone in a dry run', async () => {
    const { body } = await ask(service.admin, dataset, { question: 'How many harbours are in Spain?', dry_run: true });
    expect(body).toMatchObject({ executed: false, refused: false, rows: [], row_count: 0, table: 'harbours' });
    expect(body.sql).toContain("country = 'Spain'");
  });

  it('are refused rather than guessed', async () => {
    const answer = await answerOf('Which captain steered the oldest submarine through the storm?');
    expect(answer).toMatchObject({ refused: true, executed: false, sql: null, rows: [] });
    expect(answer.reason_code).toBe('condition_not_understood');
    expect(answer.reason).toContain('captain');
    expect(answer.reason).toContain('GET /datasets/{id}/tables');
    const empty = await service.admin.createDataset('No tables');
    const none = await ask(service.admin, empty, { question: 'How many?' });
    expect([none.status, none.body.reason_code]).toEqual([200, 'no_tables']);
  });

  it.each([
    ['no question', {}, '/question'],
    ['an empty question', { question: '' }, '/question'],
    ['a blank question', { question: ' \n' }, '/question'],
    ['a number', { question: 5 }, '/question'],
    ['a question that is too long', { question: 'x'.repeat(1001) }, '/question'],
    ['a word for dry_run', { question: 'How many?', dry_run: 'yes' }, '/dry_run'],
    ['an unknown method', { question: 'How many?', method: 'magic' }, '/method'],
    ['a number for a method', { question: 'How many?', method: 1 }, '/method'],
    ['an unknown field', { question: 'How many?', sql: 'SELECT 1' }, '/sql'],
  ])('are refused with 422 for %s', async (_what, body, pointer) => {
    const answer = await ask(service.admin, dataset, body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((error) => error.pointer)).toContain(pointer);
  });

  it('need a chat model where a request asks for one', async () => {
    const answer = await ask(service.admin, dataset, { question: 'How many harbours are there?', method: 'model' });
    expect([answer.status, answer.body.code]).toEqual([422, 'tables.chat_model_needed']);
    for (const method of ['auto', 'rules']) {
      const { body } = await ask(service.admin, dataset, { question: 'How many harbours are there?', method });
      expect(body).toMatchObject({ method: 'rules', model: null, rows: [[4]], warnings: [] });
    }
  });

  it('are refused where no word tells which table is meant', async () => {
    for (const question of ['Who finished first?', 'How many rows are there?', 'What is the last entry?']) {
      const answer = await answerOf(question);
      expect(answer, question).toMatchObject({ refused: true, rows: [] });
    }
    const { reason_code: code, reason } = await answerOf('How many rows are there?');
    expect(code).toBe('ambiguous');
    expect(reason).toMatch(/“ferries”.*“harbours”|“harbours”.*“ferries”|says which of the tables/);
  });

  it('are data, whatever they hold', async () => {
    for (const question of ["'; DROP TABLE harbours; --", "SELECT * FROM read_csv('/etc/passwd')", '\u202e“‘%_\\']) {
      expect((await ask(service.admin, dataset, { question })).status).toBe(200);
    }
  });

  it('are for those who see the dataset and may query tables', async () => {
    const owner = await personOf(service.admin, service.owner.email);
    const member = await addMember(owner, 'table-questions@example.com', 'viewer');
    const stranger = await addTenant(service.platform, 'Questions elsewhere', 'questions-elsewhere@example.com');
    for (const { client } of [member, stranger]) {
      expect((await ask(client, dataset, { question: 'How many harbours are in France?' })).status).toBe(404);
    }
  });

  it('leave out a document that is in quarantine or deleted', async () => {
    const { admin } = service;
    await admin.send('POST', '/governance/quarantine', { document_ids: [harbours], reason: 'other' });
    const answer = await answerOf('How many harbours are in France?');
    expect(answer.rows.flat()).not.toContain(2);
    expect(answer.table).not.toBe('harbours');
  });
});
