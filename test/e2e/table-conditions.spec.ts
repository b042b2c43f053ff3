import { beforeAll, describe, expect, it } from 'vitest';
import { ingest } from '../support/fixtures.js';
import { useTenant } from '../support/shared-service.js';

interface Answer {
  readonly sql: string | null;
  readonly rows: readonly (readonly unknown[])[];
  readonly refused: boolean;
  readonly reason_code: string | null;
  readonly reason: string | null;
  readonly confidence: number;
}

interface Chat {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly refusal: { readonly code: string } | null;
  readonly retrieval: { readonly table: { readonly sql: string } | null };
}

const SALES = `Region,Rep,Revenue,Closed
North,Ida,1200,2024-01-15
North,Per,800,2024-02-20
South,Lea,2400,2024-02-28
South,Tom,950,2025-01-10
`;
const TICKETS = `Ticket,Agent,Minutes,Opened
5001,Ada,30,1974-03-01
5002,Ada,45,1981-05-02
5003,Bo,10,1979-11-30
5004,Bo,25,1982-07-04
`;
/** Seconds that a first statement over tables may take on a busy machine. */
const PATIENCE = 60_000;

const service = useTenant();
let dataset: string;
let tickets: string;

const ask = (question: string, id = dataset): Promise<Answer> =>
  service.admin.post<Answer>(`/datasets/${id}/tables/query/natural-language`, { question });
const chat = (question: string): Promise<Chat> =>
  service.admin.post<Chat>('/chat/completions', {
    messages: [{ role: 'user', content: question }],
    dataset_ids: [dataset],
  });

describe('a condition of a question over a table', () => {
  beforeAll(async () => {
    dataset = await service.admin.createDataset('Sales');
    tickets = await service.admin.createDataset('Tickets');
    await ingest(service.admin, dataset, { name: 'sales.csv', content: SALES });
    await ingest(service.admin, tickets, { name: 'tickets.csv', content: TICKETS });
  }, PATIENCE);

  it.each([
    ['What is the total revenue in the West?', 'west'],
    ['What is the total revenue last year?', 'last year'],
    ['What is the total revenue in summer?', 'summer'],
    ['What is the total revenue of Bob?', 'bob'],
    ['How many accidents were there in the North?', 'accidents'],
    ['How many deals were not closed in February?', 'not'],
    ['What is the total revenue before the merger?', 'before'],
    ['What is the total revenue of the North without returns?', 'returns'],
    ['Which region has the most accidents?', 'accidents'],
  ])(
    'that has no place in the statement is refused by its name: %s',
    async (question, word) => {
      const answer = await ask(question);
      expect(answer).toMatchObject({ refused: true, reason_code: 'condition_not_understood', sql: null, rows: [] });
      expect(answer.reason).toContain(word);
      expect(answer.reason).toContain('GET /datasets/{id}/tables');
      expect(answer.confidence).toBeLessThan(0.6);
    },
    PATIENCE,
  );

  it.each([
    ['What is the total revenue?', 5350],
    ['What is the total revenue in total, of all reps?', 5350],
    ['What is the total revenue in the North?', 2000],
    ['What is the total revenue outside the North?', 3350],
    ['What is the total revenue in Feb?', 3200],
    ['What is the total revenue in January and February 2024?', 4400],
    ['What is the total revenue in Q1 2024?', 4400],
    ['What is the total revenue before February 2024?', 1200],
    ['What is the total revenue between January 2024 and January 2025?', 5350],
    ['What is the total revenue in 2024 and 2025?', 5350],
    ['What is the total revenue in 2023?', null],
  ])(
    'has its place in the statement: %s',
    async (question, value) => {
      const answer = await ask(question);
      expect(answer.reason).toBeNull();
      expect(answer.rows).toEqual([[value]]);
    },
    PATIENCE,
  );

  it('is a decade in either form, and no number that names something is added up', async () => {
    for (const decade of ['1970s', "1970's", '1970’s'])
      expect((await ask(`How many tickets were opened in the ${decade}?`, tickets)).rows).toEqual([[2]]);
    expect((await ask('How many tickets does Ada have?', tickets)).rows).toEqual([[2]]);
    for (const question of ['What is the total of the tickets?', 'What is the average ticket of Ada?']) {
      const answer = await ask(question, tickets);
      expect(answer.sql ?? '').not.toMatch(/sum\(|avg\(/);
    }
  });

  it.each(['What is the total revenue in the West?', 'What is the total revenue last year?'])(
    'is not left out by a chat either: %s',
    async (question) => {
      const answer = await chat(question);
      expect(answer.retrieval.table).toBeNull();
      expect(answer.choices[0]!.message.content).not.toMatch(/5350|1200|2400/);
      expect(answer.refusal).not.toBeNull();
    },
    PATIENCE,
  );

  it('is answered by a chat where it has its place', async () => {
    const answer = await chat('What is the total revenue?');
    expect(answer.choices[0]!.message.content).toContain('5350');
    expect((await chat('What is the total revenue in the North?')).choices[0]!.message.content).toContain('2000');
  });
});
