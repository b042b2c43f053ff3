import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { loadSettings } from '#libs/config';
import { logOptions } from './log-options.js';

/** What a logger with the service's options writes of an error. */
function logged(err: unknown): Record<string, unknown> {
  let line = '';
  const target = new Writable({
    write(chunk: Buffer, _encoding, done): void {
      line += chunk.toString();
      done();
    },
  });
  pino(logOptions(loadSettings({})), target).error({ err }, 'failed');
  return (JSON.parse(line) as { err: Record<string, unknown> }).err;
}

describe('an error in the log', () => {
  it('comes with what caused it, and without what drivers hang on it', () => {
    const engine = Object.assign(new Error('file not found'), { code: 'ENOENT', query: 'SELECT secret' });
    const written = logged(new Error('the store did not answer', { cause: engine }));
    expect(written).toMatchObject({
      message: 'the store did not answer',
      cause: { message: 'file not found', code: 'ENOENT' },
    });
    expect(JSON.stringify(written)).not.toContain('secret');
  });

  it('ends where causes lead in a circle', () => {
    const one = new Error('one');
    const other = new Error('other', { cause: one });
    one.cause = other;
    expect(JSON.stringify(logged(one)).match(/"message":"other"/g)).toHaveLength(2);
  });
});
