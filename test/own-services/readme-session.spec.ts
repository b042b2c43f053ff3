import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readProjectFile } from '../architecture/project-files.js';
import type { ChatAnswer } from '../support/api-client.js';
import { SHIPPED_EMBEDDING, useService } from '../support/service-process.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
/** From the first session to the settings. */
const chapters = readProjectFile('README.md').split('\n## A first session\n')[1]!.split('\n## ')[0]!;
const blocks = (language: string): string[] =>
  [...chapters.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code!);

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly 'x-permission': string }>>>>;
}

/** What README and the guides that take its key do with it: calls in a shell, of clients, of tools of MCP and of Dify. */
function routesCalledWithTheKey(): string[] {
  const guides = ['README.md', 'docs/first-hour.md', 'docs/evaluations.md'].map(readProjectFile).join('\n');
  const commands = guides.replaceAll(/\\\n/g, ' ').split('\n');
  const inShell = commands
    .filter((line) => line.includes('curl') && line.includes('$KB_API_KEY'))
    .map(
      (line) =>
        `${/-X (\w+)/.exec(line)?.[1] ?? (line.includes(' -d ') ? 'POST' : 'GET')} ${/\$(?:BASE|KB_URL)(\/[^"?]*)/.exec(line)![1]}`,
    );
  const byClients: [RegExp, string][] = [
    [/chat\.completions\.create/, 'POST /chat/completions'],
    [/GET \/models/, 'GET /models'],
    [/embeddings\.create/, 'POST /embeddings'],
    [/client\.POST\('\/api\/v1\/retrieval\/search'/, 'POST /retrieval/search'],
    [/api\/v1\/mcp/, 'POST /mcp'],
    [/integrations\/dify/, 'POST /integrations/dify/retrieval'],
    // What the tools of the protocol represent.
    [/`list_datasets`/, 'GET /datasets/'],
    [/`explain_miss`/, 'POST /retrieval/explain'],
    [/`read_document`/, 'GET /documents/{document_id}/text'],
    // What the command does.
    [/npm run evaluate/, 'POST /evaluations/jobs'],
    [/npm run evaluate/, 'GET /evaluations/jobs/{job_id}/report'],
  ];
  const called = byClients.map(([sign, route]) => {
    expect(guides).toMatch(sign);
    return route;
  });
  expect(inShell.length).toBeGreaterThan(0);
  return [...inShell, ...called];
}

describe('the session of README.md', () => {
  const service = useService({ settings: SHIPPED_EMBEDDING });
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-readme-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** What is pasted, with the address and the password of this service. */
  const session = (): string => {
    const { url, admin } = service.process;
    const pasted = blocks('sh').join('\n');
    const known = pasted
      .replace(/^BASE=.*$/m, `BASE=${url}`)
      .replace(/^EMAIL=.*$/m, `EMAIL=${admin.email}`)
      .replace(/^PASSWORD=.*$/m, `PASSWORD='${admin.password}'`);
    expect(known).not.toBe(pasted);
    return known;
  };
  /** Plays it as a shell without settings of its own does that shows every failure: of curl, of an answer, of a pipe. */
  const play = async (script: string): Promise<string> => {
    const curl = join(folder, 'curl');
    await writeFile(curl, `#!/bin/sh\nPATH=$KB_PATH\nexec curl --fail-with-body "$@"\n`);
    await chmod(curl, 0o755);
    const path = process.env['PATH'] ?? '';
    const env = { ...process.env, KB_PATH: path, PATH: `${folder}:${path}` };
    const { stdout, stderr } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd: ROOT, env });
    expect(stderr).toBe('');
    return stdout;
  };

  it('can be pasted twice into one shell and once more into another, and says what README shows', async () => {
    const script = session();
    const [answer, explained] = blocks('text');
    for (const [pasted, times] of [
      [`${script}\n${script}`, 2],
      [script, 1],
    ] as const) {
      const told = await play(pasted);
      expect(told.match(/^completed$/gm)).toHaveLength(times);
      // At the beginning of a line: the answer has no other sentence before it.
      expect(told.split(`\n${answer}`)).toHaveLength(times + 1);
      expect(told.split(explained!)).toHaveLength(times + 1);
      expect(told).not.toContain('undefined');
    }
  });

  it('shows an answer that is one sentence of the file, cited with its page', async () => {
    const asked = `${session().split('# 7.')[0]}\nprintf '%s' "$ANSWER"`;
    const told = (await play(asked)).trimEnd().split('\n').at(-1)!;
    const { choices, citations, refusal } = JSON.parse(told) as ChatAnswer;
    const [shown] = blocks('text');
    const content = choices[0]!.message.content;
    expect([`${content}\n`, refusal]).toEqual([shown, null]);
    expect(citations).toHaveLength(1);
    const cited = { document_name: 'report.pdf', page: 2, answer_start: 0, support_score: 1, verified: true };
    expect(citations[0]).toMatchObject({ ...cited, cited_text: content.replace(/ \[1\]$/, '') });
  });

  it('makes a key with the scopes of every route that README and its guides call with it', async () => {
    const made = blocks('sh').find((code) => code.includes('/auth/api-keys'))!;
    const scopes = JSON.parse(/"scopes": (\[.*?\])/.exec(made)![1]!) as string[];
    const { paths } = await service.anonymous.get<Description>('/openapi.json');
    const called = routesCalledWithTheKey().map((route) => {
      const [method, path] = route.split(' ') as [string, string];
      const operation = paths[`/api/v1${path}`]?.[method.toLowerCase()];
      expect(operation, route).toBeDefined();
      return [route, operation!['x-permission']] as const;
    });
    expect(called.filter(([, permission]) => permission !== 'any' && !scopes.includes(permission))).toEqual([]);
  });

  it('prints the problem where the password is wrong', async () => {
    const wrong = session().replace(/^PASSWORD=.*$/m, "PASSWORD='not the one'");
    const first = wrong.slice(0, wrong.indexOf('# 2.'));
    const { stdout, stderr } = await run('bash', ['-c', first], { cwd: ROOT });
    expect(stdout).toBe('');
    expect(stderr).toContain("code: 'accounts.login_failed'");
  });
});
