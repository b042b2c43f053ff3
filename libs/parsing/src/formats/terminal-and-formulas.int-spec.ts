import { describe, expect, it } from 'vitest';
import { parseBytes } from '../testing/parse-bytes.js';

const textOf = async (content: string, name: string): Promise<string> => (await parseBytes(content, name)).text;

describe('a log of a terminal', () => {
  it('loses its colours, links and moves of the cursor, and no word', async () => {
    const log =
      '\u001b[32m10:00:01 INFO\u001b[0m server \u001b[1mstarted\u001b[22m on [8080]\n' +
      '\u001b[31m10:00:05 ERROR\u001b[0m disk \u001b[38;5;196mfull\u001b[0m\r\n' +
      '\u001b]8;;http://x.example\u0007the link\u001b]8;;\u0007 done\u001b[K\n';
    expect(await textOf(log, 'a.log')).toBe(
      '10:00:01 INFO server started on [8080]\n10:00:05 ERROR disk full\r\nthe link done\n',
    );
  });

  it('loses them wherever its bytes are divided', async () => {
    const line = '\u001b[31mERROR\u001b[0m disk full\n';
    expect(await textOf(line.repeat(20_000), 'a.log')).toBe('ERROR disk full\n'.repeat(20_000));
  });
});

describe('formulas of LaTeX', () => {
  it('stay as they are written in Markdown, beside amounts in dollars', async () => {
    const source =
      '# Energy\n\nThe mass gives $E = mc^2$ and $\\frac{1}{2} a \\cdot h$.\n\n$$\n\\sum_{i=1}^{n} x_i \\leq \\alpha\n$$\n\nIt costs $5 and then $10.\n';
    const { text, outline } = await parseBytes(source, 'a.md');
    expect(text).toBe(source);
    expect(outline[0]).toBe('heading: Energy');
    expect(outline.every((line) => /^(?:heading|paragraph): /.test(line))).toBe(true);
  });

  it('stay as they are written in a .tex', async () => {
    const source = '\\section{Ice}\nIt \\emph{moves} $v = \\frac{s}{t}$ a day. % slowly\n\nIt costs 5\\%.\n';
    expect(await textOf(source, 'a.tex')).toBe(source);
  });
});
