import { afterAll, beforeAll, expect, it } from 'vitest';
import { ServiceProcess } from '../support/service-process.js';
import { ApiClient } from '../support/api-client.js';

const REFUSED_MOST = 3;
const WINDOW_SECONDS = 60;

let service: ServiceProcess;
let client: ApiClient;

beforeAll(async () => {
  service = await ServiceProcess.start({
    hasMovableClock: true,
    settings: { RATE_LIMITS: 'on', RATE_LIMIT_REFUSED_CREDENTIALS: String(REFUSED_MOST) },
  });
  client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
});
afterAll(() => service?.dispose());

it('a clock that is set back by two hours stops nothing for two hours', async () => {
  const datasetId = await client.createDataset('Clocks');
  const upload = async (n: number): Promise<string> => {
    const content = `The clock with the number ${n} is wound every ${n + 2} days.`;
    return (await client.upload(datasetId, { name: `clock-${n}.txt`, content })).id;
  };
  const askWith = (key: string): Promise<Response> =>
    fetch(`${service.url}/datasets/`, { headers: { authorization: `Bearer ${key}` } });

  const ids = [await upload(0)];
  await client.pollUntilTerminal(ids[0]!);
  for (let n = 0; n < REFUSED_MOST; n += 1) expect((await askWith(`kb_wrong${n}`)).status).toBe(401);
  expect((await askWith('kb_another')).status).toBe(429);
  await client.get('/health/details');
  for (let n = 1; n < 12; n += 1) ids.push(await upload(n));

  // While documents are worked on, and once more when nothing is left to do.
  for (const n of [12, 13]) {
    process.kill(service.pid, 'SIGUSR2');
    ids.push(await upload(n));
    const ended = await Promise.all(ids.map((id) => client.pollUntilTerminal(id, { intervalMs: 1_000 })));
    expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'completed'));
  }
  const answer = await client.chat('Every how many days is the clock with the number 12 wound?', [datasetId]);
  expect(answer.choices[0]!.message.content).toContain('14 days');
  // It was set back indeed.
  expect(answer.created).toBeLessThan(Date.now() / 1_000 - 3_600);
  const refused = await askWith('kb_another');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(WINDOW_SECONDS);
  expect(await client.get('/health/details')).toMatchObject({ status: 'up' });
});
