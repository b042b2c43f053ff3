import { describe, expect, it } from 'vitest';
import { loadSettings } from '../load-settings.js';
import { integer, optionalText, url } from '../setting.js';
import { choicesOf } from '../testing/choices-of.js';
import {
  anyAdapter,
  openAdapter,
  type AdapterDefinition,
  type AdapterPort,
  type AdapterProcesses,
  type AdapterSettings,
} from './adapter.js';

const about = { section: 'Test', description: 'A setting.' };

function define<const S extends AdapterSettings>(
  definition: Partial<AdapterDefinition<unknown, string, S>> & { readonly kind: string; readonly settings: S },
): AdapterDefinition<unknown, string> {
  const open = (values: unknown, context: string): Promise<unknown> => Promise.resolve({ values, context });
  return anyAdapter({ processes: 'many', packages: [], open, ...definition });
}

function portOf(...adapters: AdapterDefinition<unknown, string>[]): AdapterPort<unknown, string> {
  const announced = [{ kind: 'later', settings: { key: optionalText('LATER_KEY', about) } }];
  return { setting: 'OBJECT_STORAGE', ...about, fallback: adapters[0]!.kind, adapters, announced };
}

function problemsOf(port: AdapterPort<unknown, string>, environment: Record<string, string>): string {
  try {
    loadSettings(choicesOf({ objectStorage: port }), environment);
    return '';
  } catch (error) {
    return String(error);
  }
}

const remote = define({
  kind: 'remote',
  settings: { url: optionalText('REMOTE_URL', about), size: integer('REMOTE_SIZE', 3, { min: 1, max: 9 }, about) },
  required: ['url'],
  findProblems: ({ url: address, size }) =>
    address === 'http' && size > 5 ? ['REMOTE_SIZE: too large for http.'] : [],
});
const plain = define({ kind: 'plain', settings: {} });

describe('settings of adapters', () => {
  it('reach the opener with their types and defaults, beside what the application gives', async () => {
    const port = portOf(plain, remote);
    const environment = { OBJECT_STORAGE: 'remote', REMOTE_URL: 'http' };
    const { adapterValues, objectStorage } = loadSettings(choicesOf({ objectStorage: port }), environment);
    expect(objectStorage).toBe('remote');
    const values = { url: 'http', size: 3 };
    expect(await openAdapter(port, objectStorage, adapterValues, 'a')).toEqual({ values, context: 'a' });
  });

  it('are not missed where their value was refused, which hides nothing that is wrong besides', () => {
    const strict = define({
      kind: 'strict',
      settings: { url: url('STRICT_URL', ['https:'], about) },
      required: ['url'],
    });
    const environment = {
      OBJECT_STORAGE: 'strict',
      STRICT_URL: 'htps://a',
      ROLE: 'api',
      DATABASE_URL: 'postgre://a/b',
    };
    const problems = problemsOf(portOf(plain, strict), environment).split('\n').slice(1);
    const needsKey =
      '  - AUTH_JWT_KEY: required with DATABASE_URL, so that all processes accept the same access tokens.';
    expect(problems).toEqual([
      '  - DATABASE_URL: its value must be a URL that begins with postgres:// or postgresql://.',
      '  - STRICT_URL: "htps://a" must be a URL that begins with https://.',
      needsKey,
    ]);
    const unknownStore = { OBJECT_STORAGE: 'strictest', REMOTE_URL: 'http', REMOTE_SIZE: '6' };
    expect(problemsOf(portOf(plain, remote), unknownStore).split('\n').slice(1)).toEqual([
      '  - OBJECT_STORAGE: "strictest" must be one of plain, remote, later.',
      '  - REMOTE_SIZE: too large for http.',
    ]);
    expect(problemsOf(portOf(plain), { DATABASE_MIGRATION_URL: 'postgre://a/b' }).split('\n').slice(1)).toEqual([
      '  - DATABASE_MIGRATION_URL: its value must be a URL that begins with postgres:// or postgresql://.',
      '  - DATABASE_MIGRATION_URL: has no meaning without DATABASE_URL.',
    ]);
  });

  it.each([
    [{ OBJECT_STORAGE: 'remote' }, 'REMOTE_URL: required with OBJECT_STORAGE=remote.'],
    [{ OBJECT_STORAGE: 'later' }, 'OBJECT_STORAGE: later is not available in this version; use plain or remote.'],
    [{ OBJECT_STORAGE: 'other' }, 'OBJECT_STORAGE: "other" must be one of plain, remote, later.'],
    [{ REMOTE_SIZE: '10' }, 'REMOTE_SIZE: "10" must be a whole number from 1 to 9.'],
    [{ REMOTE_URL: 'http', REMOTE_SIZE: '6' }, 'REMOTE_SIZE: too large for http.'],
  ])('stop the start: %o', (environment, problem) => {
    expect(problemsOf(portOf(plain, remote), environment)).toContain(problem);
  });

  it('of one name must be one object, and a kind is registered once', () => {
    const shared = optionalText('SHARED', about);
    const first = define({ kind: 'first', settings: { a: shared } });
    expect(problemsOf(portOf(first, define({ kind: 'second', settings: { b: shared } })), {})).toBe('');
    const other = define({ kind: 'second', settings: { b: optionalText('SHARED', about) } });
    expect(problemsOf(portOf(first, other), {})).toContain('SHARED is declared twice');
    expect(problemsOf(portOf(first, define({ kind: 'first', settings: {} })), {})).toContain(
      'OBJECT_STORAGE=first is registered twice',
    );
  });
});

describe('processes of their own', () => {
  const role = { ROLE: 'worker', DATABASE_URL: 'postgres://db/kb', AUTH_JWT_KEY: 'k'.repeat(32) };
  const port = (processes: AdapterProcesses) => portOf(define({ kind: 'own', settings: {}, processes }), remote);

  it('cannot share an adapter that one process owns', () => {
    const problem = 'ROLE: worker cannot be used with OBJECT_STORAGE=own, which one process owns; use ROLE=all, or set';
    expect(problemsOf(port('one'), role)).toContain(problem);
    expect(problemsOf(port('one'), {})).toBe('');
  });

  it('need one data folder, which the operator confirms, for an adapter that lies in it', () => {
    const problem = 'set DATA_DIR_SHARED=true, or set OBJECT_STORAGE to remote.';
    expect(problemsOf(port('shared-folder'), role)).toContain(problem);
    expect(problemsOf(port('shared-folder'), { ...role, DATA_DIR_SHARED: 'true' })).toBe('');
    expect(problemsOf(port('many'), role)).toBe('');
  });
});
