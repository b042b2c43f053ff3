import { mkdtemp, rm, stat, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SealBroken, SecretsBox } from './secrets-box.js';
import { loadSecretsKeys } from './secrets-keys.js';

const FIRST = 'first-key-of-thirty-two-characters';
const SECOND = 'second-key-of-thirty-two-characters';
const POSTGRES = 'postgres://example';

describe('secrets at rest', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'secrets-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const open = async (settings: { key?: string; former?: string[]; databaseUrl?: string }): Promise<SecretsBox> =>
    new SecretsBox(
      await loadSecretsKeys({
        secretsKey: settings.key,
        secretsFormerKeys: settings.former ?? [],
        databaseUrl: settings.databaseUrl,
        dataDir,
      }),
    );

  it('come back for what they were sealed for, and are not in the sealed text', async () => {
    const box = await open({ key: FIRST });
    const sealed = box.seal('whsec_abc', 'webhook:1');
    expect(sealed).not.toContain('abc');
    expect(box.open(sealed, 'webhook:1')).toBe('whsec_abc');
    expect(box.seal('whsec_abc', 'webhook:1')).not.toBe(sealed);
    expect(() => box.open(sealed, 'webhook:2')).toThrow(SealBroken);
  });

  it('are refused when a character of the sealed text was changed', async () => {
    const box = await open({ key: FIRST });
    const sealed = box.seal('whsec_abc', 'webhook:1');
    const at = sealed.lastIndexOf('.') + 3;
    const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
    expect(() => box.open(changed, 'webhook:1')).toThrow(SealBroken);
    expect(() => box.open('', 'webhook:1')).toThrow(SealBroken);
  });

  it('are read with a former key, and by no other', async () => {
    const sealed = (await open({ key: FIRST })).seal('whsec_abc', 'webhook:1');
    const after = await open({ key: SECOND, former: [FIRST] });
    expect(after.open(sealed, 'webhook:1')).toBe('whsec_abc');
    const stranger = await open({ key: SECOND });
    expect(() => stranger.open(sealed, 'webhook:1')).toThrow(/neither SECRETS_KEY nor in SECRETS_FORMER_KEYS/);
    expect(() => after.open(after.seal('new', 'a'), 'a')).not.toThrow();
    expect(() => stranger.open(after.seal('new', 'a'), 'a')).not.toThrow();
  });

  it('are sealed again under the present key, once', async () => {
    const sealed = (await open({ key: FIRST })).seal('whsec_abc', 'webhook:1');
    const after = await open({ key: SECOND, former: [FIRST] });
    const anew = after.reseal(sealed, 'webhook:1');
    expect((await open({ key: SECOND })).open(anew, 'webhook:1')).toBe('whsec_abc');
    expect(after.reseal(anew, 'webhook:1')).toBe(anew);
    expect(() => after.reseal(anew, 'webhook:2')).toThrow(SealBroken);
    expect(() => new SecretsBox({ current: null, former: [] }).reseal(anew, 'webhook:1')).toThrow(SealBroken);
  });

  it('use a key file for its owner alone where there is no SECRETS_KEY, and the same one at the next start', async () => {
    const sealed = (await open({})).seal('whsec_abc', 'webhook:1');
    expect((await stat(join(dataDir, 'auth', 'secrets-key'))).mode & 0o777).toBe(0o600);
    expect((await open({})).open(sealed, 'webhook:1')).toBe('whsec_abc');
    expect((await open({ key: SECOND })).open(sealed, 'webhook:1')).toBe('whsec_abc');
  });

  it('cannot be sealed with DATABASE_URL and without SECRETS_KEY, and no key file is made', async () => {
    const box = await open({ databaseUrl: POSTGRES });
    expect(box.canSeal).toBe(false);
    await expect(stat(join(dataDir, 'auth', 'secrets-key'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect((await open({ databaseUrl: POSTGRES, key: FIRST })).canSeal).toBe(true);
  });

  it('name the setting or the file whose key is too short', async () => {
    await expect(open({ key: 'short' })).rejects.toThrow(/SECRETS_KEY: must have 32/);
    await expect(open({ key: FIRST, former: ['short'] })).rejects.toThrow(/SECRETS_FORMER_KEYS, key 1/);
    await mkdir(join(dataDir, 'auth'));
    await writeFile(join(dataDir, 'auth', 'secrets-key'), 'x');
    await expect(open({})).rejects.toThrow(/secrets-key: must have/);
  });
});
