import { beforeAll, describe, expect, it } from 'vitest';
import { ingest } from '../support/fixtures.js';
import { useTenant } from '../support/shared-service.js';

interface Answer {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly refusal: { readonly code: string } | null;
  readonly grounding: { readonly status: string; readonly method: string } | null;
  readonly retrieval: { readonly table: { readonly sql: string; readonly assumptions: readonly string[] } | null };
}

const HANDBOOK = `Shifts at the depot are day, night and off. Whoever works on Thursday nights hands over to the day shift in writing. A day off is swapped with the depot lead two days before.
Repairs above 200 euros are paid only after the depot lead has agreed. Holm Ltd and other firms are paid within thirty days.
A canoe is had for half a day or a whole day. How much a canoe costs is on the price list at the jetty.
`;
const ROSTER = `Name,Mon 2 March,Tue 3 March,Wed 4 March,Thu 5 March,Fri 6 March
Ada Kerr,Day,Night,Off,Day,Day
Bo Lund,Off,Day,Night,Night,Off
Cy Maine,Night,Off,Off,Off,Night
`;
const REPAIRS = `device,fault,firm,status,cost_eur
Band saw,Belt torn,Holm Ltd,done,120
Drill 3,No power,Ruiz,done,45
Crane,Hook bent,Holm Ltd,done,310
Pump,Seal leaking,,open,
`;
const HIRE =
  '<h1>Hire</h1><p>Boats are had at the jetty.</p><table><tr><th>Boat</th><th>1 hour</th><th>Half day</th><th>Full day</th></tr>' +
  '<tr><td>Canoe</td><td>9</td><td>24</td><td>39</td></tr><tr><td>Raft</td><td>12</td><td>30</td><td>52</td></tr></table>';
/** Seconds that a first statement over tables may take on a busy machine. */
const PATIENCE = 60_000;

const service = useTenant();
let dataset: string;

async function ask(question: string): Promise<Answer> {
  const body = { messages: [{ role: 'user', content: question }], dataset_ids: [dataset] };
  return service.admin.post<Answer>('/chat/completions', body);
}

describe('chats over rosters, logs of repairs and price lists beside prose', () => {
  beforeAll(async () => {
    const { admin } = service;
    dataset = await admin.createDataset('Depot', { acl: 'all_team_members' });
    const files = {
      'handbook.txt': HANDBOOK,
      'roster-2026.csv': ROSTER,
      'workshop-log.csv': REPAIRS,
      'hire.html': HIRE,
    };
    for (const [name, content] of Object.entries(files)) await ingest(admin, dataset, { name, content });
  }, PATIENCE);

  it.each([
    ['Who is on nights on Thursday 5 March?', ['Bo Lund'], ['Ada', 'Cy']],
    ['Who has the day off on Wednesday 4 March?', ['Ada Kerr', 'Cy Maine'], ['Bo Lund']],
    ['Wer hat am 4. März frei?', ['Ada Kerr', 'Cy Maine'], ['Bo Lund']],
    ['Is Bo working on Friday?', ['Off'], []],
    ['How much did we pay Holm Ltd altogether according to the repair list?', ['430'], []],
    ['How much is the canoe for a whole day?', ['39'], ['24']],
  ])(
    '%s',
    async (question, has, hasNot) => {
      const { choices, grounding, retrieval } = await ask(question);
      expect(retrieval.table?.sql).toBeDefined();
      expect(grounding).toMatchObject({ status: 'supported', method: 'table' });
      const { content } = choices[0]!.message;
      for (const part of has) expect(content).toContain(part);
      for (const part of hasNot) expect(content).not.toContain(part);
    },
    PATIENCE,
  );

  it.each([
    'Who is on nights on Thursday 12 March?',
    'Who is on nights on Thursday 4 March?',
    'Which crashes have the status open?',
    'How much did we pay Holm Ltd last year?',
    'How much is the canoe for a whole week?',
  ])(
    'no table answers where a day, a time or a thing is not one of it: %s',
    async (question) => {
      expect((await ask(question)).retrieval.table).toBeNull();
    },
    PATIENCE,
  );
});
