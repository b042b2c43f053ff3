import { existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withDirectory } from '../testing/parse-bytes.js';
import { Exchange } from './exchange.js';

describe('Exchange', () => {
  it('shows a file without a copy and takes it away again', async () => {
    await withDirectory(async (directory) => {
      const path = join(directory, 'stored');
      writeFileSync(path, 'words');
      const exchange = await Exchange.open(directory);
      await exchange.give(path, 'input');
      expect(statSync(join(exchange.input, 'input')).ino).toBe(statSync(path).ino);
      await exchange.clear();
      expect(readdirSync(exchange.input)).toEqual([]);
      expect(readFileSync(path, 'utf8')).toBe('words');
    });
  });

  it('shows the file behind a link, and takes away what several calls gave', async () => {
    await withDirectory(async (directory) => {
      const path = join(directory, 'stored');
      writeFileSync(path, 'words');
      symlinkSync(path, join(directory, 'link'));
      const exchange = await Exchange.open(directory);
      await exchange.give(join(directory, 'link'), 'first');
      await exchange.give(path, 'second');
      expect(lstatSync(join(exchange.input, 'first')).isFile()).toBe(true);
      writeFileSync(join(exchange.output, 'left'), 'words');
      await exchange.clear();
      expect([...readdirSync(exchange.input), ...readdirSync(exchange.output)]).toEqual([]);
      await exchange.give(path, 'first');
      await exchange.clear();
      expect(readdirSync(exchange.input)).toEqual([]);
    });
  });

  it('takes results over, and no link to a file of ours', async () => {
    await withDirectory(async (directory) => {
      const secret = join(directory, 'secret');
      writeFileSync(secret, 'the words of the signing key');
      const exchange = await Exchange.open(directory);
      writeFileSync(join(exchange.output, 'text'), 'words');
      symlinkSync(secret, join(exchange.output, 'link'));
      expect(await exchange.take('text', join(directory, 'text'))).toBe(true);
      expect(await exchange.take('link', join(directory, 'link'))).toBe(false);
      expect(await exchange.take('missing', join(directory, 'missing'))).toBe(false);
      expect(readFileSync(join(directory, 'text'), 'utf8')).toBe('words');
      expect(existsSync(join(directory, 'link'))).toBe(false);
      await exchange.remove();
      expect(readdirSync(directory).sort()).toEqual(['secret', 'text']);
    });
  });
});
