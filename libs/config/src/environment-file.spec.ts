import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadEnvironmentFile } from './load-settings.js';

const FIRST = 'KB_TEST_FIRST';
const SECOND = 'KB_TEST_SECOND';
const LINES = `${FIRST}=one\r\n${SECOND}="two words" # a remark\r\n`;

describe('a .env file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-env-'));
  });
  afterEach(async () => {
    delete process.env[FIRST];
    delete process.env[SECOND];
    await rm(folder, { recursive: true });
  });

  const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
  it.each([
    ['UTF-8', Buffer.from(LINES)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${LINES}`)],
    ['UTF-16 with the low byte first', Buffer.from(`\uFEFF${LINES}`, 'utf16le')],
    ['UTF-16 with the high byte first', bigEndian(`\uFEFF${LINES}`)],
  ])('is read in %s, the first line too', async (_encoding, bytes) => {
    await writeFile(join(folder, '.env'), bytes);
    loadEnvironmentFile(folder);
    expect([process.env[FIRST], process.env[SECOND]]).toEqual(['one', 'two words']);
  });

  it('changes nothing that is set', async () => {
    process.env[FIRST] = '';
    await writeFile(join(folder, '.env'), LINES);
    loadEnvironmentFile(folder);
    expect(process.env[FIRST]).toBe('');
  });

  it('is named when it cannot be read, and needs not be there', async () => {
    loadEnvironmentFile(folder);
    await mkdir(join(folder, '.env'));
    expect(() => loadEnvironmentFile(folder)).toThrow(/\.env: the file cannot be read \(EISDIR\)\./);
  });
});
