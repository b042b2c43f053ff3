import { describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { uploadForm, type ApiClient, type DocumentRecord, type UploadFile } from '../support/api-client.js';
import { useService } from '../support/service-process.js';

/** How often each way of changing the document is gone through. */
const TURNS = 2;
const NAME = 'crew.md';
const MASK = '█';

/** What a document shows; `nothing` while it is in quarantine, and once it is deleted. */
type Showing = 'north' | 'south' | 'masked' | 'nothing';

/** Ways to what documents show, with what they answer when nothing is shown. */
const SURFACES: Readonly<Record<string, { ask: (dataset: string) => [string, string, object?]; empty: string }>> = {
  search: {
    ask: (id) => ['POST', '/retrieval/search', { query: 'keepers of the lighthouse', dataset_ids: [id] }],
    empty: '200',
  },
  tables: { ask: (id) => ['GET', `/datasets/${id}/tables`], empty: '200' },
  table: { ask: (id) => ['GET', `/datasets/${id}/tables/crew`], empty: '404 tables.not_found' },
  sql: {
    ask: (id) => ['POST', `/datasets/${id}/tables/query/sql`, { sql: 'SELECT * FROM crew ORDER BY boats' }],
    empty: '422 sql.unknown_table',
  },
  question: {
    ask: (id) => [
      'POST',
      `/datasets/${id}/tables/query/natural-language`,
      { question: 'Which keeper has the most boats?' },
    ],
    empty: '200',
  },
  chat: {
    ask: (id) => [
      'POST',
      '/chat/completions',
      { messages: [{ role: 'user', content: 'Which keeper has the most boats?' }], dataset_ids: [id] },
    ],
    empty: '200',
  },
  'filter of documents': {
    ask: (id) => ['POST', `/datasets/${id}/semantic-filter`, { predicate: 'mentions a lighthouse' }],
    empty: '200',
  },
  'filter of rows': {
    ask: (id) => ['POST', `/datasets/${id}/semantic-filter`, { predicate: 'mentions a lighthouse', target: 'rows' }],
    empty: '200',
  },
  graph: { ask: (id) => ['GET', `/kg/${id}/graph`], empty: '200' },
};

/** One answer. Times in milliseconds of one clock. */
interface Look {
  readonly surface: string;
  readonly begun: number;
  readonly ended: number;
  readonly status: string;
  readonly text: string;
}

/** From when on the document may show this, and from when on it must. */
interface Phase {
  readonly showing: Showing;
  readonly asked: number;
  readonly answered: number;
}

const service = useService();

const KEEPERS = { north: ['Maren Oxley', 'Quentin Marlow'], south: ['Sigrid Holm', 'Tomas Vale'] } as const;

/** The crew of one side: its heading, its sentences and its rows tell by their addresses, and its names, whose they are. */
function crewOf(side: keyof typeof KEEPERS, turn: number): UploadFile {
  const [first, second] = KEEPERS[side];
  const mail = (name: string): string => `${name.split(' ', 1)[0]!.toLowerCase()}@${side}.example.org`;
  const lines = [
    `# Crew of ${mail(first)}`,
    `The lighthouse is kept by ${mail(first)} in year ${turn + 1}. ${first} leads the Coastal Survey Trust in Leeds. ` +
      `${first} met ${second} in Hull. ${second} lives in Hull.`,
    ['| Keeper | Duty | Boats |', '|---|---|---|'].join('\n') +
      `\n| ${mail(first)} | sweeps the lighthouse stairs | ${turn + 11} |` +
      `\n| ${mail(second)} | paints the lighthouse door | ${turn + 12} |`,
  ];
  return { name: NAME, content: `${lines.join('\n\n')}\n` };
}

/** Asks one surface after the other, without a pause, until it is stopped; tells what no order of changes explains. */
class Watcher {
  private readonly looks: Look[] = [];
  private readonly phases: Phase[] = [];
  private readonly marks = new Map<string, Set<string>>([
    ['north', new Set(['north.example', ...KEEPERS.north])],
    ['south', new Set(['south.example'])],
    ['masked', new Set([MASK])],
  ]);
  private rounds = 0;
  private isOver = false;
  private readonly watching: Promise<void>;

  constructor(
    private readonly client: ApiClient,
    private readonly dataset: string,
    private readonly document: string,
    showing: Showing,
  ) {
    this.phases.push({ showing, asked: 0, answered: 0 });
    this.watching = this.watch();
    // Told by anyone who stops it.
    this.watching.catch(() => undefined);
  }

  /** Carries out a change that makes the document show something else, and waits until all surfaces were asked since. */
  async change(showing: Showing, carryOut: () => Promise<unknown>): Promise<void> {
    const asked = performance.now();
    await carryOut();
    this.phases.push({ showing, asked, answered: performance.now() });
    await this.learn(showing);
    await this.goRound();
  }

  /** The chunks of this moment belong to what is shown. */
  async learn(showing: Showing): Promise<void> {
    if (showing === 'nothing') return;
    const path = `/documents/${this.document}/chunks?limit=100`;
    const { items } = await this.client.get<{ items: readonly { chunk_id: string }[] }>(path);
    for (const { chunk_id: id } of items) this.marks.get(showing)!.add(id);
  }

  /** Waits until every surface was asked once from now on. */
  async goRound(): Promise<void> {
    const wanted = this.rounds + 2;
    await until(() => this.isOver || this.rounds >= wanted, { what: 'a round of all surfaces' });
  }

  async stop(): Promise<readonly Look[]> {
    this.isOver = true;
    await this.watching;
    return this.looks;
  }

  /** Answers that show what they must not, by the order of the changes and of the answers before. */
  findBreaches(): string[] {
    const breaches: string[] = [];
    let phase = 0;
    for (const look of this.looks) {
      const showing = this.showingOf(look);
      const least = Math.max(
        phase,
        this.phases.findLastIndex(({ answered }) => answered <= look.begun),
      );
      const most = this.phases.findLastIndex(({ asked }) => asked <= look.ended);
      const possible = this.phases.slice(least, most + 1).map((each) => each.showing);
      const fits = possible.findIndex((each) => each === showing);
      if (fits < 0) breaches.push(`${look.surface} showed ${showing}, not ${possible.join(' or ')}: ${look.text}`);
      else phase = least + fits;
    }
    return breaches;
  }

  private showingOf({ surface, status, text }: Look): string {
    const seen = [...this.marks].filter(([, own]) => [...own].some((mark) => text.includes(mark)));
    if (seen.length > 0) return seen.map(([showing]) => showing).join(' and ');
    return status === '200' || status === SURFACES[surface]!.empty ? 'nothing' : status;
  }

  private async watch(): Promise<void> {
    try {
      while (!this.isOver) {
        for (const surface of Object.keys(SURFACES)) await this.look(surface);
        this.rounds += 1;
      }
    } finally {
      this.isOver = true;
    }
  }

  private async look(surface: string): Promise<void> {
    const begun = performance.now();
    const { status, body } = await this.client.send<{ code?: string }>(...SURFACES[surface]!.ask(this.dataset));
    const code = status === 200 ? '200' : `${status} ${body.code}`;
    this.looks.push({ surface, begun, ended: performance.now(), status: code, text: JSON.stringify(body) });
  }
}

describe('A document that changes', () => {
  let dataset: string;
  let id: string;

  /** The end of what was begun; nothing else may come of it. */
  async function settle(): Promise<void> {
    const { status } = await service.admin.pollUntilTerminal(id, { intervalMs: 20 });
    expect(status).toBe('completed');
  }

  async function usePolicy(sections: object): Promise<void> {
    const path = `/datasets/${dataset}/ingestion-policy`;
    const { policy } = await service.admin.get<{ policy: { governance: object } }>(path);
    const answer = await service.admin.send('PUT', path, { ...policy, ...sections });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }

  async function hide(action: 'mask' | 'allow'): Promise<void> {
    const { policy } = await service.admin.get<{ policy: { governance: object } }>(
      `/datasets/${dataset}/ingestion-policy`,
    );
    await usePolicy({ governance: { ...policy.governance, detectors: [{ entity_type: 'email', action }] } });
  }

  async function revise(file: UploadFile): Promise<void> {
    const form = uploadForm(file, { dataset_id: dataset, on_duplicate: 'new_revision' });
    const revised = await service.admin.post<DocumentRecord>('/documents/upload', form);
    expect(revised.id).toBe(id);
    await settle();
  }

  async function turnOf(watcher: Watcher, turn: number): Promise<void> {
    const { admin } = service;
    const documents = { document_ids: [id] };
    await watcher.change('nothing', () =>
      admin.post('/governance/quarantine', { ...documents, reason: 'Under review' }),
    );
    await watcher.change('north', () => admin.post('/governance/quarantine/release', documents));
    await settle();
    await watcher.learn('north');
    await watcher.change('south', () => revise(crewOf('south', turn)));
    await hide('mask');
    await watcher.change('masked', async () => {
      await admin.post('/documents/batch/reingest', documents);
      await settle();
    });
    await hide('allow');
    await watcher.change('north', () => revise(crewOf('north', turn + 1)));
  }

  it('changes for search, tables, questions, chats, filters and graphs at the same moment', async () => {
    const { admin } = service;
    dataset = await admin.createDataset('Lighthouses');
    await usePolicy({ kg: { mode: 'heuristic' } });
    id = (await admin.upload(dataset, crewOf('north', 0))).id;
    await settle();
    const watcher = new Watcher(admin, dataset, id, 'north');
    let looks: readonly Look[] = [];
    try {
      await watcher.learn('north');
      await watcher.goRound();
      for (let turn = 0; turn < TURNS; turn += 1) await turnOf(watcher, turn);
      await watcher.change('nothing', () => admin.delete(`/documents/${id}`));
    } finally {
      looks = await watcher.stop();
    }
    expect(watcher.findBreaches()).toEqual([]);
    expect(looks.length).toBeGreaterThan(TURNS * 5 * Object.keys(SURFACES).length);
    const chats = looks.filter(({ surface }) => surface === 'chat');
    expect(chats.some(({ text }) => text.includes('"method":"table"'))).toBe(true);
  });
});
