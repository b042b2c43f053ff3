import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MarkdownTables, type RawTable } from './markdown-tables.js';

function read(text: string, pieceLength = text.length || 1): (string | RawTable)[] {
  const tables = new MarkdownTables();
  const parts: (string | RawTable)[] = [];
  for (let at = 0; at < text.length; at += pieceLength) parts.push(...tables.feed(text.slice(at, at + pieceLength)));
  const joined: (string | RawTable)[] = [];
  for (const part of [...parts, ...tables.finish()]) {
    const last = joined.at(-1);
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part;
    else joined.push(part);
  }
  return joined;
}

const QUOTED = '> | a | b |\n> |---|---|\n> | x | 1 |\n';
const PLAIN = '| a | b |\n|---|---|\n| x | 1 |\n';
const HTML = '<table><tr><th>A<th>B</tr>\n\n<tr><td>1<td>2</tr></table>\n';

describe('tables of Markdown in another form', () => {
  it.each([
    ['rows of a quotation', `> said\n${QUOTED}> more\n`, `> said\n${PLAIN}> more\n`],
    ['rows of a quotation in one', QUOTED.replaceAll('>', '> >'), PLAIN],
    ['line ends of Windows', QUOTED.replaceAll('\n', '\r\n'), PLAIN.replaceAll('\n', '\r\n')],
    ['rows that end with the text', QUOTED.trimEnd(), PLAIN.trimEnd()],
  ])('lose the marks of a quotation: %s', (_what, text, expected) => {
    expect(read(text)).toEqual([expected]);
  });

  it.each([
    ['a line with a bar', '> a | b\n> c | d\n'],
    ['rows of another depth', '> | a | b |\n> > |---|---|\n'],
    ['a fence in a quotation', `> \`\`\`\n${QUOTED}> \`\`\`\n`],
    ['a fence', `\`\`\`html\n${HTML}\`\`\`\n`],
    ['what arranges a page', '<table><tr><td>a</table>\n'],
    ['a table in a table', '<table><tr><td>a<td><table><tr><td>b<td>c</table></table>\n'],
    ['a table that never ends', '<table><tr><td>a\n\nmore\n'],
    ['indented code', `    ${HTML.replaceAll('\n', '')}\n`],
    ['words in a line', 'see <table> and </table>\n'],
  ])('are not: %s', (_what, text) => {
    expect(read(text)).toEqual([text]);
  });

  it('are rows where a quotation holds them as HTML', () => {
    const rows = [
      ['A', 'B'],
      ['1', '2'],
    ];
    const table = { caption: '', rows, headerRows: 1 };
    const quoted = HTML.trimEnd().replaceAll(/^/gm, '> ');
    expect(read(`> said\n>\n${quoted}\n>\n> and more\n`)).toEqual(['> said\n>\n\n', table, '\n>\n> and more\n']);
    expect(read(`> <table><tr><th>A<th>B</tr>\n> <tr><td>1<td>2</tr></table>`)).toEqual(['\n', table, '\n']);
    const cut = '> <table><tr><th>A<th>B</tr>\nno quotation\n';
    expect(read(cut)).toEqual([cut]);
    const words = '> <table><tr><th>A<th>B</tr><tr><td>1<td>2</tr></table> and words\n';
    expect(read(words)).toEqual([words]);
  });

  it('are rows where they stand as HTML, blank lines and all', () => {
    const rows = [
      ['A', 'B'],
      ['1', '2'],
    ];
    const table = { caption: '', rows, headerRows: 1 };
    expect(read(`text\n${HTML}after\n`)).toEqual(['text\n', table, '\nafter\n']);
    expect(read(HTML.replace('<table>', '<div>\n<table><caption>Seats</caption>'))).toEqual([
      '<div>\n',
      { ...table, caption: 'Seats' },
      '\n',
    ]);
    expect(read(`${HTML.trimEnd()} and more`)).toEqual([table, '\n\n and more']);
  });

  it('are the same however the text arrives', () => {
    const line = fc.constantFrom(
      '> | a | b |',
      '> |--|--|',
      '> q',
      '',
      'text',
      '```',
      '<table><tr><td>1<td>2',
      '> <table><tr><td>1<td>2',
      '> </table>',
      '</table>',
      '> ```',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), fc.integer({ min: 1, max: 9 }), (lines, pieceLength) => {
        const text = lines.join('\n');
        expect(read(text, pieceLength)).toEqual(read(text));
      }),
    );
  });
});
