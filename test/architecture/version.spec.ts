import { expect, it } from 'vitest';
import { readProjectFile } from './project-files.js';

const json = <T>(path: string): T => JSON.parse(readProjectFile(path)) as T;

it('names one version everywhere: package.json says it, lockfile, description and changelog agree', () => {
  const { version } = json<{ version: string }>('package.json');
  const lock = json<{ version: string; packages: Record<string, { version?: string }> }>('package-lock.json');
  const released = /^## (\d+\.\d+\.\d+\S*)/m.exec(readProjectFile('CHANGELOG.md'))?.[1];
  expect({
    lockfile: lock.version,
    root: lock.packages['']?.version,
    description: json<{ info: { version: string } }>('docs/openapi.json').info.version,
    changelog: released,
  }).toEqual({ lockfile: version, root: version, description: version, changelog: version });
});
