import { generateKeyPairSync } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId, type AccountId } from '#libs/common';
import { AccessTokens } from '../sessions/access-tokens.service.js';
import { loadSigningKey, loadTokenKeys, type SigningKey } from './signing-key.js';

const subject = { accountId: newId<AccountId>(), tokenVersion: 0 };
const tokensOf = (signing: SigningKey): AccessTokens => new AccessTokens({ signing, former: [] }, 60);

describe('loadSigningKey', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'kb-signing-key-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('creates a key file of mode 0600 at the first start and keeps it', async () => {
    const first = tokensOf(await loadSigningKey({ authJwtKey: undefined, dataDir }));
    const path = join(dataDir, 'auth', 'jwt-key.pem');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    const second = tokensOf(await loadSigningKey({ authJwtKey: undefined, dataDir }));
    expect(await second.findSubject((await first.issue(subject)).token)).toMatchObject(subject);
  });

  it('gives several simultaneous starts the same key and leaves no other file', async () => {
    const keys = await Promise.all(
      Array.from({ length: 12 }, () => loadSigningKey({ authJwtKey: undefined, dataDir })),
    );
    const { token } = await tokensOf(keys[0]!).issue(subject);
    const found = await Promise.all(keys.map((key) => tokensOf(key).findSubject(token)));
    expect(found).toMatchObject(keys.map(() => subject));
    expect(await readdir(join(dataDir, 'auth'))).toEqual(['jwt-key.pem']);
  });

  it('restricts a key file that others could read', async () => {
    await loadSigningKey({ authJwtKey: undefined, dataDir });
    const path = join(dataDir, 'auth', 'jwt-key.pem');
    await chmod(path, 0o644);
    await loadSigningKey({ authJwtKey: undefined, dataDir });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('reads a PEM from AUTH_JWT_KEY, on one line or on several, and writes no file', async () => {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const lines = await loadSigningKey({ authJwtKey: pem, dataDir });
    const oneLine = await loadSigningKey({ authJwtKey: pem.replaceAll('\n', '\\n'), dataDir });
    const { token } = await tokensOf(lines).issue(subject);
    expect(lines.algorithm).toBe('EdDSA');
    expect(await tokensOf(oneLine).findSubject(token)).toMatchObject(subject);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('uses a text of 32 characters as an HMAC key and refuses a shorter one', async () => {
    expect((await loadSigningKey({ authJwtKey: 'x'.repeat(32), dataDir })).algorithm).toBe('HS256');
    await expect(loadSigningKey({ authJwtKey: 'x'.repeat(31), dataDir })).rejects.toThrow(/AUTH_JWT_KEY.*32/s);
  });

  it('refuses a key of another type and text that is no key, and names the source', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString();
    await expect(loadSigningKey({ authJwtKey: rsa, dataDir })).rejects.toThrow(/AUTH_JWT_KEY.*rsa.*Ed25519/s);
    await expect(loadSigningKey({ authJwtKey: 'PRIVATE KEY nonsense', dataDir })).rejects.toThrow(
      /AUTH_JWT_KEY.*not a key in PEM/s,
    );
    await loadSigningKey({ authJwtKey: undefined, dataDir });
    const path = join(dataDir, 'auth', 'jwt-key.pem');
    await writeFile(path, '');
    await expect(loadSigningKey({ authJwtKey: undefined, dataDir })).rejects.toThrow(path);
  });

  it('gives a key the same name at each start, different from other keys, without revealing the key', async () => {
    const secret = 'a secret of thirty-two characters';
    const first = await loadSigningKey({ authJwtKey: secret, dataDir });
    expect((await loadSigningKey({ authJwtKey: secret, dataDir })).kid).toBe(first.kid);
    expect((await loadSigningKey({ authJwtKey: `${secret}.`, dataDir })).kid).not.toBe(first.kid);
    expect(first.kid).toMatch(/^[A-Za-z0-9_-]{16}$/);
    const kept = await loadSigningKey({ authJwtKey: undefined, dataDir });
    expect((await loadSigningKey({ authJwtKey: undefined, dataDir })).kid).toBe(kept.kid);
  });

  it('reads former keys as secrets or PEM, private or public, and refuses other text', async () => {
    const kept = await loadSigningKey({ authJwtKey: undefined, dataDir });
    const publicPem = kept.verifyWith.export({ type: 'spki', format: 'pem' }).toString();
    const privatePem = kept.signWith.export({ type: 'pkcs8', format: 'pem' }).toString();
    const former = ['y'.repeat(32), publicPem.replaceAll('\n', '\\n'), privatePem];
    const keys = await loadTokenKeys({ authJwtKey: 'x'.repeat(32), authJwtFormerKeys: former, dataDir });
    expect(keys.former.map(({ algorithm }) => algorithm)).toEqual(['HS256', 'EdDSA', 'EdDSA']);
    expect(keys.former.slice(1).map(({ kid }) => kid)).toEqual([kept.kid, kept.kid]);
    const { token } = await tokensOf(kept).issue(subject);
    expect(await new AccessTokens(keys, 60).findSubject(token)).toMatchObject(subject);
    const load = (text: string): Promise<unknown> =>
      loadTokenKeys({ authJwtKey: 'x'.repeat(32), authJwtFormerKeys: ['z'.repeat(32), text], dataDir });
    await expect(load('short')).rejects.toThrow(/AUTH_JWT_FORMER_KEYS, key 2: must have at least 32/);
    await expect(load('PUBLIC KEY nonsense')).rejects.toThrow(/AUTH_JWT_FORMER_KEYS, key 2: is not a key in PEM/);
  });
});
