import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ofDataFolder } from './data-folder.js';
import { StartRefused } from './start-refused.js';

const FOLDER = '/srv/data';

function refused(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: not so, open '${path}'`), { code, path, syscall: 'open' });
}

describe('an error of a file that ends a start', () => {
  it.each(['EACCES', 'EPERM'])('says whose the data folder has to be: %s', (code) => {
    const error = ofDataFolder(refused(code, join(FOLDER, 'auth/jwt-key.pem')), FOLDER);
    expect(error).toBeInstanceOf(StartRefused);
    expect((error as Error).message).toMatch(
      /^DATA_DIR \/srv\/data cannot be used \(E\w+: not so, open '\/srv\/data\/auth\/jwt-key\.pem'\)\. Give it and everything in it to the user/,
    );
  });

  it.each(['EROFS', 'ENOSPC', 'EDQUOT'])('says that its disk has to take more: %s', (code) => {
    expect(ofDataFolder(refused(code, FOLDER), FOLDER)).toMatchObject({ message: expect.stringMatching(/ disk/) });
  });

  it('is left as it is when it is about something else', () => {
    for (const error of [
      refused('EACCES', '/srv/data-of-others/x'),
      refused('ENOENT', join(FOLDER, 'x')),
      Object.assign(new Error('bind'), { code: 'EACCES' }),
      'text',
    ]) {
      expect(ofDataFolder(error, FOLDER)).toBe(error);
    }
  });
});
