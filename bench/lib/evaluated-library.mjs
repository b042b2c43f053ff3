const CHUNKS_PER_DOCUMENT = 8;
const FILES_PER_REQUEST = 20;
const POLL_MS = 250;

export const VARIANTS = [
  { name: 'hybrid', retrieval: { search_method: 'hybrid' } },
  { name: 'keyword', retrieval: { search_method: 'keyword' } },
  { name: 'vector', retrieval: { search_method: 'vector' } },
];

/** A dataset of generated documents, and evaluations over it: the same numbers always give the same texts and cases. */
export class EvaluatedLibrary {
  dataset = '';
  #documents = [];
  #client;
  #texts;

  /** @param {import('../../scripts/lib/api-client.ts').ApiClient} client @param {import('./zipf-texts.mjs').ZipfTexts} texts */
  constructor(client, texts) {
    this.#client = client;
    this.#texts = texts;
  }

  /** Resolves when all of them are ingested. */
  async upload(documents) {
    this.dataset = await this.#client.createDataset('Evaluated');
    for (let start = 0; start < documents; start += FILES_PER_REQUEST) {
      const form = new FormData();
      form.append('dataset_id', this.dataset);
      for (let n = start; n < Math.min(documents, start + FILES_PER_REQUEST); n += 1)
        form.append('files', new Blob([this.#textOf(n)], { type: 'text/plain' }), `${n}.txt`);
      const { results } = await this.#client.post('/documents/batch/upload', form);
      this.#documents.push(...results.map(({ document }) => document.id));
    }
    for (const id of this.#documents) await this.#client.pollUntilTerminal(id, { timeoutMs: 300_000 });
  }

  /** Cases about the documents; every eighth asks for one whose words it does not hold, so that there are misses to explain. */
  cases(count) {
    const all = this.#documents.length;
    return Array.from({ length: count }, (_, n) => ({
      query: `${this.#texts.question(n % all, n)} (${n})`,
      relevant: [{ document_id: this.#documents[n % 8 === 7 ? (n + Math.floor(all / 2)) % all : n % all] }],
      tags: [`topic ${n % 10}`],
    }));
  }

  /** Starts an evaluation and gives its id. */
  async start(count, more = {}) {
    const body = {
      name: `${count} cases`,
      dataset_ids: [this.dataset],
      cases: this.cases(count),
      variants: VARIANTS,
      ...more,
    };
    return (await this.#client.post('/evaluations/jobs', body)).id;
  }

  read(id) {
    return this.#client.get(`/evaluations/jobs/${id}`);
  }

  /** Until it is as far as wanted, or has ended. */
  async until(id, isThere) {
    for (;;) {
      const job = await this.read(id);
      if (isThere(job) || !['pending', 'running'].includes(job.status)) return job;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** Cancels, and answers the milliseconds until that was said. Throws when a search is counted afterwards. */
  async cancel(id) {
    const began = performance.now();
    const { status, progress } = await this.#client.post(`/evaluations/jobs/${id}/cancel`, {});
    const took = performance.now() - began;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const later = await this.read(id);
    if (status !== 'cancelled' || later.status !== 'cancelled' || later.progress.steps_done !== progress.steps_done)
      throw new Error(
        `Cancelled after ${progress.steps_done} searches it is ${later.status} with ${later.progress.steps_done}.`,
      );
    return took;
  }

  #textOf(n) {
    return Array.from({ length: CHUNKS_PER_DOCUMENT }, (_, part) => this.#texts.chunk(n, n * 31 + part)).join('\n\n');
  }
}
