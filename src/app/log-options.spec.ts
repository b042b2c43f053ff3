import { Writable } from 'node:stream';
import { pino, type Logger } from 'pino';
import { describe, expect, it } from 'vitest';
import { loadServiceSettings } from './adapters.js';
import { logOptions } from './log-options.js';
import { redirectConsole } from './process-output.js';

/** The line that a logger with the service's options writes when `log` uses it. */
function lineOf(log: (logger: Logger) => void): Record<string, unknown> {
  return JSON.parse(textOf(log)) as Record<string, unknown>;
}

function textOf(log: (logger: Logger) => void): string {
  let line = '';
  const target = new Writable({
    write(chunk: Buffer, _encoding, done): void {
      line += chunk.toString();
      done();
    },
  });
  log(pino(logOptions(loadServiceSettings({})), target));
  expect(line.trimEnd().split('\n')).toHaveLength(1);
  return line;
}

function logged(err: unknown): Record<string, unknown> {
  return lineOf((logger) => logger.error({ err }, 'failed'))['err'] as Record<string, unknown>;
}

/** What hangs on errors and events of drivers. */
class Client {
  readonly password = 'a secret';
  readonly self = this;
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

describe('a line of the log', () => {
  it('has its time as RFC 3339 and its level in words', () => {
    const line = lineOf((logger) => logger.warn({ requestId: 'r' }, 'something.happened'));
    expect(line).toMatchObject({ level: 'warn', msg: 'something.happened', requestId: 'r' });
    expect(line['time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('has values, lists and plain objects, and of any other object only its class', () => {
    const facts = {
      list: [1, { a: 'b' }],
      client: new Client(),
      deep: { client: new Client() },
      error: new Error('e'),
    };
    const line = lineOf((logger) => logger.warn(facts, 'happened'));
    expect(line).toMatchObject({ list: [1, { a: 'b' }], client: '[Client]', deep: { client: '[Client]' } });
    expect(line['error']).toMatchObject({ type: 'Error', message: 'e' });
    expect(JSON.stringify(line)).not.toContain('a secret');
  });

  it('hides passwords of URLs, in errors too', () => {
    const url = 'redis://user:a-secret@127.0.0.1:6379';
    const line = lineOf((logger) => logger.warn({ url, err: new Error(`no answer from ${url}`) }, 'happened'));
    expect(JSON.stringify(line)).not.toContain('a-secret');
    expect(line['url']).toBe('redis://user:***@127.0.0.1:6379');
  });

  it('has its process, its host, its level and its time once', () => {
    const facts = { pid: 7, hostname: 'elsewhere', level: 'odd', time: 'never', other: 1 };
    const text = textOf((logger) => logger.warn(facts, 'happened'));
    for (const name of Object.keys(facts)) expect(text.match(new RegExp(`"${name}":`, 'g')), name).toHaveLength(1);
    expect(JSON.parse(text)).toMatchObject({ pid: process.pid, pid_told: 7, level: 'warn', other: 1 });
  });

  it('is made of what a library tells the console', () => {
    const target = { ...console };
    const error = Object.assign(new Error('first\nsecond'), { client: new Client() });
    const line = lineOf((logger) => {
      redirectConsole(logger, target);
      target.error('[library]', error, new Client());
    });
    expect(line).toMatchObject({
      level: 'warn',
      msg: 'library.told',
      told: ['[library]', { type: 'Error' }, '[Client]'],
    });
    expect(JSON.stringify(line)).not.toContain('a secret');
  });
});
