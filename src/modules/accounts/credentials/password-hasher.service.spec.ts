import { describe, expect, it } from 'vitest';
import { PasswordHasher } from './password-hasher.service.js';

describe('PasswordHasher', () => {
  const hasher = new PasswordHasher();

  it('accepts the hashed password and refuses all others', async () => {
    const stored = await hasher.hash('correct horse');
    expect(await hasher.verify(stored, 'correct horse')).toBe(true);
    expect(await hasher.verify(stored, 'correct horsf')).toBe(false);
    expect(await hasher.verify(stored, '')).toBe(false);
  });

  it('stores its parameters and a separate salt in every hash', async () => {
    const [first, second] = await Promise.all([hasher.hash('same password'), hasher.hash('same password')]);
    expect(first).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(first).not.toBe(second);
  });

  it('checks hashes with other parameters', async () => {
    // RFC 7914, section 12: scrypt("password", "NaCl", N=1024, r=8, p=16), the first 32 of its 64 bytes.
    const hash = Buffer.from('fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162', 'hex');
    const stored = `$scrypt$ln=10,r=8,p=16$${Buffer.from('NaCl').toString('base64').replace(/=+$/, '')}$${hash.toString('base64').replace(/=+$/, '')}`;
    expect(await hasher.verify(stored, 'password')).toBe(true);
    expect(await hasher.verify(stored, 'passwort')).toBe(false);
  });

  it('returns false without a hash, whatever the password', async () => {
    expect(await hasher.verify(null, 'anything')).toBe(false);
    expect(await hasher.verify(null, '')).toBe(false);
  });

  it('treats composed and decomposed letters as the same password', async () => {
    const stored = await hasher.hash('Zürich-2026');
    expect(await hasher.verify(stored, 'Zu\u0308rich-2026')).toBe(true);
  });

  it('throws for text that is no hash, instead of treating the password as wrong', async () => {
    await expect(hasher.verify('plain text', 'plain text')).rejects.toThrow(/scrypt format/);
  });

  it('completes many simultaneous calls, and throws when there are too many', async () => {
    const busy = new PasswordHasher();
    const cheap = '$scrypt$ln=4,r=1,p=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA';
    const answers = await Promise.all(Array.from({ length: 60 }, () => busy.verify(cheap, 'x')));
    expect(answers).toEqual(Array.from({ length: 60 }, () => false));
    const flood = await Promise.allSettled(Array.from({ length: 80 }, () => busy.verify(cheap, 'x')));
    const refused = flood.filter((r) => r.status === 'rejected').map((r) => (r.reason as { code: string }).code);
    expect(refused).toEqual(Array.from({ length: 14 }, () => 'accounts.busy'));
    expect(await busy.verify(cheap, 'x')).toBe(false);
  });
});
