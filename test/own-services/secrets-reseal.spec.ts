import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { useService } from '../support/service-process.js';

const COMMAND = fileURLToPath(new URL('../../dist/src/cli/secrets-reseal.js', import.meta.url));
const [FIRST, SECOND] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];

describe('npm run secrets:reseal beside a running service', () => {
  const service = useService({ settings: { SECRETS_KEY: FIRST } });
  let webhookId: string;

  beforeAll(async () => {
    const target = { url: 'https://example.com/hooks', events: ['document.completed'] };
    webhookId = (await service.admin.post<{ id: string }>('/webhooks', target)).id;
    // Its former secret holds for a day more: it has two.
    await service.admin.post(`/webhooks/${webhookId}/rotate-secret`, {});
  });

  async function reseal(
    keys: Readonly<Record<string, string>>,
  ): Promise<{ code: number; said: string; failed: string }> {
    const child = spawn(process.execPath, [COMMAND], {
      cwd: service.process.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: join(service.process.folder, 'data'), ...keys },
    });
    const ended = once(child, 'exit') as Promise<[number]>;
    const [said, failed, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, said, failed };
  }

  it('says what no key opens, each webhook once, and leaves it as it is', async () => {
    const { code, said, failed } = await reseal({ SECRETS_KEY: SECOND });
    expect([code, said]).toEqual([1, '0 resealed, 0 under the present key already, 2 left\n']);
    expect(failed.split(webhookId)).toHaveLength(2);
    expect(failed + said).not.toContain(SECOND);
  });

  it('brings all under the new key, as often as it is run, and back', async () => {
    const rotated = { SECRETS_KEY: SECOND, SECRETS_FORMER_KEYS: FIRST };
    const nothing = { code: 0, failed: '' };
    expect(await reseal(rotated)).toEqual({
      ...nothing,
      said: '2 resealed, 0 under the present key already, 0 left\n',
    });
    expect(await reseal(rotated)).toEqual({
      ...nothing,
      said: '0 resealed, 2 under the present key already, 0 left\n',
    });
    expect(await reseal({ SECRETS_KEY: SECOND })).toMatchObject({
      code: 0,
      said: expect.stringMatching(/, 0 left\n$/),
    });
    const back = { SECRETS_KEY: FIRST, SECRETS_FORMER_KEYS: SECOND };
    expect(await reseal(back)).toEqual({ ...nothing, said: '2 resealed, 0 under the present key already, 0 left\n' });
  });
});
