import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { sendBytes } from '../support/raw-http.js';
import { useService } from '../support/service-process.js';

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

/** What a browser sends for a page of `origin` that calls `POST /mcp` by the name `host`. */
describe('POST /mcp of a page in a browser', () => {
  const service = useService({ settings: { PUBLIC_URL: 'https://kb.example/base' } });
  let own: string;

  const callFrom = (origin: string, host: string, more: readonly string[] = []): Promise<Answer<unknown>> => {
    const lines = [
      'POST /api/v1/mcp HTTP/1.1',
      `Host: ${host}`,
      `Origin: ${origin}`,
      `Authorization: ${service.admin.headers['Authorization']!}`,
      'Content-Type: application/json',
      `Content-Length: ${LIST.length}`,
      'Connection: close',
      ...more,
    ];
    return sendBytes(service.process.url, `${lines.join('\r\n')}\r\n\r\n${LIST}`);
  };

  beforeAll(() => {
    own = new URL(service.process.url).host;
  });

  it('answers pages of the service itself', async () => {
    const { port } = new URL(service.process.url);
    expect(await callFrom(`http://${own}`, own)).toMatchObject({ status: 200, body: { result: { tools: {} } } });
    expect((await callFrom(`http://localhost:${port}`, `localhost:${port}`)).status).toBe(200);
    expect((await callFrom('https://kb.example', own)).status).toBe(200);
  });

  it('refuses all others, also one whose name was pointed at the service', async () => {
    const refused = { status: 403, body: { code: 'integrations.origin_not_allowed' } };
    const rebound = 'evil.example';
    expect(await callFrom(`http://${rebound}`, rebound)).toMatchObject(refused);
    expect(await callFrom('https://evil.example', own)).toMatchObject(refused);
    expect(await callFrom('http://127.0.0.1:1', own)).toMatchObject(refused);
    expect(await callFrom('null', own)).toMatchObject(refused);
    const forwarded = ['X-Forwarded-Host: 192.0.2.7', 'X-Forwarded-Proto: https'];
    expect(await callFrom('https://192.0.2.7', own, forwarded)).toMatchObject(refused);
  });

  it('and none without a credential', async () => {
    const answer = await fetch(`${service.process.url}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: `http://${own}` },
      body: LIST,
    });
    expect(answer.status).toBe(401);
  });
});
