import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { useService } from '../support/service-process.js';

const KIB = 1024;
const service = useService({ settings: { UPLOAD_IDLE_SECONDS: '1', JSON_BODY_TIMEOUT_SECONDS: '1' } });

interface Sent {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
}
interface Answer {
  readonly status: number;
  readonly code: string;
}
type Client = (sent: Sent) => Promise<Answer>;

const piece = 'x'.repeat(16 * KIB);

const byFetch: Client = async ({ path, headers, bytes }) => {
  const body = new ReadableStream({
    start(controller) {
      for (let left = bytes; left > 0; left -= piece.length) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const answer = await fetch(service.process.url + path, {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  });
  return { status: answer.status, code: ((await answer.json()) as Answer).code };
};

/** Writes all of it before it looks for an answer. */
const byNodeHttp: Client = async ({ path, headers, bytes }) => {
  const sent = request(service.process.url + path, {
    method: 'POST',
    headers: { ...headers, 'Content-Length': bytes },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.end(Buffer.alloc(bytes, 'x'));
  const [answer] = await answered;
  return { status: answer.statusCode!, code: ((await json(answer)) as Answer).code };
};

const PROGRAM = `
import json, sys, urllib.request, urllib.error
url, headers, size = sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3])
try:
    urllib.request.urlopen(urllib.request.Request(url, data=b"x" * size, headers=headers, method="POST"))
except urllib.error.HTTPError as error:
    print(json.dumps({"status": error.code, "code": json.load(error)["code"]}))
`;

const byUrllib: Client = async ({ path, headers, bytes }) => {
  const given = ['-c', PROGRAM, service.process.url + path, JSON.stringify(headers), String(bytes)];
  const { stdout } = await promisify(execFile)('python3', given);
  return JSON.parse(stdout) as Answer;
};

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const CLIENTS: readonly (readonly [string, Client])[] = [
  ['fetch', byFetch],
  ['node:http', byNodeHttp],
  ...(hasPython() ? [['urllib', byUrllib] as const] : []),
];

describe.each(CLIENTS)('an answer before the body was read reaches %s', (_name, client) => {
  const JSON_TYPE = { 'Content-Type': 'application/json' };
  const FORM = { 'Content-Type': 'multipart/form-data; boundary=b' };
  let admin: Readonly<Record<string, string>>;

  beforeAll(() => {
    admin = service.admin.headers;
  });

  it('when the body is larger than its limit', async () => {
    const answer = await client({ path: '/datasets/', headers: { ...admin, ...JSON_TYPE }, bytes: 2_000 * KIB });
    expect(answer).toEqual({ status: 413, code: 'http.body_too_large' });
    expect(await client({ path: '/auth/login', headers: JSON_TYPE, bytes: 1_000 * KIB })).toMatchObject({
      status: 413,
    });
  });

  it('when there is no credential, no route, or no such type', async () => {
    const bytes = 1_500 * KIB;
    expect(await client({ path: '/datasets/', headers: JSON_TYPE, bytes })).toMatchObject({ status: 401 });
    expect(await client({ path: '/nowhere', headers: JSON_TYPE, bytes })).toMatchObject({ status: 404 });
    const text = { ...admin, 'Content-Type': 'text/plain' };
    expect(await client({ path: '/datasets/', headers: text, bytes })).toMatchObject({ status: 415 });
  });

  it('when it is an upload of a stranger, or none that can be read', async () => {
    const bytes = 12_000 * KIB;
    expect(await client({ path: '/documents/upload', headers: FORM, bytes })).toMatchObject({ status: 401 });
    const noBoundary = { ...admin, 'Content-Type': 'multipart/form-data' };
    expect(await client({ path: '/documents/upload', headers: noBoundary, bytes })).toMatchObject({ status: 400 });
  });
});

/** Sends the head of a request and its beginning, then a byte every 100 ms, until the service closes the connection. */
async function drip(head: readonly string[], beginning = ''): Promise<string> {
  const { hostname, port } = new URL(service.process.url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (data: Buffer) => (answer += data.toString()));
  socket.on('error', () => undefined);
  socket.write(`${head.join('\r\n')}\r\nHost: x\r\nContent-Length: 60000\r\n\r\n${beginning}`);
  const timer = setInterval(() => socket.write('x'), 100);
  await once(socket, 'close');
  clearInterval(timer);
  return answer;
}

describe('a body that comes too slowly', () => {
  it('is 408, and its connection is closed', async () => {
    const authorization = `Authorization: ${service.admin.headers['Authorization']!}`;
    const [login, upload] = await Promise.all([
      drip(['POST /api/v1/auth/login HTTP/1.1', 'Content-Type: application/json'], '{"email":"'),
      drip(
        ['POST /api/v1/documents/upload HTTP/1.1', authorization, 'Content-Type: multipart/form-data; boundary=b'],
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n',
      ),
    ]);
    expect(login).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"http\.body_too_slow"/);
    expect(upload).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"http\.upload_too_slow"/);
  });

  it('is not waited for longer when the answer is another one', async () => {
    const answer = await drip(['POST /api/v1/datasets/ HTTP/1.1', 'Content-Type: application/json']);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });
});
