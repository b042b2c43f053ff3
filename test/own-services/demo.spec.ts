import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { readProjectFile } from '../architecture/project-files.js';
import { SHIPPED_EMBEDDING, useService } from '../support/service-process.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const service = useService({ settings: SHIPPED_EMBEDDING });

it('the demo ends with what to do next: commands and chapters that there are', async () => {
  const { url, admin } = service.process;
  const env = { ...process.env, DEMO_URL: url, DEMO_EMAIL: admin.email, DEMO_PASSWORD: admin.password };
  const { stdout } = await run(process.execPath, ['scripts/demo.mjs'], { cwd: ROOT, env });
  const [, next] = stdout.split('What to do next');
  expect(next?.trim()).toBeTruthy();
  const { scripts } = JSON.parse(readProjectFile('package.json')) as { scripts: Record<string, string> };
  const commands = [...next!.matchAll(/\bnpm (?:run )?([\w:]+)/g)].map(([, name]) => name!);
  const chapters = [...next!.matchAll(/README\.md, "([^"]+)"/g)].map(([, title]) => title!);
  expect(commands).toContain('start');
  expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  expect(chapters).toHaveLength(2);
  const readme = readProjectFile('README.md');
  for (const chapter of chapters) expect(readme).toMatch(new RegExp(`^## ${chapter}`, 'm'));
});
