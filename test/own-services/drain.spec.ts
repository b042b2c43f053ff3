import { once } from 'node:events';
import { Agent, request as openRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { ApiClient, readSse, type ChatChunk, type SseEvent } from '../support/api-client.js';
import { listens } from '../support/own-port.js';
import { ProviderProcess } from '../support/provider-process.js';
import { ServiceProcess } from '../support/service-process.js';

const SENTENCE =
  'The pump in hall three is serviced every 500 hours by a technician who writes it into the log of the hall.';
const QUESTION = 'How often is the pump serviced?';
const SLOW_MS = 1_500;

describe('a service that is told to stop', () => {
  let double: ProviderProcess;
  const running: ServiceProcess[] = [];

  beforeAll(async () => {
    double = await ProviderProcess.start('openai');
  });

  afterEach(async () => {
    await double.always(null);
    await double.pace(0);
    for (const service of running.splice(0)) await service.dispose();
  });

  afterAll(() => double?.stop());

  async function start(settings: Record<string, string> = {}): Promise<{ service: ServiceProcess; admin: ApiClient }> {
    const service = await ServiceProcess.start({
      settings: {
        EMBEDDING_PROVIDER: 'openai',
        EMBEDDING_MODEL: 'double-embed',
        EMBEDDING_DIMENSIONS: '64',
        CHAT_PROVIDER: 'openai',
        CHAT_MODEL: 'double-chat',
        OPENAI_BASE_URL: double.baseUrl,
        OPENAI_API_KEY: 'sk-until-the-end',
        ...settings,
      },
    });
    running.push(service);
    return { service, admin: await new ApiClient(service.url).login(service.admin.email, service.admin.password) };
  }

  async function withPump(admin: ApiClient): Promise<string> {
    const datasetId = await admin.createDataset('Pumps');
    const { id } = await admin.upload(datasetId, { name: 'pump.txt', content: SENTENCE });
    expect(await admin.pollUntilTerminal(id)).toMatchObject({ status: 'completed' });
    return datasetId;
  }

  function isRefused(service: ServiceProcess): Promise<boolean> {
    return listens(Number(new URL(service.url).port)).then((listening) => !listening);
  }

  it('ends a stream, an upload and a search that are under way as if it were not, and takes no more connections', async () => {
    const { service, admin } = await start();
    const datasetId = await withPump(admin);
    const stream = await openStream(admin);
    const events = [await stream.next(), await stream.next(), await stream.next()];
    const upload = beginUpload(admin, datasetId);
    await double.forgetRequests();
    await double.always({ kind: 'slow', ms: SLOW_MS });
    const search = admin.search('Which machine needs a technician?', [datasetId]);
    await until(async () => (await double.requests()).length > 0, { what: 'the search at its model' });

    const ended = service.kill('SIGTERM');
    await until(() => isRefused(service), { what: 'an address that is closed' });
    upload.finish();
    for (let next = await stream.next(); next.done !== true; next = await stream.next()) events.push(next);

    expect(await search).toMatchObject({ results: [{ text: SENTENCE }] });
    expect(await upload.answer).toMatchObject({ status: 201, body: { status: 'pending' } });
    expect(events.map(({ value }) => (JSON.parse(value!.data) as { number: number }).number)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
    await ended;
    expect(service.log.filter((line) => line.includes('service.drained'))).toEqual([
      expect.stringContaining('"cut_off":0'),
    ]);
    await service.start();
    expect((await admin.get<{ items: unknown[] }>(`/documents/?dataset_id=${datasetId}`)).items).toHaveLength(2);
  });

  it('is unready first and serves all the same, then answers what comes on open connections and closes them', async () => {
    const { service, admin } = await start({ SHUTDOWN_DELAY_SECONDS: '3' });
    const agents = [0, 1].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
    for (const agent of agents) {
      const before = await getBy(agent, `${service.url}/health/ready`);
      expect([before.statusCode, before.headers.connection]).toEqual([200, 'keep-alive']);
    }
    const stream = await openStream(admin);
    await stream.next();

    const ended = service.kill('SIGTERM');
    const { status } = await until(
      async () => {
        const answer = await new ApiClient(service.url).send('GET', '/health/ready');
        return answer.status === 200 ? undefined : answer;
      },
      { what: 'refused readiness' },
    );
    expect(status).toBe(503);
    expect(await admin.send('GET', '/health')).toMatchObject({ status: 200 });
    expect(await admin.createDataset('Made while it leaves')).toEqual(expect.any(String));
    const atOnce = await getBy(agents[0]!, `${service.url}/health`);

    await until(() => isRefused(service), { what: 'an address that is closed' });
    const last = await getBy(agents[1]!, `${service.url}/health`);
    for (const { statusCode, headers } of [atOnce, last])
      expect([statusCode, headers.connection]).toEqual([200, 'close']);
    await ended;
    for (const agent of agents) agent.destroy();
  });

  it('ends a stream that takes longer with an event that says to ask again, and a request with 503', async () => {
    const { service, admin } = await start({ SHUTDOWN_DRAIN_SECONDS: '1' });
    const datasetId = await withPump(admin);
    await double.pace(2_000);
    const events: SseEvent[] = [];
    const reading = (async () => {
      for await (const event of admin.chatEvents(QUESTION, [datasetId])) events.push(event);
    })();
    await until(() => events.length > 1, { what: 'the first words' });
    await double.always({ kind: 'slow', ms: 20_000 });
    const search = admin.send('POST', '/retrieval/search', { query: 'a technician', dataset_ids: [datasetId] });
    await until(async () => (await double.textsToEmbed()).includes('a technician'), { what: 'the search' });

    await service.kill('SIGTERM');
    await reading;
    expect(events.at(-1)).toMatchObject({ event: 'error', id: undefined });
    expect(JSON.parse(events.at(-1)!.data)).toMatchObject({ status: 503, code: 'http.stream_cut_off' });
    expect(textOf(events)).not.toBe('');
    const refused = await search;
    expect(refused).toMatchObject({ status: 503, body: { code: 'http.shutting_down' } });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(service.log.some((line) => line.includes('service.drained') && line.includes('"cut_off":2'))).toBe(true);
  });

  it('ends at once at a second signal', async () => {
    const { service, admin } = await start({ SHUTDOWN_DELAY_SECONDS: '600' });
    const ended = service.kill('SIGTERM');
    await until(async () => (await admin.send('GET', '/health/ready')).status === 503, { what: 'refused readiness' });
    // A signal that comes twice from one press of a key is one; a later one is meant.
    await until(() => {
      if (service.isRunning) process.kill(service.pid, 'SIGTERM');
      return !service.isRunning;
    });
    await ended;
    expect(service.isRunning).toBe(false);
  });
});

async function openStream(client: ApiClient): Promise<AsyncIterator<SseEvent>> {
  const answer = await fetch(`${client.url}/chat/stream-test`, { headers: client.headers });
  expect(answer.status).toBe(200);
  return readSse(answer.body!)[Symbol.asyncIterator]();
}

/** An upload that has sent one half of its file. */
function beginUpload(
  client: ApiClient,
  datasetId: string,
): { finish(): void; answer: Promise<{ status: number | undefined; body: unknown }> } {
  const boundary = 'the-boundary-of-two-parts';
  const part = (name: string, rest: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}`;
  const text = `${SENTENCE}\n`.repeat(2_000);
  const head = `${part('dataset_id', '')}\r\n\r\n${datasetId}\r\n${part('file', '; filename="half.txt"')}\r\nContent-Type: text/plain\r\n\r\n`;
  const outgoing = openRequest(`${client.url}/documents/upload`, {
    method: 'POST',
    headers: { ...client.headers, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  });
  const answer = once(outgoing, 'response').then(async ([incoming]: IncomingMessage[]) => ({
    status: incoming!.statusCode,
    body: await json(incoming!),
  }));
  outgoing.write(head + text.slice(0, text.length / 2));
  return { finish: () => outgoing.end(`${text.slice(text.length / 2)}\r\n--${boundary}--\r\n`), answer };
}

async function getBy(agent: Agent, url: string): Promise<IncomingMessage> {
  const outgoing = openRequest(url, { agent }).end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  incoming.resume();
  await once(incoming, 'end');
  return incoming;
}

function textOf(events: readonly SseEvent[]): string {
  const chunks = events.filter(({ event }) => event === 'message').map(({ data }) => JSON.parse(data) as ChatChunk);
  return chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
}
