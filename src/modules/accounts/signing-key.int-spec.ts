import { generateKeyPairSync } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId, type AccountId } from '#libs/common';
import { AccessTokens } from './access-tokens.js';
import { loadSigningKey } from './signing-key.js';

const account = newId<AccountId>();

describe('loadSigningKey', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'kb-signing-key-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('makes a key of mode 0600 at the first start and keeps it', async () => {
    const first = new AccessTokens(await loadSigningKey({ authJwtKey: undefined, dataDir }), 60);
    const path = join(dataDir, 'auth', 'jwt-key.pem');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    const second = new AccessTokens(await loadSigningKey({ authJwtKey: undefined, dataDir }), 60);
    expect(await second.findAccountId((await first.issue(account)).token)).toBe(account);
  });

  it('gives all of several starts at once the same key and leaves nothing behind', async () => {
    const keys = await Promise.all(
      Array.from({ length: 12 }, () => loadSigningKey({ authJwtKey: undefined, dataDir })),
    );
    const { token } = await new AccessTokens(keys[0]!, 60).issue(account);
    const found = await Promise.all(keys.map((key) => new AccessTokens(key, 60).findAccountId(token)));
    expect(found).toEqual(keys.map(() => account));
    expect(await readdir(join(dataDir, 'auth'))).toEqual(['jwt-key.pem']);
  });

  it('closes a key file that others could read', async () => {
    await loadSigningKey({ authJwtKey: undefined, dataDir });
    const path = join(dataDir, 'auth', 'jwt-key.pem');
    await chmod(path, 0o644);
    await loadSigningKey({ authJwtKey: undefined, dataDir });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('takes a PEM from AUTH_JWT_KEY, on one line or on several, and writes no file', async () => {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const lines = await loadSigningKey({ authJwtKey: pem, dataDir });
    const oneLine = await loadSigningKey({ authJwtKey: pem.replaceAll('\n', '\\n'), dataDir });
    const { token } = await new AccessTokens(lines, 60).issue(account);
    expect(lines.algorithm).toBe('EdDSA');
    expect(await new AccessTokens(oneLine, 60).findAccountId(token)).toBe(account);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('takes a text of 32 characters as an HMAC key and refuses a shorter one', async () => {
    expect((await loadSigningKey({ authJwtKey: 'x'.repeat(32), dataDir })).algorithm).toBe('HS256');
    await expect(loadSigningKey({ authJwtKey: 'x'.repeat(31), dataDir })).rejects.toThrow(/AUTH_JWT_KEY.*32/s);
  });

  it('refuses a key of another kind and text that is no key, naming where it came from', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString();
    await expect(loadSigningKey({ authJwtKey: rsa, dataDir })).rejects.toThrow(/AUTH_JWT_KEY.*rsa.*Ed25519/s);
    await expect(loadSigningKey({ authJwtKey: 'PRIVATE KEY nonsense', dataDir })).rejects.toThrow(
      /AUTH_JWT_KEY.*not a private key/s,
    );
    await loadSigningKey({ authJwtKey: undefined, dataDir });
    const path = join(dataDir, 'auth', 'jwt-key.pem');
    await writeFile(path, '');
    await expect(loadSigningKey({ authJwtKey: undefined, dataDir })).rejects.toThrow(path);
  });
});
