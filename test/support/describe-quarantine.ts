import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient, ChatAnswer } from './api-client.js';
import { addMember } from './people.js';
import { useService, type ServiceOptions } from './service-process.js';

const DOCUMENTS = 200;
/** Documents for which every other reader is asked as well. */
const EVERY = 20;
const MOST_AT_ONCE = 8;

interface Asked {
  /** What was quarantined before the search was sent. */
  readonly before: ReadonlySet<string>;
  readonly found: readonly string[];
}

/** Searches at a fixed rate, as far as the service keeps up, until it is stopped. */
function searchAt(client: ApiClient, dataset: string, perSecond: number, gone: ReadonlySet<string>) {
  const answers: Asked[] = [];
  const failures: unknown[] = [];
  const open = new Set<Promise<void>>();
  const ask = (): void => {
    if (open.size >= MOST_AT_ONCE) return;
    const before = new Set(gone);
    const asked: Promise<void> = client
      .search('lantern harbour', [dataset], { top_k: 100 })
      .then(
        ({ results }) => void answers.push({ before, found: results.map(({ document_id: id }) => id) }),
        (error: unknown) => void failures.push(error),
      )
      .finally(() => open.delete(asked));
    open.add(asked);
  };
  const timer = setInterval(ask, 1000 / perSecond);
  return async (): Promise<Asked[]> => {
    clearInterval(timer);
    await Promise.all(open);
    expect(failures).toEqual([]);
    return answers;
  };
}

/** Documents leave every answer before their quarantine is answered, under searches that never stop, whatever the service rests on. */
export function describeQuarantine(options: ServiceOptions, searchesPerSecond: number): void {
  const service = useService(options);
  let admin: ApiClient;
  let viewer: ApiClient;
  let dataset: string;
  let documents: string[];

  beforeAll(async () => {
    admin = service.admin;
    const { account, tenant_id: tenantId } = await admin.get<{ account: { id: string }; tenant_id: string }>(
      '/auth/me',
    );
    const manager = { email: '', accountId: account.id, tenantId, client: admin };
    viewer = (await addMember(manager, 'viewer@example.com', 'viewer')).client;
    const made = await admin.post<{ id: string }>('/datasets/', { name: 'Lanterns', acl: 'all_team_members' });
    dataset = made.id;
    documents = [];
    for (let n = 0; n < DOCUMENTS; n += 1) {
      const file = { name: `lantern-${n}.txt`, content: `The lantern of harbour ${n} burns ${n * 7} hours.` };
      documents.push((await admin.upload(dataset, file)).id);
    }
    for (const id of documents) await admin.pollUntilTerminal(id);
  });

  /** What shows the document to someone without `governance:read`. */
  async function findShown(id: string, n: number): Promise<string[]> {
    const shown: string[] = [];
    for (const part of ['text', 'content', 'chunks']) {
      const { status } = await viewer.send('GET', `/documents/${id}/${part}`);
      if (status !== 403) shown.push(`${part} ${status}`);
    }
    const question = `How many hours does the lantern of harbour ${n} burn?`;
    const chat = await admin.post<ChatAnswer>('/chat/completions', {
      messages: [{ role: 'user', content: question }],
      dataset_ids: [dataset],
    });
    if (JSON.stringify(chat).includes(id)) shown.push('chat');
    const explained = await admin.post<{ code: string }>('/retrieval/explain', {
      query: question,
      dataset_ids: [dataset],
      expected: { document_id: id },
    });
    if (explained.code !== 'QUARANTINED') shown.push(`explain ${explained.code}`);
    return shown;
  }

  describe('Documents that are quarantined one by one', () => {
    it('are in no answer of a search that begins after theirs, and nowhere else', async () => {
      const gone = new Set<string>();
      const stop = searchAt(admin, dataset, searchesPerSecond, gone);
      for (const [n, id] of documents.entries()) {
        await admin.post('/governance/quarantine', { document_ids: [id], reason: 'Under review' });
        gone.add(id);
        if (n % EVERY === 0) expect(await findShown(id, n)).toEqual([]);
      }
      const answers = await stop();
      expect(answers.length).toBeGreaterThan(DOCUMENTS / 10);
      expect(answers.some(({ found }) => found.length > 0)).toBe(true);
      expect(answers.flatMap(({ before, found }) => found.filter((id) => before.has(id)))).toEqual([]);
      const { results } = await admin.search('lantern harbour', [dataset], { top_k: 100 });
      expect(results).toEqual([]);
      const reads = await admin.get<{ total: number }>('/governance/audit-log?action=document.quarantined');
      expect(reads.total).toBe(DOCUMENTS);
    });
  });
}
