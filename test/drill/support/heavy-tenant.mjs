/** Tenant A of `drill:neighbours`: data, and the kinds of heavy work over them. */
import { setTimeout as wait } from 'node:timers/promises';
import { untilIngested, uploadFiles } from '../../../bench/lib/ingest-files.mjs';
import { ZipfTexts } from '../../../bench/lib/zipf-texts.mjs';

const POLL_MS = 100;
const FIRST = 'Anna Ben Clara David Emma Felix Greta Henry Iris Jonas Karla Louis Maria Nils Olga Paul'.split(' ');
const LAST = 'Adler Brandt Castillo Dreyer Ekström Fuentes Gruber Hansen Ibarra Jansen Keller Lindqvist'.split(' ');
const FIRMS = 'Solis Norden Vega Kappa Orion Lumen Terra Delta Polar Tessen Marlow Hadley'.split(' ');
const BRANCHES = 'Freight Power Textiles Foods Optics Timber Steel Motors'.split(' ');
const PLACES = ['Hamburg', 'Sevilla', 'Bergen', 'Leipzig', 'Toledo', 'Bristol', 'Graz', 'Lyon'];
const LARGE_CHARS = 4_500_000;
const ROWS = 60_000;
const DEAD_ENDPOINTS = 50;

const texts = new ZipfTexts();

/** Uploads generated texts of this many chunks and waits until they are searched. */
export async function fillWithTexts(client, dataset, documents, chunks) {
  const files = Array.from({ length: documents }, (_, n) => ({
    name: `text-${n}.txt`,
    content: textOf(n, chunks),
    mediaType: 'text/plain',
  }));
  await uploadFiles(client, dataset, files, { perRequest: 20, concurrency: 2 });
  await untilIngested(client, dataset, POLL_MS);
}

function textOf(n, chunks) {
  return Array.from({ length: chunks }, (_, part) => texts.chunk(n, n * 31 + part)).join('\n\n');
}

export class HeavyTenant {
  #client;
  #size;
  #ids;

  /** `ids`: what `prepare` gave. */
  constructor(client, size, ids = {}) {
    this.#client = client;
    this.#size = size;
    this.#ids = ids;
  }

  /** The kinds of work. `play` works until the signal says so, and counts answers by their status. */
  get kinds() {
    const post = (path, bodyOf) => (n) => ['POST', path(), bodyOf(n)];
    return [
      this.#asking(
        'filters',
        8,
        post(
          () => `/datasets/${this.#ids.texts}/semantic-filter`,
          (n) => ({
            target: 'chunks',
            predicate: `mentions ${texts.question(n % 50, n * 10 + 3).slice(8, 60)}`,
          }),
        ),
      ),
      this.#asking(
        'explain',
        4,
        post(
          () => '/retrieval/explain',
          (n) => ({
            query: longQuery(n),
            dataset_ids: [this.#ids.texts],
            expected: { text: texts.chunk(n % 50, (n % 50) * 31).slice(0, 120) },
          }),
        ),
      ),
      this.#asking('graph page', 2, () => ['GET', `/kg/${this.#ids.names}/view?limit=500`]),
      this.#asking('graph', 4, () => ['GET', `/kg/${this.#ids.names}/graph?limit=500`]),
      this.#asking('long text', 4, (n) => ['GET', this.#pathOfLarge(n)]),
      { name: 'long file', play: (signal) => this.#uploadLarge(signal) },
      this.#asking(
        'questions',
        4,
        post(
          () => `/datasets/${this.#ids.rows}/tables/query/natural-language`,
          (n) => ({
            question: ['total amount by region', 'average amount of West by month', 'how many sales in 2021 by region'][
              n % 3
            ],
          }),
        ),
      ),
      this.#asking(
        'statements',
        4,
        post(
          () => `/datasets/${this.#ids.rows}/tables/query/sql`,
          () => ({
            sql: 'SELECT a.region, count(*) FROM sales a JOIN sales b ON a.number % 100 = b.number % 100 GROUP BY a.region',
            timeout_ms: 10_000,
          }),
        ),
      ),
      { name: 'tasks', play: (signal) => this.#floodTasks(signal), end: () => this.#cancelTasks() },
      {
        name: 'events',

        play: (signal) => this.#floodEvents(signal),
        end: () => this.#removeEndpoints(),
      },
    ];
  }

  /** Uploads all data; resolves to their ids. `tell` is told of each. */
  async prepare(tell) {
    const began = performance.now();
    const makers = {
      texts: (id) => fillWithTexts(this.#client, id, Math.round(150 * this.#size), 20),
      names: (id) => this.#makeGraph(id),
      rows: (id) => this.#upload(id, 'sales.csv', salesCsv(Math.round(ROWS * this.#size))),
      large: async (id) => (this.#ids.document = (await this.#upload(id, 'large.txt', largeText(0))).id),
      uploads: () => undefined,
    };
    for (const [name, make] of Object.entries(makers)) {
      await make((this.#ids[name] = await this.#client.createDataset(name)));
      tell(`${name} after ${((performance.now() - began) / 1000).toFixed(0)} s`);
    }
    return this.#ids;
  }

  async #upload(dataset, name, content) {
    const { id } = await this.#client.upload(dataset, { name, content });
    return this.#client.pollUntilTerminal(id, { timeoutMs: 600_000 });
  }

  /** The same request over and over, `concurrency` at once. */
  #asking(name, concurrency, requestOf) {
    const play = async (signal) => {
      const counts = {};
      let n = 0;
      await Promise.all(
        Array.from({ length: concurrency }, async () => {
          while (!signal.aborted) await this.#ask(counts, requestOf((n += 1)), signal);
        }),
      );
      return counts;
    };
    return { name, play };
  }

  /** What is under way when the time is over is left. */
  async #ask(counts, [method, path, body], signal) {
    const headers = { ...this.#client.headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
    try {
      const answer = await fetch(`${this.#client.url}${path}`, {
        method,
        headers,
        signal,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      await answer.bytes();
      counts[answer.status] = (counts[answer.status] ?? 0) + 1;
      if (answer.status === 503 || answer.status === 429) await wait(50);
      else if (answer.status >= 400) throw new Error(`${method} ${path} answered ${answer.status}.`);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #pathOfLarge(n) {
    const document = `/documents/${this.#ids.document}`;
    return [`${document}/text`, `${document}/chunks?limit=100`, `${document}/text`, `${document}`][n % 4];
  }

  async #makeGraph(id) {
    const files = Array.from({ length: Math.round(120 * this.#size) }, (_, n) => ({
      name: `names-${n}.txt`,
      content: namesText(n),
      mediaType: 'text/plain',
    }));
    await uploadFiles(this.#client, id, files, { perRequest: 20, concurrency: 2 });
    await untilIngested(this.#client, id, POLL_MS);
    const { id: graph } = await this.#client.post('/kg/trigger', { dataset_id: id });
    for (;;) {
      const { status } = await this.#client.get(`/kg/${graph}`);
      if (status === 'completed') return;
      if (status !== 'pending' && status !== 'running') throw new Error(`The graph is ${status}.`);
      await wait(POLL_MS);
    }
  }

  async #uploadLarge(signal) {
    let uploaded = 0;
    while (!signal.aborted) {
      const content = largeText((uploaded += 1));
      const { id } = await this.#client.upload(this.#ids.uploads, { name: `large-${uploaded}.txt`, content });
      while (!signal.aborted) {
        const { status } = await this.#client.get(`/documents/${id}/status`);
        if (status === 'completed') break;
        await wait(POLL_MS);
      }
    }
    return { uploads: uploaded };
  }

  async #floodTasks(signal) {
    const jobs = (this.#ids.jobs = []);
    while (!signal.aborted && jobs.length < 6) {
      const cases = Array.from({ length: 400 }, (_, n) => ({
        query: `${texts.question(n % 50, n)} (${n})`,
        expected_answer: 'nothing',
      }));
      const body = { name: `flood ${jobs.length}`, dataset_ids: [this.#ids.texts], cases };
      jobs.push((await this.#client.post('/evaluations/jobs', body)).id);
    }
    while (!signal.aborted) await wait(POLL_MS);
    return { jobs: jobs.length };
  }

  async #cancelTasks() {
    for (const id of this.#ids.jobs) await this.#client.send('POST', `/evaluations/jobs/${id}/cancel`, {});
  }

  async #floodEvents(signal) {
    this.#ids.endpoints = [];
    for (let n = 0; n < DEAD_ENDPOINTS && !signal.aborted; n += 1) {
      const body = { url: `https://dead-${n}.invalid/hook`, events: ['document.completed'] };
      this.#ids.endpoints.push((await this.#client.post('/webhooks', body)).id);
    }
    let uploaded = 0;
    while (!signal.aborted) {
      const files = Array.from({ length: 20 }, (_, n) => ({
        name: `small-${uploaded + n}.txt`,
        content: texts.chunk(uploaded + n, 7),
        mediaType: 'text/plain',
      }));
      await uploadFiles(this.#client, this.#ids.uploads, files, { perRequest: 20, concurrency: 1 });
      uploaded += files.length;
      await wait(POLL_MS);
    }
    return { uploads: uploaded };
  }

  async #removeEndpoints() {
    for (const id of this.#ids.endpoints) await this.#client.delete(`/webhooks/${id}`);
  }
}

function longQuery(n) {
  let query = '';
  for (let part = 0; query.length < 4_000; part += 1) query += `${texts.question((n + part) % 50, n * 100 + part)} `;
  return query.slice(0, 4_000);
}

function largeText(n) {
  const parts = [];
  for (let [part, chars] = [0, 0]; chars < LARGE_CHARS; part += 1) {
    const text = texts.chunk(n * 7_000 + part, part);
    parts.push(text);
    chars += text.length + 2;
  }
  return parts.join('\n\n');
}

/** Sentences that name people, firms and places. */
function namesText(n) {
  const pick = (list, at) => list[at % list.length];
  return Array.from({ length: 60 }, (_, line) => {
    const at = n * 61 + line * 17;
    const person = `${pick(FIRST, at)} ${pick(LAST, at * 3 + line)}`;
    const other = `${pick(FIRST, at * 5 + 2)} ${pick(LAST, at * 7 + n)}`;
    const firm = `${pick(FIRMS, at + n)} ${pick(BRANCHES, at * 3)} Ltd`;
    return `Dr. ${person} works for ${firm} in ${pick(PLACES, at)}. ${firm} is led by Mrs. ${other}, who met Dr. ${person} in ${pick(PLACES, at + 3)}.`;
  }).join('\n\n');
}

function salesCsv(count) {
  const regions = ['North', 'East', 'South', 'West', 'Centre'];
  const lines = ['Number,Region,Amount,Sold on,Paid'];
  for (let n = 0; n < count; n += 1) {
    const day = new Date(Date.UTC(2020, 0, 1 + (n % 1_500))).toISOString().slice(0, 10);
    lines.push(
      `${n + 1},${regions[n % regions.length]},${((n * 37) % 100_000) / 100},${day},${n % 3 === 0 ? 'no' : 'yes'}`,
    );
  }
  return `${lines.join('\n')}\n`;
}
