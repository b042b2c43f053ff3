import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY, SILENT_POLICY } from '../schema/ingestion-policy.entity.js';
import { parsePolicyFile, writePolicyFile } from './policy-file.js';
import { checkPolicy } from '../rules/policy-validation.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const parse = (name: string, text: string): Promise<unknown> => parsePolicyFile(name, bytes(text));
const refused = (details: object = {}): unknown =>
  expect.objectContaining({ status: 400, code: 'ingestion_policy.unreadable_file', ...details });

describe('a policy file', () => {
  it.each(['json', 'yaml'] as const)('written as %s is read as the same policy', async (format) => {
    const text = writePolicyFile(DEFAULT_POLICY, format);
    expect(await parse(`policy.${format}`, text)).toEqual(DEFAULT_POLICY);
    expect(await parse('policy', text), 'without an extension').toEqual(DEFAULT_POLICY);
  });

  it('may begin with a byte order mark', async () => {
    expect(await parse('p.json', '\ufeff{"chunking":{}}')).toEqual({ chunking: {} });
    expect(await parse('p.yaml', '\ufeffchunking: {}')).toEqual({ chunking: {} });
  });

  it('may have comments and repeat a part by an alias, in YAML', async () => {
    const text = '# ours\nparsing: &none {}\nchunking: *none\n';
    expect(checkPolicy(await parse('p.yml', text))).toEqual({ policy: SILENT_POLICY });
  });

  it('does not read dates, yes and no as special values, only true and false', async () => {
    expect(await parse('p.yaml', 'a: 2024-01-01\nb: yes\nc: true\n')).toEqual({ a: '2024-01-01', b: 'yes', c: true });
  });
});

describe('a file that is no policy file', () => {
  it.each([
    ['empty', 'p.yaml', '   \n'],
    ['JSON with a comma too many', 'p.json', '{"chunking": {},}'],
    ['YAML that calls itself JSON', 'p.json', 'chunking: {}'],
    ['YAML with an open bracket', 'p.yaml', 'chunking: {'],
    ['YAML with a field twice', 'p.yaml', 'kg: {}\nkg: {}\n'],
    ['JSON with a field twice', 'p.json', '{"governance":{"max_bytes":1},"governance":{}}'],
    ['JSON with a field twice, once in an escape', 'p.json', '{"kg":{"mode":"off","\\u006dode":"llm"}}'],
    ['YAML of two documents', 'p.yaml', 'kg: {}\n---\nkg: {}\n'],
    ['YAML with a tag', 'p.yaml', 'kg: !!js/function "x"\n'],
    ['YAML with an alias to nothing', 'p.yaml', 'kg: *gone\n'],
    ['YAML with a list as a key', 'p.yaml', '? [a]\n: 1\n'],
    ['an alias within what it names', 'p.yaml', 'kg: &a\n  more: *a\n  again: *a\n'],
    ['a list that holds itself', 'p.yaml', '&a [*a, *a]'],
  ])('is refused with a position or a reason: %s', async (_what, name, text) => {
    await expect(parse(name, text)).rejects.toEqual(refused());
  });

  it('names line and column of a fault', async () => {
    await expect(parse('p.yaml', 'chunking:\n  chunk_size: [1\n')).rejects.toEqual(
      refused({ errors: [expect.objectContaining({ detail: expect.stringMatching(/line \d+, column \d+/) })] }),
    );
  });

  it('is refused when its few lines represent gigabytes', async () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 10; level += 1) {
      lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`);
    }
    await expect(parse('bomb.yaml', lines.join('\n'))).rejects.toEqual(refused());
  });

  it.each(['[', '- ', '{a: ', '? '])(
    'is refused when it is nested deeper than the limit allows: %s',
    async (opening) => {
      await expect(parse('deep.yaml', opening.repeat(50_000))).rejects.toEqual(refused());
    },
  );

  it('is refused when it is no UTF-8', async () => {
    await expect(parsePolicyFile('p.json', Uint8Array.of(0x7b, 0xff, 0x7d))).rejects.toEqual(refused());
  });

  it('is distinguished from one that is larger than a policy can be', async () => {
    const members = Array.from({ length: 20_000 }, (_, n) => `k${n}: 1`).join('\n');
    await expect(parse('p.yaml', members)).rejects.toMatchObject({ status: 413, code: 'ingestion_policy.too_large' });
  });

  it('is refused for a repeated member, wherever it is', async () => {
    const twice = `a: {b: 1, c: 2, b: 3}\nd: 4\n`;
    await expect(parse('p.yaml', twice)).rejects.toEqual(
      refused({ errors: [expect.objectContaining({ detail: 'line 1, column 17: Map keys must be unique' })] }),
    );
  });
});

describe('a file that could harm the service', () => {
  const CLOSED: readonly (readonly [string, string, string])[] = [
    ['lists', 'p.yaml', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['braces', 'p.yaml', '{'.repeat(50_000)],
    ['maps', 'p.yaml', `${'{a: '.repeat(20_000)}1${'}'.repeat(20_000)}`],
    ['items', 'p.yaml', `${'- '.repeat(20_000)}x`],
    ['questions', 'p.yaml', '? '.repeat(20_000)],
    ['answers', 'p.yaml', ': '.repeat(20_000)],
    ['indented maps', 'p.yaml', Array.from({ length: 1500 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')],
    ['lists as JSON', 'p.json', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['33 levels', 'p.yaml', `${'['.repeat(33)}${']'.repeat(33)}`],
    ['33 levels of JSON', 'p.json', `${'['.repeat(33)}${']'.repeat(33)}`],
    ['33 levels of lines', 'p.yaml', Array.from({ length: 33 }, (_, n) => `${' '.repeat(n)}a:`).join('\n') + ' {}'],
  ];
  it.each(CLOSED)('is refused as nested too deeply, with its own message: %s', async (_what, name, text) => {
    const detail = 'it is nested deeper than 32 levels';
    await expect(parse(name, text)).rejects.toEqual(
      refused({ message: expect.stringContaining(detail), errors: [expect.objectContaining({ detail })] }),
    );
  });

  it.each([
    ['members', Array.from({ length: 200_000 }, (_, n) => `k${n}: ${n}`).join('\n')],
    ['items', Array.from({ length: 200_000 }, (_, n) => `- ${n}`).join('\n')],
    ['items in a line', `[${'1,'.repeat(200_000)}]`],
    ['anchors', Array.from({ length: 100_000 }, (_, n) => `- &a${n} x`).join('\n')],
    ['aliases', `a: &a x\nb:\n${'- *a\n'.repeat(100_000)}`],
    ['faults', 'a: ]\n'.repeat(100_000)],
    ['directives', '%Y\n'.repeat(200_000)],
  ])('is too large before it is read: %s', async (_what, text) => {
    await expect(parse('p.yaml', text)).rejects.toMatchObject({ status: 413, code: 'ingestion_policy.too_large' });
  });

  it.each(['# x\n', '\n', '\t\n'])('is refused for too many lines: %j', async (line) => {
    await expect(parse('p.yaml', `kg: {}\n${line.repeat(500_000)}`)).rejects.toEqual(
      refused({ message: expect.stringContaining('it has more than 100000 lines') }),
    );
  });

  it.each([
    ['p.json', '{"__proto__": {}}'],
    ['p.json', '{"kg": [{"__proto__": 1}]}'],
    ['p.json', '{"constructor": {"prototype": {}}}'],
    ['p.yaml', '__proto__: {}'],
    ['p.yaml', 'kg: {a: [{"__proto__": 1}]}'],
    ['p.yaml', 'constructor:\n  prototype: 1\n'],
  ])('is refused for a name that would change the prototype of an object: %s %s', async (name, text) => {
    await expect(parse(name, text)).rejects.toEqual(
      refused({ message: expect.stringMatching(/the member name (__proto__|constructor) is not allowed/) }),
    );
  });

  it('with two documents is refused with the advice to send one', async () => {
    await expect(parse('p.yaml', 'kg: {}\n---\nkg: {}\n')).rejects.toEqual(
      refused({
        message:
          'The file cannot be read as YAML: line 2, column 1: a second document begins here; send a file with one document.',
      }),
    );
  });
});
