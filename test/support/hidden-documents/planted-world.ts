import { expect } from 'vitest';
import { until } from '#testing/until';
import type { ApiClient, ChatAnswer, SearchAnswer } from '../api-client.js';
import { ingest } from '../fixtures.js';
import { buildGraph, type GraphPart } from '../knowledge-graphs.js';
import { addMember, personOf, type Person } from '../people.js';
import type { ServiceProcess } from '../service-process.js';

/** What becomes of a document once it has been read by everything. */
export type Fate = 'kept' | 'quarantined' | 'deleted' | 'superseded' | 'foreign';

/** A document of text and one with a table, under a station's name that is no secret, with a word that no other has. */
export interface Planted {
  readonly fate: Fate;
  readonly station: string;
  readonly word: string;
  readonly dataset: string;
  readonly text: string;
  readonly table: string;
}

/** What was made while every document was shown. */
export interface World {
  readonly anna: Person;
  readonly ben: Person;
  readonly cleo: Person;
  readonly shared: string;
  readonly foreign: string;
  readonly datasets: readonly string[];
  readonly planted: readonly Planted[];
  readonly graphs: readonly string[];
  readonly caseSets: readonly string[];
  readonly jobs: readonly string[];
  readonly profiles: readonly (readonly [dataset: string, scan: string])[];
  readonly prechecks: readonly (readonly [dataset: string, scan: string])[];
  readonly conversation: string;
  readonly shares: readonly string[];
  /** Recorded requests: a chat and a search for each document. */
  readonly asked: readonly string[];
  readonly tables: readonly (readonly [dataset: string, table: string])[];
  readonly entities: readonly Entity[];
  /** A document of the shared dataset that could not be ingested; deleted with the others. */
  readonly failed: string;
}

/** An entity that a planted document names, and one that is next to it. */
export interface Entity {
  readonly graph: string;
  readonly id: string;
  readonly next: string | undefined;
}

export const WORDS: Readonly<Record<Fate, readonly [station: string, word: string]>> = {
  kept: ['alpha', 'larkspurine'],
  quarantined: ['bravo', 'quillowbay'],
  deleted: ['charlie', 'dromedine'],
  superseded: ['delta', 'saffronelle'],
  foreign: ['echo', 'fenwickite'],
};

export const colourOf = (station: string): string => `Which colour has the pump of station ${station}?`;

function textOf(station: string, word: string): string {
  const [Station, Word] = [station, word].map((one) => one[0]!.toUpperCase() + one.slice(1));
  return (
    `The pump of station ${station} has the colour ${word}. The ${word} pump is serviced every ${station.length * 100} hours by the workshop of ${station}.\n\n` +
    `${Word} Works Ltd was founded by Maren ${Station}. Maren ${Station} lives in Leeds. ${Word} Works Ltd owns ${Station} Bridge Company.\n`
  );
}

const tableOf = (station: string, word: string): string =>
  `station,colour,hours\n${station},${word},${station.length * 100}\n${station} south,${word} dark,${station.length * 10}\n`;

/** Names and tags of the deleted and the foreign document hold the word too: nothing lists them. Others keep theirs where they may be listed. */
const isUnlisted = (fate: Fate): boolean => fate === 'deleted' || fate === 'foreign';

const nameOf = (fate: Fate, station: string, word: string): string =>
  isUnlisted(fate) ? `${station}-${word}` : station;

/** Plants the documents where everybody of the tenant sees them, and makes of them whatever can be made. */
export async function plantWorld(admin: ApiClient, { admin: account }: Pick<ServiceProcess, 'admin'>): Promise<World> {
  const anna = await personOf(admin, account.email);
  const ben = await addMember(anna, 'ben@example.com', 'editor');
  const cleo = await addMember(anna, 'cleo@example.com', 'editor');
  const shared = await anna.client.createDataset('Stations', { acl: 'all_team_members' });
  // Name and instructions of a dataset are hidden with it.
  const foreign = await cleo.client.createDataset(`Further stations (${WORDS.foreign[1]})`, {
    acl: 'all_team_members',
    instructions: `Answer about ${WORDS.foreign[1]}.`,
  });
  const planted: Planted[] = [];
  for (const [fate, [station, word]] of Object.entries(WORDS) as [Fate, readonly [string, string]][]) {
    const dataset = fate === 'foreign' ? foreign : shared;
    const name = nameOf(fate, station, word);
    const tags: Readonly<Record<string, string>> = isUnlisted(fate) ? { tags: word } : {};
    const text = await ingest(cleo.client, dataset, { name: `${name}.txt`, content: textOf(station, word) }, tags);
    const table = await ingest(cleo.client, dataset, { name: `${name}.csv`, content: tableOf(station, word) }, tags);
    expect([text.status, table.status]).toEqual(['completed', 'completed']);
    planted.push({ fate, station, word, dataset, text: text.id, table: table.id });
  }
  const failed = await ingest(cleo.client, shared, { name: 'nothing.txt', content: '' });
  expect(failed.status).toBe('failed');
  const datasets = [shared, foreign];
  const graphs = await each(datasets, (dataset) => buildGraph(ben.client, dataset));
  const caseSets = await each(datasets, (dataset) => generateCases(ben.client, dataset));
  for (const id of caseSets) await approveCases(ben.client, id);
  const jobs = await each(datasets, (dataset, n) => evaluate(ben.client, dataset, caseSets[n]!));
  const profiles = await each(datasets, (dataset) => scan(ben.client, dataset, 'profile', {}));
  const prechecks = await each(datasets, (dataset) =>
    scan(ben.client, dataset, 'precheck', {
      document_ids: planted.filter((one) => one.dataset === dataset).flatMap(({ text, table }) => [text, table]),
    }),
  );
  return {
    anna,
    ben,
    cleo,
    shared,
    foreign,
    failed: failed.id,
    datasets,
    planted,
    graphs,
    caseSets,
    jobs,
    profiles,
    prechecks,
    ...(await converse(ben.client, planted)),
    tables: (await each(datasets, (dataset) => tablesOf(ben.client, dataset))).flat(),
    entities: (await each(graphs, (graph) => entitiesOf(ben.client, graph))).flat(),
  };
}

async function tablesOf(client: ApiClient, dataset: string): Promise<(readonly [string, string])[]> {
  const { items } = await client.get<{ items: { name: string }[] }>(`/datasets/${dataset}/tables?limit=100`);
  return items.map(({ name }) => [dataset, name]);
}

async function entitiesOf(client: ApiClient, graph: string): Promise<Entity[]> {
  const { nodes, edges } = await client.get<GraphPart>(`/kg/${graph}/graph?limit=2000`);
  const words = Object.values(WORDS).map(([, word]) => word);
  const named = nodes.filter(({ label }) => words.some((word) => label.toLowerCase().includes(word)));
  return named.map(({ id }) => {
    const edge = edges.find(({ source, target }) => source === id || target === id);
    return { graph, id, next: edge === undefined ? undefined : edge.source === id ? edge.target : edge.source };
  });
}

/** Hides all but the one that is kept, each in its way. */
export async function hidePlanted({ anna, cleo, planted, failed, foreign, shared }: World): Promise<void> {
  const of = (fate: Fate): Planted => planted.find((one) => one.fate === fate)!;
  const [held, gone, former] = [of('quarantined'), of('deleted'), of('superseded')];
  await anna.client.post('/governance/quarantine', { document_ids: [held.text, held.table], reason: 'Under review' });
  for (const id of [gone.text, gone.table, failed]) await cleo.client.delete(`/documents/${id}`);
  const { station } = former;
  const files = [
    {
      name: `${station}.txt`,
      content: `The pump of station ${station} has the colour white. Nothing is known of its works.\n`,
    },
    { name: `${station}.csv`, content: `station,colour,hours\n${station},white,1\n` },
  ];
  for (const file of files) {
    const { id } = await cleo.client.upload(shared, file, { on_same_name: 'new_revision' });
    expect((await cleo.client.pollUntilTerminal(id)).status).toBe('completed');
  }
  await cleo.client.patch(`/datasets/${foreign}`, { acl: 'only_me' });
}

async function each<Item, Made>(
  items: readonly Item[],
  make: (item: Item, n: number) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = [];
  for (const [n, item] of items.entries()) made.push(await make(item, n));
  return made;
}

export async function generateCases(client: ApiClient, dataset: string): Promise<string> {
  const { id } = await client.post<{ id: string }>('/evaluations/case-sets/generate', {
    dataset_id: dataset,
    count: 20,
    method: 'rules',
    name: 'Stations',
  });
  const path = `/evaluations/case-sets/${id}`;
  await ended(client, path, ({ generation }: { generation: { status: string } }) => generation.status);
  return id;
}

async function approveCases(client: ApiClient, caseSet: string): Promise<void> {
  const path = `/evaluations/case-sets/${caseSet}`;
  const { cases } = await client.get<{ cases: { place: number }[] }>(path);
  await client.patch(path, { approve: cases.map(({ place }) => place) });
}

async function evaluate(client: ApiClient, dataset: string, caseSet: string): Promise<string> {
  const { id } = await client.post<{ id: string }>('/evaluations/jobs', {
    name: 'Stations',
    dataset_ids: [dataset],
    case_set_id: caseSet,
    variants: [
      {
        name: 'words',
        retrieval: { search_method: 'keyword' },
        chat: {},
      },
    ],
  });
  await ended(client, `/evaluations/jobs/${id}`);
  return id;
}

export async function scan(
  client: ApiClient,
  dataset: string,
  kind: 'profile' | 'precheck',
  body: object,
): Promise<readonly [string, string]> {
  const path = `/datasets/${dataset}/${kind}/scans`;
  const { scan_run_id: id } = await client.post<{ scan_run_id: string }>(path, body);
  await ended(client, `${path}/${id}`);
  return [dataset, id];
}

/** Waits for the end, which has to be a good one. */
async function ended<Body extends object>(
  client: ApiClient,
  path: string,
  statusOf = (body: Body): string => (body as { status?: string }).status ?? '',
): Promise<void> {
  const body = await until(
    async () => {
      const read = await client.get<Body>(path);
      return ['pending', 'queued', 'running'].includes(statusOf(read)) ? undefined : read;
    },
    { what: `the end of ${path}`, withinMs: 120_000, everyMs: 100 },
  );
  expect(statusOf(body), JSON.stringify(body)).toBe('completed');
}

/** Asks for each document in one conversation and shares what was answered. */
async function converse(
  client: ApiClient,
  planted: readonly Planted[],
): Promise<Pick<World, 'conversation' | 'shares' | 'asked'>> {
  const { id: conversation } = await client.post<{ id: string }>('/conversations', { title: 'Pumps' });
  const [shares, asked]: [string[], string[]] = [[], []];
  for (const { dataset, station } of planted) {
    const question = colourOf(station);
    const answer = await client.post<ChatAnswer & { conversation: { turn_id: string }; request_id: string }>(
      '/chat/completions',
      { messages: [{ role: 'user', content: question }], dataset_ids: [dataset], conversation_id: conversation },
    );
    const share = await client.post<{ id: string }>(
      `/conversations/${conversation}/turns/${answer.conversation.turn_id}/share`,
      {},
    );
    const found = await client.post<SearchAnswer & { request_id: string }>('/retrieval/search', {
      query: question,
      dataset_ids: [dataset],
    });
    shares.push(share.id);
    asked.push(answer.request_id, found.request_id);
  }
  return { conversation, shares, asked };
}
