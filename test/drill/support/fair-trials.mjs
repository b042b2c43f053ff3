/**
 * The trials of `drill:neighbours`: each plays once what one tenant did to another before places, statements and events were shared, at
 * that size, and tells how long the other one waited. `most`: milliseconds that it may wait.
 */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { uploadFiles } from '../../../bench/lib/ingest-files.mjs';
import { ZipfTexts } from '../../../bench/lib/zipf-texts.mjs';

const POLL_MS = 20;
const CASES = 1_500;
const DOCUMENTS = 1_500;
const PER_REQUEST = 20;
const ENDPOINTS = 50;
const TURN_MS = 5_000;
/** A turn of 5 s that has just begun, a look at who waits, and one unit (one case). */
const MOST_FOR_A_PLACE_MS = 7_000;
/** Its place is free, but the cores are not. */
const MOST_FOR_A_STATEMENT_MS = 2_000;
/** The pause between two rounds at most, and one attempt. */
const MOST_FOR_A_ROUND_MS = 2_000;
/** Comes to no end within any time that is allowed. */
const ENDLESS = 'SELECT count(*) FROM sales a, sales b, sales c WHERE a.number + b.number + c.number = 7';
const STATEMENT_MS = 30_000;
const COUNTS = 10;
const OPEN = new Set(['pending', 'running']);

const texts = new ZipfTexts();

/** By name. Each resolves to what B waited for (`waits`, in milliseconds), and what A had and did meanwhile. */
export const TRIALS = {
  cases: { play: playCases, most: MOST_FOR_A_PLACE_MS },
  statements: { play: playStatements, most: MOST_FOR_A_STATEMENT_MS },
  events: { play: playEvents, most: MOST_FOR_A_ROUND_MS },
};

/** A evaluates 1,500 cases; B one: at once, when A's turn has just begun, and once more after A has worked for longer than a turn. */
async function playCases({ heavy, quiet, ids, own }) {
  const job = (name, dataset, count) => ({
    name,
    dataset_ids: [dataset],
    cases: Array.from({ length: count }, (_, n) => ({
      query: `${texts.question(n % 50, n)} (${n})`,
      expected_answer: 'nothing',
    })),
  });
  const { id } = await heavy.post('/evaluations/jobs', job('many', ids.texts, CASES));
  const other = () => heavy.get(`/evaluations/jobs/${id}`);
  await until(async () => (await other()).status === 'running');
  const waits = [];
  for (const name of ['at once', 'after a turn']) {
    if (waits.length > 0) await wait(TURN_MS);
    const one = await quiet.post('/evaluations/jobs', job(name, own, 1));
    const begun = await until(async () => {
      const seen = await quiet.get(`/evaluations/jobs/${one.id}`);
      return seen.started_at === null ? undefined : seen;
    });
    waits.push(Date.parse(begun.started_at) - Date.parse(begun.created_at));
    requireOpen(OPEN.has((await other()).status), 'A’s cases');
  }
  const { progress } = await other();
  await heavy.send('POST', `/evaluations/jobs/${id}/cancel`, {});
  return { waits, waited: 'until a job of one case began', played: `${progress.steps_done} of ${CASES} cases done` };
}

/** A asks two statements that run for 30 s, B counts its rows. */
async function playStatements({ heavy, quiet, ids }) {
  const rows = await quiet.createDataset('Rows');
  const { id } = await quiet.upload(rows, { name: 'stock.csv', content: 'Number,Item\n1,Bolt\n2,Nut\n3,Screw\n' });
  await quiet.pollUntilTerminal(id);
  const ask = (client, dataset, sql, timeout) =>
    client.send('POST', `/datasets/${dataset}/tables/query/sql`, { sql, timeout_ms: timeout });
  const count = () => ask(quiet, rows, 'SELECT count(*) FROM stock', 5_000);
  await count();
  let ended = 0;
  const long = Array.from({ length: 2 }, async () => {
    const answer = await ask(heavy, ids.rows, ENDLESS, STATEMENT_MS);
    ended += 1;
    return answer.status;
  });
  // Until the first of them has its place.
  await wait(1_000);
  const waits = [];
  for (let n = 0; n < COUNTS; n += 1) {
    const began = performance.now();
    const { status } = await count();
    waits.push(performance.now() - began);
    if (status !== 200) throw new Error(`B’s count was answered ${status}.`);
    requireOpen(ended === 0, 'A’s statements');
  }
  const statuses = await Promise.all(long);
  return { waits, waited: 'for select count(*)', played: `A’s two statements were answered ${statuses.join(' and ')}` };
}

/** 50 endpoints of A at a host that no one knows and 1,500 documents; B uploads one when they are there, and one when they are done. */
async function playEvents({ heavy, quiet, ids, own }) {
  const receiver = await Receiver.listen();
  const endpoints = [];
  const subscribe = async (client, url) => {
    const { id } = await client.post('/webhooks', { url, events: ['document.completed'] });
    endpoints.push([client, id]);
  };
  try {
    for (let n = 0; n < ENDPOINTS; n += 1) await subscribe(heavy, `https://dead.invalid/hook/${n}`);
    await subscribe(quiet, receiver.url);
    const files = Array.from({ length: DOCUMENTS }, (_, n) => ({
      name: `event-${n}.txt`,
      content: `${texts.chunk(n, 11)} ${n} ${Date.now()}`,
      mediaType: 'text/plain',
    }));
    await uploadFiles(heavy, ids.uploads, files, { perRequest: PER_REQUEST, concurrency: 2 });
    const waits = [await lateness(quiet, own, receiver)];
    let ended;
    await until(async () => {
      const { document_counts: counts } = await heavy.get(`/datasets/${ids.uploads}`);
      ended = counts.completed;
      return counts.pending + counts.processing === 0;
    });
    waits.push(await lateness(quiet, own, receiver));
    return { waits, waited: 'for document.completed', played: `${ended} documents of A completed` };
  } finally {
    for (const [client, id] of endpoints) await client.delete(`/webhooks/${id}`);
    receiver.close();
  }
}

/** How long after its completion the event of a document came. */
async function lateness(client, dataset, receiver) {
  const { id } = await client.upload(dataset, {
    name: `told-${Date.now()}.txt`,
    content: `${texts.chunk(1, 13)} ${Date.now()}`,
  });
  const { completed_at: completed } = await client.pollUntilTerminal(id, { timeoutMs: 300_000 });
  const told = await until(() => receiver.toldAt.get(id));
  return told - Date.parse(completed);
}

/** Takes deliveries and keeps when each document was told of. */
class Receiver {
  toldAt = new Map();
  #server = createServer((request, response) => void this.#take(request, response));

  static async listen() {
    const receiver = new Receiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}/hook`;
  }

  close() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #take(request, response) {
    const at = Date.now();
    const parts = [];
    for await (const part of request) parts.push(part);
    response.writeHead(204).end();
    const { data } = JSON.parse(Buffer.concat(parts).toString());
    this.toldAt.set(data.document_id ?? data.id, at);
  }
}

/** What `look` gives once that is something. */
async function until(look, withinMs = 300_000) {
  for (const end = Date.now() + withinMs; ; await wait(POLL_MS)) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > end) throw new Error('What was waited for did not come.');
  }
}

/** A trial in which the other one has ended meanwhile says nothing. */
function requireOpen(isOpen, what) {
  if (!isOpen) throw new Error(`${what} ended too early for this to say something.`);
}
