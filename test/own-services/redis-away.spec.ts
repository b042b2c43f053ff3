import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { ApiClient, uploadForm, type Problem, type SearchAnswer } from '../support/api-client.js';
import { ingest, readFixture } from '../support/fixtures.js';
import { logLinesOf } from '../support/log-lines.js';
import { hasRedis, RedisServer } from '../support/redis.js';
import { ServiceProcess } from '../support/service-process.js';

const SEARCHES = 8;
const REFUSED = 6;
const SETTINGS = {
  RATE_LIMITS: 'on',
  RATE_LIMIT_SEARCH: String(SEARCHES),
  RATE_LIMIT_REFUSED_CREDENTIALS: String(REFUSED),
  METRICS_TOKEN: 'a-token-for-the-scraper',
};

interface Details {
  readonly components: Readonly<Record<string, { readonly status: string; readonly detail: string | null }>>;
}

/** skipped: Redis is not installed (Debian package `redis-server`). */
describe.skipIf(!hasRedis).each(['dead', 'silent'])('while Redis is %s', (how) => {
  let redis: RedisServer;
  let service: ServiceProcess;
  let admin: ApiClient;
  let datasetId: string;
  let from: number;

  beforeAll(async () => {
    redis = await RedisServer.start();
    service = await ServiceProcess.start({ settings: { ...SETTINGS, REDIS_URL: redis.url } });
    admin = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
    datasetId = await admin.createDataset('Before');
    await ingest(admin, datasetId, await readFixture('handbook.md'));
    await search();
    from = service.log.length;
    if (how === 'dead') await redis.kill();
    else redis.pause();
  });

  afterAll(async () => {
    redis?.resume();
    await service?.dispose();
    await redis?.dispose();
  });

  const search = (): ReturnType<typeof admin.send<SearchAnswer>> =>
    admin.send<SearchAnswer>('POST', '/retrieval/search', { query: 'lost access badge', dataset_ids: [datasetId] });
  const details = (): Promise<Details> => admin.get<Details>('/health/details');

  it('logins, uploads and what they promise go on', async () => {
    const again = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
    const form = uploadForm({ name: 'later.txt', content: 'The north gate opens at six.' }, { dataset_id: datasetId });
    const { status, body } = await again.send<{ id: string }>('POST', '/documents/upload', form);
    expect(status).toBe(201);
    expect((await admin.pollUntilTerminal(body.id)).status).toBe('completed');
  });

  it('searches go on and are counted from where the count was', async () => {
    const answers = [];
    for (let n = 0; n < SEARCHES; n += 1) answers.push(await search());
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(SEARCHES - 1).fill(200), 429]);
    expect(answers[0]!.body.results[0]?.document_name).toBe('handbook.md');
    expect(answers[0]!.headers.get('ratelimit-remaining')).toBe(String(SEARCHES - 2));
  });

  it('refused credentials are counted', async () => {
    const stranger = (n: number): Promise<number> =>
      new ApiClient(service.url, { 'X-API-Key': `kb_wrong_${n}` })
        .send('GET', '/datasets/')
        .then(({ status }) => status);
    const seen: number[] = [];
    for (let n = 0; n < REFUSED + 1; n += 1) seen.push(await stranger(n));
    expect(seen).toEqual([...Array<number>(REFUSED).fill(401), 429]);
    expect((await admin.send('GET', '/datasets/')).status).toBe(200);
  });

  it('details and one line of the log say so, and readiness holds to its list', async () => {
    const { cache, task_queue: queue } = (await details()).components;
    expect(cache).toMatchObject({ status: 'down', detail: expect.stringContaining('each process counts for itself') });
    expect(queue!.status).not.toBe('up');
    expect((await admin.send('GET', '/health/ready')).status).toBe(503);
    const lines = logLinesOf(service, from).filter(({ msg }) => msg === 'cache.connection_lost');
    expect(lines).toHaveLength(1);
    expect(logLinesOf(service, from).filter(({ msg }) => msg === 'queue.worker_error').length).toBeLessThan(3);
    expect(JSON.stringify(logLinesOf(service, from))).not.toContain(redis.password);
  });

  it('a stop ends the process, and it starts again without Redis', async () => {
    const stopped = await ServiceProcess.start({
      settings: { ...SETTINGS, REDIS_URL: redis.url, READINESS_REQUIRES: 'database,vector_backend' },
    });
    await stopped.stop();
    expect(stopped.isRunning).toBe(false);
    await stopped.dispose();
  });

  it('what was counted meanwhile stays counted when it is back', async () => {
    if (how === 'dead') redis.launch();
    else redis.resume();
    await until(async () => (await details()).components['cache']?.status === 'up', { what: 'the cache' });
    const answer = await search();
    expect(answer.status).toBe(429);
    expect((answer.body as unknown as Problem).code).toBe('http.rate_limited');
    const lines = logLinesOf(service, from).filter(({ msg }) => msg === 'cache.connection_restored');
    expect(lines).toHaveLength(1);
  });
});
