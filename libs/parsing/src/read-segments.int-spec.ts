import fc from 'fast-check';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ParseOutput } from './output/parse-output.js';
import { isShortText, readSegments, readTextRange, type TextSegment } from './read-segments.js';
import { parseDocument } from './child/parse-document.js';
import { withDirectory } from './testing/parse-bytes.js';

async function segmentsOf(text: string, segmentUnits: number): Promise<TextSegment[]> {
  return withDirectory(async (directory) => {
    const path = join(directory, 'a');
    writeFileSync(path, text);
    const parsed = await parseDocument({ path, fileName: 'a.txt', workDirectory: directory });
    const segments: TextSegment[] = [];
    for await (const segment of readSegments(parsed, { segmentUnits })) segments.push(segment);
    return segments;
  });
}

describe('readSegments', () => {
  it('gives of a text that came without files what it gives of its files', async () => {
    const words = fc.array(fc.constantFrom('a', '😀', '\n\n', '語', ' b', '# c\n'), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(words, fc.integer({ min: 2, max: 50 }), async (parts, units) => {
        await withDirectory(async (directory) => {
          const path = join(directory, 'a');
          writeFileSync(path, parts.join(''));
          const parsed = await parseDocument({ path, fileName: 'a.md', workDirectory: directory });
          const short = {
            text: readFileSync(parsed.textPath, 'utf16le'),
            blocks: readFileSync(parsed.blocksPath, 'utf8'),
          };
          expect(isShortText(short, parsed.textLength)).toBe(true);
          const nowhere = { ...parsed, textPath: '/nowhere', blocksPath: '/nowhere', short };
          const [filed, sent]: [TextSegment[], TextSegment[]] = [[], []];
          for await (const segment of readSegments(parsed, { segmentUnits: units })) filed.push(segment);
          for await (const segment of readSegments(nowhere, { segmentUnits: units })) sent.push(segment);
          expect(sent).toEqual(filed);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('takes no text without files that is of another length, too long, or none', () => {
    expect(isShortText({ text: 'abc', blocks: '' }, 3)).toBe(true);
    expect(isShortText({ text: 'abc', blocks: '' }, 4)).toBe(false);
    expect(isShortText({ text: 'a'.repeat(16_385), blocks: '' }, 16_385)).toBe(false);
    expect(isShortText({ text: 'abc', blocks: ' '.repeat(262_145) }, 3)).toBe(false);
    expect(isShortText({ text: ['a', 'b', 'c'], blocks: '' } as never, 3)).toBe(false);
    for (const none of [null, 3, 'abc', []]) expect(isShortText(none as never, 3)).toBe(false);
  });

  it('covers the whole text without gaps and never cuts a surrogate pair', async () => {
    const words = fc.array(fc.constantFrom('a', '😀', '\n\n', '語', ' b'), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(words, fc.integer({ min: 2, max: 7 }), async (parts, units) => {
        const text = parts.join('');
        const segments = await segmentsOf(text, units);
        expect(segments.map((segment) => segment.text).join('')).toBe(text);
        let next = 0;
        for (const segment of segments) {
          expect(segment.start).toBe(next);
          expect(segment.text.isWellFormed()).toBe(true);
          next += segment.text.length;
        }
      }),
      { numRuns: 60 },
    );
  });

  it('gives each block once, in the segment in which it begins', async () => {
    const text = Array.from({ length: 500 }, (_, at) => `paragraph ${at}`).join('\n\n');
    const segments = await segmentsOf(text, 100);
    const blocks = segments.flatMap((segment) => {
      for (const { start } of segment.blocks) {
        expect(start).toBeGreaterThanOrEqual(segment.start);
        expect(start).toBeLessThan(segment.start + segment.text.length);
      }
      return segment.blocks;
    });
    expect(blocks).toHaveLength(500);
    expect(blocks.map(({ start, end }) => text.slice(start, end))).toEqual(text.split('\n\n'));
  });

  it('gives nothing for an empty text and keeps a page break at the very end', async () => {
    await withDirectory(async (directory) => {
      const output = new ParseOutput(directory, 100);
      output.writeText('page');
      output.writeBlock({ kind: 'paragraph', start: 0, end: 4 });
      output.writeBlock({ kind: 'page_break', start: 4, end: 4, page: 2 });
      output.close();
      const kinds: string[] = [];
      const parsed = { textPath: output.textPath, blocksPath: output.blocksPath, textLength: 4 };
      for await (const { blocks } of readSegments(parsed)) kinds.push(...blocks.map(({ kind }) => kind));
      expect(kinds).toEqual(['paragraph', 'page_break']);
      for await (const segment of readSegments({ ...parsed, textLength: 0 })) expect(segment).toBeUndefined();
      expect(await readTextRange(parsed, 1, 99)).toBe('age');
      expect(await readTextRange(parsed, 9, 12)).toBe('');
    });
  });
});

describe('ParseOutput', () => {
  it('replaces lone surrogates and NUL one for one', async () => {
    await withDirectory(async (directory) => {
      const output = new ParseOutput(directory, 100);
      output.writeText('a\0\uD800b😀');
      output.close();
      expect(output.position).toBe(6);
      expect(output.replacedCharacters).toBe(2);
      expect(await readTextRange({ textPath: output.textPath, textLength: 6 }, 0, 6)).toBe('a\uFFFD\uFFFDb😀');
    });
  });

  it('refuses a text that is longer than allowed', async () => {
    await withDirectory(async (directory) => {
      const output = new ParseOutput(directory, 3);
      output.writeText('abc');
      expect(() => output.writeText('d')).toThrow(expect.objectContaining({ code: 'TEXT_TOO_LONG' }));
      output.close();
    });
  });
});
