import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('a double in a process of its own', () => {
  const child = spawn(process.execPath, ['scripts/provider-double.mjs', 'openai'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let origin = '';
  beforeAll(async () => {
    for await (const line of createInterface(child.stdout)) {
      ({ origin } = JSON.parse(line) as { origin: string });
      break;
    }
  });
  afterAll(() => child.kill());

  it('listens, fails as it is told over HTTP, and shows what it was sent', async () => {
    const put = (path: string, body: unknown): Promise<Response> =>
      fetch(`${origin}/_double/${path}`, { method: 'PUT', body: JSON.stringify(body) });
    await put('faults', [{ kind: 'status', status: 429, retryAfter: '2' }]);
    const refused = await fetch(`${origin}/v1/models`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
    expect((await fetch(`${origin}/v1/models`)).status).toBe(200);
    expect(await (await fetch(`${origin}/_double/requests`)).json()).toHaveLength(2);
  });
});
