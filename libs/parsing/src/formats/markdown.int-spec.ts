import { describe, expect, it } from 'vitest';
import { parseBytes } from '../testing/parse-bytes.js';

describe('a .md', () => {
  it('has typed tables in quotations and as HTML, each with its own rows', async () => {
    const text = [
      '# Sizes',
      '> Note',
      '> | a | b |',
      '> |---|---|',
      '> | x | 1 |',
      '',
      '<table><caption>Seats</caption>',
      '<tr><th>City</th><th colspan="2">Seats</th></tr>',
      '<tr><th>Part</th><th>A|B</th><th>C</th></tr>',
      '',
      '<tr><td>Oslo</td><td>12</td><td>3</td></tr>',
      '</table>',
      '',
      '## End',
      'words',
    ].join('\n');
    const { outline, blocks } = await parseBytes(text, 'a.md');
    expect(outline).toEqual([
      'heading: Sizes',
      'quote: > Note',
      'table: | a | b |\n|---|---|\n| x | 1 |',
      'caption: Seats',
      'table: City | Seats | Seats\nPart | A|B | C\nOslo | 12 | 3',
      'heading: End',
      'paragraph: words',
    ]);
    expect(blocks.filter(({ kind }) => kind === 'table').map(({ headerRows }) => headerRows)).toEqual([undefined, 2]);
  });

  it('cuts the rows of long HTML into blocks that follow each other', async () => {
    const rows = Array.from({ length: 3000 }, (_, row) => `<tr><td>row ${row}</td><td>some words</td></tr>\n`);
    const { blocks, text } = await parseBytes(`x\n\n<table>${rows.join('')}</table>\n\ny`, 'a.md');
    const tables = blocks.filter(({ kind }) => kind === 'table');
    expect(tables.length).toBeGreaterThan(1);
    for (const [at, { start, row }] of tables.entries()) {
      expect(text.slice(start).startsWith(`row ${row! - 1} |`)).toBe(true);
      if (at > 0) expect(start).toBe(tables[at - 1]!.end + 1);
    }
    expect(text.slice(blocks.at(-1)!.start)).toBe('y');
  });
});
