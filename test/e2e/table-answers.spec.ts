import OpenAI from 'openai';
import { utils, write } from '@e965/xlsx';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient, Citation } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import { addMember, addTenant, personOf, withApiKey } from '../support/people.js';
import { useTenant } from '../support/shared-service.js';

type RowCitation = Citation & {
  readonly table_id?: string;
  readonly sheet?: string | null;
  readonly row?: number;
  readonly source_char_start: number;
  readonly source_char_end: number;
};

interface Answer {
  readonly request_id: string;
  readonly choices: readonly { readonly message: { readonly content: string }; readonly finish_reason: string }[];
  readonly citations: readonly RowCitation[];
  readonly sources: readonly object[];
  readonly refusal: { readonly code: string } | null;
  readonly grounding: { readonly status: string; readonly method: string; readonly answered: number } | null;
  readonly retrieval: {
    readonly table: { readonly table: string; readonly sql: string; readonly row_count: number } | null;
  };
}

const HARBOURS = `Harbour,Country,Berths,Opened,Guarded
Nordhafen,Denmark,120,2001-04-03,yes
Port Ambre,France,340,1998-06-12,no
Calla Vieja,Spain,95,2010-09-30,yes
Port Lys,France,210,2015-01-20,yes
Total,,765,,
`;
const FEES =
  '<h1>Fees</h1><p>Fees are due at the beginning of the month. The harbour master grants members a discount of ten percent.</p>' +
  '<table><tr><th>Service</th><th>Fee</th></tr><tr><td>Mooring</td><td>1,250.50</td></tr><tr><td>Towing</td><td>430.00</td></tr></table>';
const CREW = `# Crew

The crew meets every Monday at nine. The captain of the association is elected for three years.

| Name | Role | Salary |
|---|---|---|
| Ada Berg | pilot | 4200 |
| Bo Lind | engineer | 3900 |
| Cleo Park | pilot | 4550 |
`;
const HANDBOOK = `The association was founded in 1932 by Ingrid Solberg in Bergen. It has 250 employees and eleven harbours.
Members pay their fees by bank transfer within thirty days. The average waiting time for a berth is four months.
The most popular harbour festival takes place in August.
`;
const FERRIES = `Ferry,Seats\n${Array.from({ length: 40 }, (_, index) => `Ferry ${index + 1},${100 + index}`).join('\n')}\n`;
/** Seconds that a first statement over tables may take on a busy machine. */
const PATIENCE = 60_000;

const service = useTenant();
let dataset: string;
let harbours: string;

function workbook(): Uint8Array {
  const book = utils.book_new();
  const articles = [
    ['Article', 'Price', 'Units sold'],
    ['Bolt', 0.35, 1200],
    ['Nut', 0.2, 900],
  ];
  const cities = [
    ['City', 'Population'],
    ['Bergen', 285_000],
    ['Oslo', 709_000],
  ];
  utils.book_append_sheet(book, utils.aoa_to_sheet(articles), 'Articles');
  utils.book_append_sheet(book, utils.aoa_to_sheet(cities), 'Cities');
  return write(book, { type: 'buffer', bookType: 'xlsx' }) as Uint8Array;
}

async function ask(question: string, more: object = {}, client: ApiClient = service.admin): Promise<Answer> {
  const body = { messages: [{ role: 'user', content: question }], dataset_ids: [dataset], ...more };
  return client.post<Answer>('/chat/completions', body);
}

let stock: string | undefined;

async function makeStock(client: ApiClient): Promise<string> {
  const made = await client.createDataset('Lager', { acl: 'all_team_members' });
  await ingest(client, made, {
    name: 'lager.csv',
    content: 'Artikel;Lagerort;Bestand\nMasken;Hull;300\nKittel;Leeds;250\nHandschuhe;Hull;40\n',
  });
  return made;
}

const contentOf = (answer: Answer): string => answer.choices[0]!.message.content;

/** Every citation is in the document's own text, row by row. */
async function expectProved({ citations }: Answer): Promise<void> {
  for (const { document_id: id, source_char_start: start, source_char_end: end, ...citation } of citations) {
    const text = await service.admin.get<string>(`/documents/${id}/text?start=${start}&end=${end}`);
    expect(citation).toMatchObject({ verified: true, cited_text: text });
    const chunks = await service.admin.get<{ items: { chunk_id: string; text: string }[] }>(
      `/documents/${id}/chunks?limit=100`,
    );
    expect(chunks.items.find(({ chunk_id }) => chunk_id === citation.chunk_id)?.text).toContain(text);
  }
}

describe('chats over datasets with tables', () => {
  beforeAll(async () => {
    const { admin } = service;
    dataset = await admin.createDataset('Harbours and prose', { acl: 'all_team_members' });
    harbours = (await ingest(admin, dataset, { name: 'harbours.csv', content: HARBOURS })).id;
    const others = {
      'fees.html': FEES,
      'crew.md': CREW,
      'handbook.txt': HANDBOOK,
      'ferries.csv': FERRIES,
      'book.xlsx': workbook(),
    };
    for (const [name, content] of Object.entries(others)) await ingest(admin, dataset, { name, content });
  }, PATIENCE);

  it.each([
    [
      'How many harbours are in France?',
      'is 2',
      [
        ['harbours', null, 3, 'Port Ambre | France | 340 | 1998-06-12 | no'],
        ['harbours', null, 5, 'Port Lys | France | 210 | 2015-01-20 | yes'],
      ],
    ],
    [
      'What is the total number of berths in France?',
      'is 550, computed from 2 rows',
      [
        ['harbours', null, 3],
        ['harbours', null, 5],
      ],
    ],
    [
      'What is the average number of berths?',
      'is 191.25, computed from 4 rows',
      [2, 3, 4, 5].map((row) => ['harbours', null, row]),
    ],
    [
      'Which harbour has the most berths?',
      'Port Ambre (“Berths” 340) [1]. 4 rows were compared',
      [['harbours', null, 3]],
    ],
    [
      'Which harbours were opened after 2005?',
      'Calla Vieja [1]; Port Lys [2]',
      [
        ['harbours', null, 4],
        ['harbours', null, 5],
      ],
    ],
    ['What is the fee of towing?', 'is 430', [['fees', null, 3, 'Towing | 430.00']]],
    ['What is the salary of Bo Lind?', 'is 3900', [['crew', null, 4, '| Bo Lind | engineer | 3900 |']]],
    [
      'What is the difference in salary between Ada Berg and Cleo Park?',
      'is 350',
      [
        ['crew', null, 3],
        ['crew', null, 5],
      ],
    ],
    ['What is the price of Bolt?', 'is 0.35', [['book_articles', 'Articles', 2, 'Bolt | 0.35 | 1200']]],
    ['Which city has the highest population?', 'Oslo', [['book_cities', 'Cities', 3]]],
  ] as const)(
    'answer from a table: %s',
    async (question, words, rows) => {
      const answer = await ask(question);
      expect(contentOf(answer)).toContain(words);
      expect(answer.retrieval.table?.sql).toMatch(/^SELECT /);
      expect(answer.grounding).toMatchObject({ status: 'supported', method: 'table' });
      const cited = answer.citations.map(({ table_id, sheet, row, cited_text }) => [table_id, sheet, row, cited_text]);
      expect(cited).toEqual(rows.map(([table, sheet, row, text]) => [table, sheet, row, text ?? expect.any(String)]));
      expect(answer.sources).toHaveLength(rows.length);
      await expectProved(answer);
    },
    PATIENCE,
  );

  it.each([
    ['How many employees does the association have?', '250'],
    ['How many employees are there?', '250'],
    ['When was the association founded?', '1932'],
    ['What is the average waiting time for a berth?', 'four months'],
    ['Which harbour festival is the most popular?', 'August'],
    ['What discount does the harbour master grant members?', 'ten percent'],
    ['When does the crew meet?', 'Monday'],
    ['How long is the captain elected?', 'three years'],
    ['How many harbours does the association have?', 'eleven'],
  ])('leave to prose what prose answers: %s', async (question, words) => {
    const answer = await ask(question);
    expect(answer.retrieval.table).toBeNull();
    expect(contentOf(answer)).toContain(words);
    expect(answer.citations[0]).not.toHaveProperty('table_id');
  });

  it.each([
    [
      'Wie hoch ist der Bestand der Handschuhe?',
      '„Bestand“ in der Tabelle „lager.csv“ mit „Artikel“ = „Handschuhe“: 40 [1].',
    ],
    ['Wie hoch ist der gesamte Bestand in Hull?', 'ist 340, berechnet aus 2 Zeilen [1][2].'],
  ])(
    'are said in the language of the question: %s',
    async (question, words) => {
      stock ??= await makeStock(service.admin);
      const answer = await ask(question, { dataset_ids: [stock] });
      expect(contentOf(answer)).toContain(words);
      expect(answer.grounding).toMatchObject({ status: 'supported', method: 'table' });
      await expectProved(answer);
    },
    PATIENCE,
  );

  it('say how many rows are not cited', async () => {
    const answer = await ask('What is the total number of seats?');
    expect(answer.retrieval.table?.row_count).toBe(40);
    expect(contentOf(answer)).toMatch(/is 4780, computed from 40 rows; 20 of these rows are cited and 20 more are not/);
    expect(answer.citations).toHaveLength(20);
    await expectProved(answer);
  });

  it('refuse what neither answers', async () => {
    const answer = await ask('Which submarine sank in the storm of 1911?');
    expect(answer.refusal).not.toBeNull();
    expect(answer.citations).toEqual([]);
    expect(answer.retrieval.table).toBeNull();
  });

  it('show with strict grounding what is computed, and measure nothing without grounding', async () => {
    const question = 'What is the total number of berths in France?';
    expect(contentOf(await ask(question, { grounding: 'strict' }))).toContain('is 550');
    expect((await ask(question, { grounding: 'off' })).grounding).toBeNull();
  });

  it('end at a stop text and at the limit of tokens, with the citations that are left', async () => {
    const question = 'Which harbours were opened after 2005?';
    const stopped = await ask(question, { stop: '; Port' });
    expect(contentOf(stopped)).toMatch(/Calla Vieja \[1\]$/);
    expect(stopped.citations.map(({ marker }) => marker)).toEqual(['[1]']);
    const short = await ask(question, { max_tokens: 5 });
    expect(short.choices[0]!.finish_reason).toBe('length');
    expect(short.citations).toEqual([]);
  });

  it('choose rows by no filter: with one, fragments alone answer', async () => {
    const filters = { type: 'eq', key: 'document_name', value: 'handbook.txt' };
    const answer = await ask('How many harbours are in France?', { retrieval: { filters } });
    expect(answer.retrieval.table).toBeNull();
    expect(JSON.stringify(answer)).not.toContain('Port Ambre');
  });

  it('cite what a fragment says of a table as the whole row, for those who may query tables', async () => {
    const [question, filters] = [
      'What is the salary of Bo Lind?',
      { type: 'eq', key: 'document_name', value: 'crew.md' },
    ];
    const answer = await ask(question, { retrieval: { filters } });
    expect(answer.retrieval.table).toBeNull();
    expect(answer.citations).toContainEqual(
      expect.objectContaining({
        table_id: 'crew',
        sheet: null,
        row: 4,
        cited_text: expect.stringContaining('Bo Lind'),
      }),
    );
    expect(answer.citations.find(({ row }) => row === 4)!.cited_text).toMatch(/Bo Lind.*engineer.*3900/);
    await expectProved(answer);
    const owner = await personOf(service.admin, service.owner.email);
    const key = await withApiKey(owner, ['datasets:read', 'documents:read', 'retrieval:search', 'chat:complete']);
    const { citations } = await ask(question, { retrieval: { filters } }, key);
    expect(citations.length).toBeGreaterThan(0);
    for (const citation of citations) expect(citation).not.toHaveProperty('table_id');
  });

  it('stream the same answer to the official OpenAI client', async () => {
    const apiKey = service.admin.headers['Authorization']!.replace('Bearer ', '');
    const client = new OpenAI({ baseURL: service.url, apiKey, maxRetries: 0 });
    const question = 'What is the total number of berths in France?';
    const request = { model: 'default', messages: [{ role: 'user' as const, content: question }] };
    const extra = { dataset_ids: [dataset] };
    let text = '';
    let last: Partial<Answer> = {};
    for await (const chunk of await client.chat.completions.create({ ...request, ...extra, stream: true })) {
      text += chunk.choices[0]?.delta.content ?? '';
      last = chunk as unknown as Partial<Answer>;
    }
    const whole = await ask(question);
    expect(text).toBe(contentOf(whole));
    expect(last.citations).toEqual(whole.citations);
    expect(last.retrieval?.table?.sql).toBe(whole.retrieval.table!.sql);
  });

  it('are noted without the words of a statement or a row', async () => {
    const { request_id: id } = await ask('How many harbours are in France?');
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/replay'],
    ] as const) {
      const { status, body } = await service.admin.send(method, `/requests/${id}${path}`);
      expect(status).toBeLessThan(300);
      expect(JSON.stringify(body)).not.toMatch(/SELECT|Port Ambre/);
    }
  });

  it('answer from tables only for those who may query them and see the dataset', async () => {
    const question = 'What is the total number of berths in France?';
    const owner = await personOf(service.admin, service.owner.email);
    const viewer = await addMember(owner, 'table-answers@example.com', 'viewer');
    expect(contentOf(await ask(question, {}, viewer.client))).toContain('is 550');
    const key = await withApiKey(viewer, ['datasets:read', 'documents:read', 'retrieval:search', 'chat:complete']);
    const without = await ask(question, {}, key);
    expect(without.retrieval.table).toBeNull();
    expect(JSON.stringify(without)).not.toContain('is 550');
    const hidden = await service.admin.createDataset('Mine alone');
    await ingest(service.admin, hidden, { name: 'harbours.csv', content: HARBOURS });
    const stranger = await addTenant(service.platform, 'Answers elsewhere', 'answers-elsewhere@example.com');
    const messages = [{ role: 'user', content: question }];
    for (const [client, id] of [
      [viewer.client, hidden],
      [stranger.client, dataset],
    ] as const) {
      const { status } = await client.send('POST', '/chat/completions', { messages, dataset_ids: [id] });
      expect(status).toBe(404);
    }
  });

  it('have nothing of a document that is in quarantine', async () => {
    const question = 'What is the total number of berths in France?';
    const { admin } = service;
    await admin.post('/governance/quarantine', { document_ids: [harbours], reason: 'other' });
    const answer = await ask(question);
    expect(answer.retrieval.table).toBeNull();
    expect(JSON.stringify(answer)).not.toContain('is 550');
    await admin.post('/governance/quarantine/release', { document_ids: [harbours] });
    expect((await admin.pollUntilTerminal(harbours)).status).toBe('completed');
    expect(contentOf(await ask(question))).toContain('is 550');
  });
});
