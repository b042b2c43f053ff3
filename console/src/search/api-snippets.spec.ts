import { execFileSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, it } from 'vitest';
import { SNIPPETS } from './api-snippets.js';

const body = {
  query: `it's "what" $HOME \`id\` \\ \n$(id) ü 𝒜`,
  dataset_ids: ['one'],
  use_kg: true,
  score_threshold: 0.5,
  filters: { type: 'and', filters: [] },
};
const request = { url: "https://kb.example/it's/api", tenantId: 'tenant', body };

describe('a request for programs', () => {
  it('by curl is the same after a shell has read it', () => {
    const script = `curl() { printf '%s\\0' "$@"; }\nKB_TOKEN=secret\n${SNIPPETS.curl(request)}`;
    const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
    expect(words.slice(0, 8)).toEqual([
      '-sS',
      request.url,
      '-H',
      'Authorization: Bearer secret',
      '-H',
      'X-Tenant-ID: tenant',
      '-H',
      'Content-Type: application/json',
    ]);
    expect(JSON.parse(words.at(-1)!)).toEqual(body);
  });

  it('by TypeScript is the same when it runs', async () => {
    const code = stripTypeScriptTypes(SNIPPETS.typescript(request));
    const calls: [string, RequestInit][] = [];
    const fetch = (url: string, init: RequestInit): Response => {
      calls.push([url, init]);
      return Response.json({ results: [] });
    };
    const run = Object.getPrototypeOf(async () => {}).constructor as new (
      ...parts: string[]
    ) => (...values: unknown[]) => Promise<void>;
    await new run('fetch', 'process', code)(fetch, { env: { KB_TOKEN: 'secret' } });
    const [[url, init]] = calls as [[string, RequestInit]];
    expect(url).toBe(request.url);
    expect(init.headers).toMatchObject({ Authorization: 'Bearer secret', 'X-Tenant-ID': 'tenant' });
    expect(JSON.parse(init.body as string)).toEqual(body);
  });

  it("by Python has Python's words for values", () => {
    const code = SNIPPETS.python({ url: 'https://kb.example', body: { ...body, none: null } });
    expect(code).toContain('"use_kg": True,');
    expect(code).toContain('"none": None,');
    expect(code).toContain('"filters": [],');
    expect(code).toContain(`"query": ${JSON.stringify(body.query)},`);
    expect(code).not.toMatch(/\b(true|false|null)\b/);
  });

  it('names no tenant where there is one only', () => {
    for (const write of Object.values(SNIPPETS))
      expect(write({ url: 'https://kb.example', body })).not.toContain('X-Tenant-ID');
  });
});
