import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#libs/database';
import { until } from '#testing/until';
import { ApiClient, type ChatChunk, type SseEvent } from '../support/api-client.js';
import { bringData } from '../support/data-template.js';
import { ProviderProcess } from '../support/provider-process.js';
import { hasRedis, RedisServer } from '../support/redis.js';
import { ServiceProcess } from '../support/service-process.js';

const QUESTION = 'How often is the pump serviced?';
const SENTENCE =
  'The pump in hall three is serviced every 500 hours by a technician who writes it into the log of the hall.';
const WORDS = `${SENTENCE} [1]`.split(' ').length;
const PIECE_MS = 100;
/** Slow enough that the drain of a stop hands the stream over before it has ended. */
const STOPPED_PIECE_MS = 2_000;
const RESUMABLE = { stream_options: { resumable: true } };

/** skipped: Redis is not installed (Debian package `redis-server`). */
describe.skipIf(!hasRedis)('a stream that is begun at one service and resumed at another, with one Redis', () => {
  let folder: string;
  let redis: RedisServer;
  let postgres: EmbeddedPostgres;
  let double: ProviderProcess;
  let first: ServiceProcess;
  let second: ServiceProcess;
  let here: ApiClient;
  let there: ApiClient;
  let datasetId: string;

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'kb-streams-')));
    await chmod(folder, 0o711);
    redis = await RedisServer.start();
    double = await ProviderProcess.start('openai');
    await bringData(folder);
    postgres = await startEmbeddedPostgres({
      dataDirectory: join(folder, 'postgres'),
      log: () => undefined,
      initdbNoSync: true,
    });
    const admin = { email: 'admin@example.com', password: randomBytes(12).toString('base64url') };
    const settings = {
      REDIS_URL: redis.url,
      SHUTDOWN_DRAIN_SECONDS: '12',
      DATABASE_URL: postgres.serviceUrl,
      DATABASE_MIGRATION_URL: postgres.ownerUrl,
      DATABASE_POOL_SIZE: '8',
      AUTH_JWT_KEY: 'a key for tests that both services share',
      BOOTSTRAP_ADMIN_EMAIL: admin.email,
      BOOTSTRAP_ADMIN_PASSWORD: admin.password,
      CHAT_PROVIDER: 'openai',
      CHAT_MODEL: 'double-chat',
      OPENAI_BASE_URL: double.baseUrl,
      OPENAI_API_KEY: 'sk-over-redis',
    };
    first = await ServiceProcess.start({ settings });
    here = await new ApiClient(first.url).login(admin.email, admin.password);
    datasetId = await here.createDataset('Pumps');
    const { id } = await here.upload(datasetId, { name: 'pump.txt', content: SENTENCE });
    await here.pollUntilTerminal(id);
    // With a folder of its own for files and vectors, so after the ingestion: what it resumes it has from Redis alone.
    second = await ServiceProcess.start({ settings });
    there = new ApiClient(second.url, here.headers);
    await double.pace(PIECE_MS);
  });

  afterAll(async () => {
    await second?.dispose();
    await first?.dispose();
    await postgres?.stop();
    await double?.stop();
    await redis?.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function begin(events: number, more: object = RESUMABLE): Promise<SseEvent[]> {
    const read: SseEvent[] = [];
    for await (const event of here.chatEvents(QUESTION, [datasetId], { ...more })) {
      read.push(event);
      if (read.length === events) break;
    }
    return read;
  }

  async function goOn(client: ApiClient, read: readonly SseEvent[]): Promise<SseEvent[]> {
    const all = [...read];
    const later = client.with({ 'Last-Event-ID': read.at(-1)!.id! });
    for await (const event of later.chatEvents(QUESTION, [datasetId])) all.push(event);
    return all;
  }

  it('goes on while the model still writes, with no event lost or doubled, and the model is asked once', async () => {
    await double.forgetRequests();
    const read = await begin(5);
    const began = performance.now();
    const all = await goOn(there, read);
    // Some of it was written after the reader had changed over.
    expect(performance.now() - began).toBeGreaterThan(5 * PIECE_MS);
    expect(all.map(({ id }) => Number(id?.split('.')[1]))).toEqual(all.map((_, index) => index));
    expect(all.length).toBeGreaterThan(WORDS / 2);
    expect(textOf(all)).toBe(`${SENTENCE} [1]`);
    expect(all.at(-1)?.data).toBe('[DONE]');
    const last = JSON.parse(all.at(-2)!.data) as ChatChunk;
    expect(last.citations).toMatchObject([{ verified: true }]);
    expect(await double.requests()).toHaveLength(1);
  });

  it('is replayed to its end when it is complete, and the same from both', async () => {
    const whole = await begin(Infinity);
    // The last events are written for others shortly after their reader has them.
    const replayed = await until(
      async () => {
        const all = await goOn(there, whole.slice(0, 3)).catch(() => []);
        return all.length === whole.length && all;
      },
      { what: 'the whole stream at the other service' },
    );
    expect(replayed).toEqual(whole);
    expect(await goOn(here, whole.slice(0, 3))).toEqual(whole);
  });

  it('is 404 for another account, and where it was not begun as resumable', async () => {
    const resumable = await begin(3);
    const { secret } = await here.post<{ secret: string }>('/auth/api-keys', {
      name: 'Another',
      scopes: ['chat:complete'],
    });
    const other = there.asApiKey(secret);
    const headers = { 'Last-Event-ID': resumable.at(-1)!.id! };
    const body = { messages: [{ role: 'user', content: QUESTION }], dataset_ids: [datasetId], stream: true };
    const refused = await other.send('POST', '/chat/completions', body, headers);
    expect(refused).toMatchObject({ status: 404, body: { code: 'chat.stream_not_found' } });
    const plain = await begin(3, {});
    const unknown = await there.send('POST', '/chat/completions', body, { 'Last-Event-ID': plain.at(-1)!.id! });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'chat.stream_not_found' } });
  });

  it('is passed on by a service that stops, which makes the rest meanwhile, and told whole by the other one', async () => {
    await double.pace(STOPPED_PIECE_MS);
    const read: SseEvent[] = [];
    const reading = (async () => {
      for await (const event of here.chatEvents(QUESTION, [datasetId], RESUMABLE)) read.push(event);
    })();
    await until(() => read.length >= 3, { what: 'the first words' });
    const stopped = first.kill('SIGTERM');
    await reading;
    const told = read.pop()!;
    expect(told).toMatchObject({ event: 'error', id: undefined });
    expect(JSON.parse(told.data)).toMatchObject({ status: 503, code: 'http.stream_passed_on' });
    // What is left takes no longer than the rest of the drain.
    await double.pace(0);
    const all = await goOn(there, read);
    await stopped;
    await double.pace(PIECE_MS);
    expect(all.map(({ id }) => Number(id?.split('.')[1]))).toEqual(all.map((_, index) => index));
    expect([textOf(all), all.at(-1)?.data]).toEqual([`${SENTENCE} [1]`, '[DONE]']);
    await first.start();
  }, 90_000);

  it('ends with chat.stream_stopped when the service that made it has died', async () => {
    const read = await begin(5);
    await first.kill('SIGKILL');
    const all = await goOn(there, read);
    expect(all.at(-1)).toMatchObject({ event: 'error' });
    expect(JSON.parse(all.at(-1)!.data)).toMatchObject({ code: 'chat.stream_stopped' });
  }, 60_000);
});

function textOf(events: readonly SseEvent[]): string {
  const chunks = events.filter(({ data }) => data !== '[DONE]').map(({ data }) => JSON.parse(data) as ChatChunk);
  return chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
}
