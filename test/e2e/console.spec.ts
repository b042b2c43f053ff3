import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ConsoleContents } from '../../scripts/console-bytes.js';
import { useService } from '../support/service-process.js';
import { useTenant } from '../support/shared-service.js';

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** As it is sent: `fetch` would take the compression away. */
function ask(url: URL, method: string, headers: Readonly<Record<string, string>>): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

async function builtContents(): Promise<ConsoleContents> {
  const file = fileURLToPath(new URL('../../dist/console/console.json', import.meta.url));
  return JSON.parse(await readFile(file, 'utf8')) as ConsoleContents;
}

describe('the console', () => {
  const service = useTenant();
  const get = (path: string, headers: Readonly<Record<string, string>> = { Accept: HTML }, method = 'GET') =>
    ask(new URL(path, service.url), method, headers);
  const policyOf = ({ headers }: Raw): string => String(headers['content-security-policy']);

  it('is a page at / and at every address of a browser that no route has', async () => {
    for (const path of [
      '/',
      '/ask?q=notice',
      '/d/01934b7e-6c2a-7a3e-9a51-2f0c6d1b8e10/documents',
      '/nothing/at/all/',
    ]) {
      const page = await get(path);
      expect(page.status, path).toBe(200);
      expect(page.headers['content-type'], path).toBe('text/html; charset=utf-8');
      expect(page.headers['cache-control'], path).toBe('no-store');
      const script = /<script type="module" nonce="[^"]+" src="([^"]+)">/.exec(page.body.toString())?.[1];
      const file = await get(new URL(script!, new URL(path, service.url)).pathname, { Accept: '*/*' });
      expect(file.headers['content-type'], path).toMatch(/^(text|application)\/javascript/);
    }
  });

  it('has a nonce for each answer, which alone lets scripts run, and is framed by no one', async () => {
    const [one, other] = [await get('/'), await get('/')];
    const nonce = /'nonce-([^']+)'/.exec(policyOf(one))![1]!;
    expect(policyOf(one)).toContain(`script-src 'nonce-${nonce}' 'strict-dynamic';`);
    expect(policyOf(one)).toContain("frame-ancestors 'none'");
    expect(policyOf(one)).not.toMatch(/unsafe|script-src[^;]*'self'/);
    expect(policyOf(other)).not.toContain(nonce);
    expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
    const scripts = [...one.body.toString().matchAll(/<script[^>]*>([^<]*)/g)];
    expect(scripts.map(([tag, inner]) => [tag.includes(`nonce="${nonce}"`), inner])).toEqual([[true, '']]);
    expect(one.body.toString()).not.toMatch(/ on\w+=|javascript:/);
  });

  it('leaves to programs what is theirs: other methods, other types, and paths of the interface', async () => {
    expect((await get('/nothing', { Accept: 'application/json' })).status).toBe(404);
    expect((await get('/nothing', { Accept: '*/*' })).status).toBe(404);
    expect((await get('/nothing', {})).status).toBe(404);
    expect((await get('/nothing', { Accept: 'text/html;q=0, application/json' })).status).toBe(404);
    expect((await get('/nothing', { Accept: HTML }, 'POST')).status).toBe(404);
    for (const path of ['/api', '/api/v1/nothing', '/docs/nothing', '/mcp', '/metrics', '/console/nothing.js']) {
      const answer = await get(path);
      expect(answer.status, path).toBe(404);
      expect(String(answer.headers['content-type']), path).toMatch(/json/);
    }
    expect((await get('/apiary')).status).toBe(200);
    expect((await get('/docs')).body.toString()).toContain('swagger-ui');
    expect((await get('/api/v1/health', { Accept: HTML })).headers['content-type']).toMatch(/json/);
  });

  it('answers HEAD as GET, without the page', async () => {
    for (const path of ['/', '/d/x/ask']) {
      const { status, headers, body } = await get(path, { Accept: HTML }, 'HEAD');
      expect([status, headers['content-type'], body.length], path).toEqual([200, 'text/html; charset=utf-8', 0]);
    }
  });

  it('gives its files for good, compressed when it was built', async () => {
    const { files } = await builtContents();
    expect(files.length).toBeGreaterThan(3);
    for (const name of files) {
      expect(name, name).toMatch(/-[\w-]{8,}\.\w+$/);
      const path = `/console/${name}`;
      const plain = await get(path, { 'Accept-Encoding': 'identity' });
      expect([plain.status, plain.headers['content-encoding']], name).toEqual([200, undefined]);
      expect(plain.headers['cache-control'], name).toBe('public, max-age=31536000, immutable');
      expect(String(plain.headers['vary']).toLowerCase(), name).toContain('accept-encoding');
      expect(plain.headers['x-content-type-options'], name).toBe('nosniff');
      if (!/\.(m?js|css)$/.test(name)) continue;
      const gzip = await get(path, { 'Accept-Encoding': 'gzip' });
      expect(gzip.headers['content-encoding'], name).toBe('gzip');
      expect(gunzipSync(gzip.body).equals(plain.body), name).toBe(true);
      const brotli = await get(path, { 'Accept-Encoding': 'gzip, deflate, br' });
      expect(brotli.headers['content-encoding'], name).toBe('br');
      expect(brotliDecompressSync(brotli.body).equals(plain.body), name).toBe(true);
    }
  });

  it('gives nothing else of its folder', async () => {
    const { script } = await builtContents();
    for (const path of ['console.json', `${script}.gz`, `${script}.br`, '', '../src/main.js', '..%2fsrc%2fmain.js']) {
      const answer = await get(`/console/${path}`, { Accept: '*/*' });
      expect(answer.status, path).toBeGreaterThanOrEqual(400);
    }
  });
});

describe('CONSOLE=off', () => {
  const service = useService({ settings: { CONSOLE: 'off' } });

  it('leads to /docs, and has no pages and no files', async () => {
    const at = (path: string) => ask(new URL(path, service.process.url), 'GET', { Accept: HTML });
    const home = await at('/');
    expect([home.status, home.headers['location']]).toEqual([302, '/docs']);
    expect((await at('/d/x/ask')).status).toBe(404);
    const { script } = await builtContents();
    expect((await at(`/console/${script}`)).status).toBe(404);
  });
});
