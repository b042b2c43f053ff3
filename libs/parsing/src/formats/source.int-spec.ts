import { describe, expect, it } from 'vitest';
import { parseBytes } from '../testing/parse-bytes.js';

describe('source code', () => {
  it('keeps its text and begins a block at each definition, comments and decorators included', async () => {
    const source = [
      'import os',
      'import sys',
      '',
      '# Adds.',
      '@cached',
      'def add(a, b):',
      '    x = a',
      '',
      '    return x + b',
      '',
      '',
      'class Box:',
      '    def open(self):',
      '        pass',
      'main()',
      '',
    ].join('\n');
    const { text, outline, blocks, document } = await parseBytes(source, 'a.py');
    expect(text).toBe(source);
    expect(outline).toEqual([
      'code: import os\nimport sys',
      'code: # Adds.\n@cached\ndef add(a, b):\n    x = a\n\n    return x + b',
      'code: class Box:\n    def open(self):\n        pass',
      'code: main()',
    ]);
    expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(['python']));
    expect(document.mediaType).toBe('text/x-python');
  });

  it('keeps closing brackets with what they close', async () => {
    const { outline } = await parseBytes(
      'function a() {\n  one();\n}\n\nconst b = [\n  1,\n];\nfunction c() {\n  two();\n}\n',
      'a.ts',
    );
    expect(outline).toEqual([
      'code: function a() {\n  one();\n}',
      'code: const b = [\n  1,\n];',
      'code: function c() {\n  two();\n}',
    ]);
  });

  it('cuts a long class at its methods', async () => {
    const method = (at: number): string => `  void method${at}() {\n${'    work();\n'.repeat(100)}  }\n`;
    const source = `class Big {\n\n${[0, 1, 2, 3, 4, 5].map(method).join('\n')}}\n`;
    const { outline } = await parseBytes(source, 'Big.java');
    expect(outline.length).toBeGreaterThan(3);
    for (const block of outline.slice(1)) expect(block).toMatch(/^code:\s+void method\d\(\)/);
  });

  it.each([
    ['Dockerfile', 'dockerfile'],
    ['Makefile', 'makefile'],
    ['main.rs', 'rust'],
    ['q.sql', 'sql'],
    ['style.scss', 'scss'],
    ['App.vue', 'vue'],
    ['settings.yaml', 'yaml'],
    ['Cargo.toml', 'toml'],
  ])('knows %s as %s', async (name, language) => {
    const { blocks, text } = await parseBytes('a b\nc d\n', name);
    expect(blocks).toMatchObject([{ kind: 'code', language }]);
    expect(text).toBe('a b\nc d\n');
  });

  it('bounds the blocks of a file without any structure', async () => {
    const { blocks } = await parseBytes('x = 1;\n'.repeat(30_000), 'a.js');
    expect(blocks.length).toBeGreaterThan(5);
    for (const { start, end } of blocks) expect(end - start).toBeLessThanOrEqual(33_000);
  });
});

describe('a file without a telling name', () => {
  it.each(['README', 'LICENSE', 'nginx.conf', 'notes.unknown'])('called %s is plain text', async (name) => {
    expect((await parseBytes('Some words.\n\nMore words.', name)).document.mediaType).toBe('text/plain');
  });
});
