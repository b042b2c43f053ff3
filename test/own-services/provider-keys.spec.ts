import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formsOfKey, KEY_SHAPES, KeySearch } from '../../libs/ai/src/testing/key-traces.js';
import { ApiClient } from '../support/api-client.js';
import { Overheard } from '../support/overheard.js';
import { ProviderProcess, type ProviderFault } from '../support/provider-process.js';
import { remoteSettings } from '../support/remote-models.js';
import { ServiceProcess } from '../support/service-process.js';
import { storedRows } from '../support/stored-rows.js';

const QUESTION = 'How often is the hydraulic pump serviced?';
const TEXT = 'The hydraulic pump is serviced every 500 hours. A technician signs the record.';
const STATUSES = [401, 400, 429, 500];

/** Shapes that a service is started with: that of its embedding and reranking models, and that of its chat model. */
const STARTS = [
  ['with quotes', 'with escapes'],
  ['in base64', 'with percent signs'],
] as const;

describe.each(STARTS)('a service with a key %s, and one %s for its chat model', (first, second) => {
  const keys = { openai: KEY_SHAPES[first]!, cohere: KEY_SHAPES[second]! };
  const search = new KeySearch(Object.values(keys));
  const overheard = new Overheard();
  const doubles: ProviderProcess[] = [];
  let service: ServiceProcess;
  let api: ApiClient;
  let dataset: string;

  beforeAll(async () => {
    doubles.push(await ProviderProcess.start('openai'), await ProviderProcess.start('cohere'));
    const settings = {
      ...remoteSettings('openai', doubles[0]!.baseUrl, keys.openai),
      ...remoteSettings('cohere', doubles[1]!.baseUrl, keys.cohere),
      EMBEDDING_PROVIDER: 'openai',
      RERANK_PROVIDER: 'openai',
      LOG_LEVEL: 'debug',
      LOG_REQUESTS: 'on',
      MODEL_CIRCUIT_FAILURES: '1000',
    };
    service = await ServiceProcess.start({ settings });
    overheard.start(service.url);
    api = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
    dataset = await api.createDataset('Keys');
  });
  afterAll(async () => {
    await overheard.stop();
    await service?.dispose();
    for (const double of doubles) await double.stop();
  });

  const always = async (fault: ProviderFault | null): Promise<void> => {
    for (const double of doubles) await double.always(fault);
  };
  const chat = (stream: boolean) =>
    api.send('POST', '/chat/completions', {
      messages: [{ role: 'user', content: QUESTION }],
      dataset_ids: [dataset],
      stream,
      retrieval: { search_method: 'keyword' },
    });

  const embed = () => api.send('POST', '/embeddings', { input: 'one', model: 'default' });

  /** Everything that reaches a model, with the statuses that it was answered with. */
  async function askEverything(name: string): Promise<number[]> {
    const named = api.with({ 'X-Request-ID': name });
    const body = { query: QUESTION, dataset_ids: [dataset] };
    const answers = [
      await named.send('POST', '/retrieval/search', body),
      await api.send('POST', '/retrieval/search', {
        ...body,
        search_method: 'keyword',
        rerank: { enabled: true, provider: 'openai' },
      }),
      await api.send('POST', '/retrieval/search', { ...body, on_embedding_failure: 'keyword' }),
      await embed(),
      await chat(false),
      await chat(true),
    ];
    for (const path of [`/requests/${name}`, '/health/details', '/metrics', '/models', '/usage', '/health/ready'])
      await api.send('GET', path);
    return answers.map(({ status }) => status);
  }

  /** Where a key is in what the service has written by now. */
  async function traces(): Promise<string[]> {
    const { found, looked } = await search.inFolder(join(service.folder, 'data'));
    const rows = await storedRows(service);
    expect(looked).toBeGreaterThan(10_000_000);
    expect(rows).toContain('hydraulic pump');
    expect(service.log.length).toBeGreaterThan(50);
    expect(overheard.texts.join('')).toContain('hydraulic pump');
    return [
      ...found,
      ...search.in('tables', rows),
      ...search.in('log', service.log.join('\n')),
      ...search.in('answers', overheard.texts.join('\n')),
    ];
  }

  it('shows them nowhere, whatever its providers repeat', async () => {
    const { id } = await api.upload(dataset, { name: 'pump.txt', content: TEXT });
    expect((await api.pollUntilTerminal(id)).status).toBe('completed');
    expect(await askEverything('well')).toEqual([200, 200, 200, 200, 200, 200]);
    for (const status of STATUSES) {
      await always({ kind: 'status', status, message: `Told ${status}.`, echoesKey: true, retryAfter: '1' });
      const answers = await askEverything(`status-${status}`);
      expect(answers).toEqual([503, 503, 200, 503, 503, 503]);
    }
    await always(null);
    await refuseInEveryForm();
    await always({ kind: 'status', status: 401, message: 'Told 401.', echoesKey: true });
    const lost = await api.upload(dataset, { name: 'valve.txt', content: 'The valve opens at 12 bar.' });
    const failed = await api.pollUntilTerminal(lost.id);
    expect(failed.error_message).toContain('Told 401.');
    await api.get(`/documents/${lost.id}/timeline`);
    await always(null);
    await api.post(`/documents/${lost.id}/retry`, undefined);
    expect((await api.pollUntilTerminal(lost.id)).status).toBe('completed');
    // It was the keys that were sent, and what was repeated of them came as far as the log and the answers.
    for (const [at, key] of Object.values(keys).entries()) {
      const sent = (await doubles[at]!.requests()).map(({ headers }) => headers['authorization']);
      expect(new Set(sent)).toEqual(new Set([`Bearer ${key}`]));
    }
    for (const text of [service.log.join('\n'), overheard.texts.join('\n')]) expect(text).toContain('No access for');
    expect(await traces()).toEqual([]);
  });

  /** Each provider refuses with every way of writing its key, before an answer and in the middle of one. */
  async function refuseInEveryForm(): Promise<void> {
    for (const [at, key] of Object.values(keys).entries()) {
      for (const form of formsOfKey(key).values()) {
        const message = `No access for "${form.toString()}".`;
        await doubles[at]!.always({ kind: 'status', status: 403, message });
        expect((await (at === 0 ? embed() : chat(false))).status).toBe(503);
        await doubles[at]!.always({ kind: 'stream_error', after: 2, message });
        if (at === 1) expect((await chat(true)).status).toBe(200);
      }
      await doubles[at]!.always(null);
    }
  }

  it('would be seen to show them: a key that is planted is found in files, tables, the log and answers', async () => {
    const [planted] = Object.values(keys);
    await writeFile(join(service.folder, 'data', 'planted.txt'), `x${planted}y`);
    const { id } = await api.upload(dataset, {
      name: 'planted.txt',
      content: `The pump key is ${planted} of the hall.`,
    });
    await api.pollUntilTerminal(id);
    const { results } = await api.search('pump key hall', [dataset]);
    expect(results[0]!.text).toContain(planted);
    await api.with({ 'X-Request-ID': formsOfKey(planted!).get('hex')!.toString() }).send('GET', '/datasets/');
    const places = (await traces()).map((trace) => trace.split(':', 1)[0]);
    expect(places).toEqual(expect.arrayContaining(['planted.txt', 'tables', 'log', 'answers']));
    expect(places.filter((place) => place?.startsWith('postgres/'))).not.toEqual([]);
  });
});
