import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storageErrors } from '#libs/object-storage';
import { ComponentChecks } from './component-checks.service.js';
import { HealthProbes, type ProbeName } from './health-probes.service.js';
import { WarmupRegistry } from './warmup-registry.service.js';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'checks-'));
});
afterEach(async () => rm(dataDir, { recursive: true }));

/** Checks with a storage that fails with `error`, over a data folder. */
function checksWith(error: Error): ComponentChecks {
  const failing = { ping: async () => Promise.reject(error) };
  const nothing = {} as never;
  const settings = { values: { objectStorage: 'filesystem', dataDir } } as never;
  return new ComponentChecks(
    new HealthProbes(nothing, nothing, nothing, failing as never, settings, nothing, nothing),
    new WarmupRegistry(nothing),
  );
}
const detailOf = async (name: ProbeName, error = new Error('gone')): Promise<string | null> =>
  (await checksWith(error).check(name)).detail;

describe('the detail of a component that is down', () => {
  it('ends with the error code of the operating system, so that an operator knows what to repair', async () => {
    const cause = Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
    expect(await detailOf('object_storage', storageErrors.unavailable({}, { cause }))).toBe(
      'The object storage does not answer at the moment. Try again later. (EROFS)',
    );
  });

  it.each([
    ['without one, and', new Error('gone'), 'gone'],
    [
      'once where it is said already, and',
      new Error('connect EPIPE', { cause: Object.assign(new Error(''), { code: 'EPIPE' }) }),
      'connect EPIPE',
    ],
    [
      'without codes that are no system’s',
      new Error('gone', { cause: Object.assign(new Error(''), { code: '57P01' }) }),
      'gone',
    ],
  ])('%s is the message of the probe', async (_, error, detail) => {
    expect(await detailOf('object_storage', error)).toBe(detail);
  });
});

describe('the folder of uploads', () => {
  it('is checked at the folder where files are parsed, and at its parent before the first file', async () => {
    expect(await detailOf('upload_directory')).toBeNull();
    await writeFile(join(dataDir, 'work'), 'no folder');
    expect(await detailOf('upload_directory')).toContain('ENOTDIR');
  });
});
