import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readProjectFile } from '../architecture/project-files.js';
import { useService } from '../support/service-process.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
/** From the first session to the settings. */
const chapters = readProjectFile('README.md').split('\n## A first session\n')[1]!.split('\n## ')[0]!;
const blocks = (language: string): string[] =>
  [...chapters.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code!);

describe('the session of README.md', () => {
  const service = useService();
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
    const [shown] = blocks('text');
    for (const [pasted, times] of [
      [`${script}\n${script}`, 2],
      [script, 1],
    ] as const) {
      const told = await play(pasted);
      expect(told.match(/^completed$/gm)).toHaveLength(times);
      expect(told.split(shown!)).toHaveLength(times + 1);
      expect(told.split('Every employee has 29 vacation days a year. [1]')).toHaveLength(times + 1);
      expect(told).not.toContain('undefined');
    }
  });

  it('prints the problem where the password is wrong', async () => {
    const wrong = session().replace(/^PASSWORD=.*$/m, "PASSWORD='not the one'");
    const first = wrong.slice(0, wrong.indexOf('# 2.'));
    const { stdout, stderr } = await run('bash', ['-c', first], { cwd: ROOT });
    expect(stdout).toBe('');
    expect(stderr).toContain("code: 'accounts.login_failed'");
  });
});
