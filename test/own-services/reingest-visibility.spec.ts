import { describe, expect, it } from 'vitest';
import type { ApiClient, SearchAnswer } from '../support/api-client.js';
import { useService } from '../support/service-process.js';

const REINGESTS = 20;
const POLLS_PER_SECOND = 50;
const MOST_AT_ONCE = 4;
const PARAGRAPHS = 60;
/** Two policies that cut the same text into chunks of which none is the same. */
const SIZES = [64, 128] as const;

const service = useService();

/** Every paragraph holds the word that is searched, so that a search finds every chunk of what is shown. */
function keeperText(): string {
  return Array.from(
    { length: PARAGRAPHS },
    (_, n) =>
      `The keeper of lamp ${n} writes down what passes below the ${n}th window of the tower, and then ` +
      `the keeper counts ${n * 7} boats, ${n * 3} gulls and ${n} clouds before the lamp is lit again.`,
  ).join('\n\n');
}

async function chunkIds(client: ApiClient, documentId: string): Promise<string> {
  const page = await client.get<{ items: { chunk_id: string }[] }>(`/documents/${documentId}/chunks?limit=100`);
  return page.items
    .map((chunk) => chunk.chunk_id)
    .toSorted()
    .join();
}

function foundIds(answer: SearchAnswer): string {
  return answer.results
    .map((result) => result.chunk_id)
    .toSorted()
    .join();
}

/** Polls at a fixed rate, as far as the service keeps up with it, until it is stopped; gives every answer. */
function pollSearch(client: ApiClient, datasetId: string): { stop(): Promise<string[]> } {
  const answers: string[] = [];
  const failures: unknown[] = [];
  const open = new Set<Promise<void>>();
  const ask = (): void => {
    if (open.size >= MOST_AT_ONCE) return;
    const asked: Promise<void> = client
      .search('keeper', [datasetId], { top_k: 100 })
      .then(
        (answer) => void answers.push(foundIds(answer)),
        (error: unknown) => void failures.push(error),
      )
      .finally(() => open.delete(asked));
    open.add(asked);
  };
  const timer = setInterval(ask, 1000 / POLLS_PER_SECOND);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(open);
      expect(failures).toEqual([]);
      return answers;
    },
  };
}

describe('Search while a document is reingested again and again', () => {
  it('sees the chunks of exactly one generation in every answer', async () => {
    const client = service.admin;
    const datasetId = await client.createDataset('Reingested');
    const { policy } = await client.get<{ policy: { chunking: object } }>(`/datasets/${datasetId}/ingestion-policy`);
    const usePolicy = async (size: number): Promise<void> => {
      const chunking = { ...policy.chunking, chunk_size: size, chunk_overlap: 0 };
      const path = `/datasets/${datasetId}/ingestion-policy`;
      const answer = await client.send('PUT', path, { ...policy, chunking });
      expect(answer.status).toBe(200);
    };
    await usePolicy(SIZES[0]);
    const { id } = await client.upload(datasetId, { name: 'tower.txt', content: keeperText() });
    await client.pollUntilTerminal(id);
    const shown = new Set([await chunkIds(client, id)]);
    const polling = pollSearch(client, datasetId);
    for (let n = 1; n <= REINGESTS; n++) {
      await usePolicy(SIZES[n % 2]!);
      const answer = await client.post<{ accepted: string[] }>('/documents/batch/reingest', { document_ids: [id] });
      expect(answer.accepted).toEqual([id]);
      expect((await client.pollUntilTerminal(id, { intervalMs: 20 })).status).toBe('completed');
      shown.add(await chunkIds(client, id));
    }
    const answers = await polling.stop();
    expect(shown.size).toBeGreaterThanOrEqual(SIZES.length);
    expect(answers.length).toBeGreaterThan(REINGESTS);
    expect(answers.filter((answer) => !shown.has(answer))).toEqual([]);
    const seen = new Set(answers);
    expect(seen.size).toBeGreaterThanOrEqual(SIZES.length);
  });
});
