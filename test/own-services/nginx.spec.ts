import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient, readSse, type ChatChunk, type SseEvent } from '../support/api-client.js';
import { documentedLocations, hasNginx, Nginx } from '../support/nginx.js';
import { ProviderProcess } from '../support/provider-process.js';
import { ServiceProcess } from '../support/service-process.js';

const TEST_EVENTS = 10;
/** Between two events of the test of streams there are 500 ms. */
const APART_MS = 250;
const PIECE_MS = 100;
const SENTENCE =
  'The pump in hall three is serviced every 500 hours by a technician who writes it into the log of the hall.';
const QUESTION = 'How often is the pump serviced?';
/** Nothing but the address, as a first attempt has it. */
const BARE = 'location / { proxy_pass http://127.0.0.1:8000; }';
/** What some installations set for all that they serve. */
const DEAF = 'proxy_ignore_headers X-Accel-Buffering;';

/** skipped: nginx is not installed (Debian package `nginx`). */
describe.skipIf(!hasNginx)('streams through nginx', () => {
  let double: ProviderProcess;
  let service: ServiceProcess;
  let datasetId: string;
  const running: Nginx[] = [];

  beforeAll(async () => {
    double = await ProviderProcess.start('openai');
    service = await ServiceProcess.start({
      settings: {
        CHAT_PROVIDER: 'openai',
        CHAT_MODEL: 'double-chat',
        OPENAI_BASE_URL: double.baseUrl,
        OPENAI_API_KEY: 'sk-behind-nginx',
        TRUST_PROXY: '127.0.0.1',
      },
    });
    const admin = await login(service.url);
    datasetId = await admin.createDataset('Behind a proxy');
    const { id } = await admin.upload(datasetId, { name: 'pump.txt', content: SENTENCE });
    await admin.pollUntilTerminal(id);
    await double.pace(PIECE_MS);
  });

  afterAll(async () => {
    for (const nginx of running) await nginx.stop();
    await service?.dispose();
    await double?.stop();
  });

  function login(url: string): Promise<ApiClient> {
    return new ApiClient(url).login(service.admin.email, service.admin.password);
  }

  async function through(locations: string, more = ''): Promise<ApiClient> {
    const nginx = await Nginx.start(service.url, locations, more);
    running.push(nginx);
    return login(nginx.url);
  }

  /** Milliseconds between the arrivals of the events of the test of streams. */
  async function gapsOf(client: ApiClient): Promise<number[]> {
    const answer = await fetch(`${client.url}/chat/stream-test`, { headers: client.headers });
    expect(answer.status).toBe(200);
    const times = await arrivalsOf(readSse(answer.body!));
    expect(times).toHaveLength(TEST_EVENTS);
    return times.slice(1).map((time, index) => time - times[index]!);
  }

  it('arrive one by one with the documented settings, also where nginx is deaf to what the service says', async () => {
    for (const more of ['', DEAF]) {
      const gaps = await gapsOf(await through(await documentedLocations(), more));
      expect(gaps.filter((gap) => gap > APART_MS)).toHaveLength(TEST_EVENTS - 1);
    }
  });

  it('arrive one by one without them, because the service says so itself', async () => {
    const gaps = await gapsOf(await through(BARE));
    expect(gaps.filter((gap) => gap > APART_MS)).toHaveLength(TEST_EVENTS - 1);
  });

  it('are shown to be kept together by GET /chat/stream-test where nginx is deaf and has no such settings', async () => {
    const gaps = await gapsOf(await through(BARE, DEAF));
    expect(gaps.filter((gap) => gap > APART_MS)).toEqual([]);
  });

  it('show an answer as the model writes it', async () => {
    const client = await through(await documentedLocations());
    const times = await arrivalsOf(client.chatEvents(QUESTION, [datasetId]));
    // Words come one every 100 ms; two may come together, twenty may not.
    expect(times.length).toBeGreaterThan(15);
    expect(times.at(-1)! - times[0]!).toBeGreaterThan(10 * PIECE_MS);
  });

  it('are resumed by Last-Event-ID', async () => {
    const client = await through(await documentedLocations());
    const read: SseEvent[] = [];
    for await (const event of client.chatEvents(QUESTION, [datasetId], { stream_options: { resumable: true } })) {
      read.push(event);
      if (read.length === 5) break;
    }
    const later = client.with({ 'Last-Event-ID': read.at(-1)!.id! });
    for await (const event of later.chatEvents(QUESTION, [datasetId])) read.push(event);
    expect(read.map(({ id }) => Number(id?.split('.')[1]))).toEqual(read.map((_, index) => index));
    expect(read.at(-1)?.data).toBe('[DONE]');
    expect(textOf(read)).toBe(`${SENTENCE} [1]`);
  });

  it('and uploads above what nginx takes by itself pass', async () => {
    const client = await through(await documentedLocations());
    const content = `${SENTENCE}\n`.repeat(20_000);
    const { id } = await client.upload(datasetId, { name: 'large.txt', content });
    expect(await client.get(`/documents/${id}`)).toMatchObject({ size_bytes: content.length });
  });
});

async function arrivalsOf(events: AsyncIterable<SseEvent>): Promise<number[]> {
  const times: number[] = [];
  for await (const _event of events) times.push(performance.now());
  return times;
}

function textOf(events: readonly SseEvent[]): string {
  const chunks = events.filter(({ data }) => data !== '[DONE]').map(({ data }) => JSON.parse(data) as ChatChunk);
  return chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
}
