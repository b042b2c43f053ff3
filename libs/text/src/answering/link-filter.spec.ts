import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LinkFilter } from './link-filter.js';

const SOURCE =
  'See https://docs.example/guide (or [the form](forms/leave.pdf)). ![plan](img/plan.png) <a href="https://a.example/x">x</a>';

function filtered(text: string, cuts: readonly number[] = []): { text: string; removed: number } {
  const filter = new LinkFilter([SOURCE]);
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b);
  let [out, from] = ['', 0];
  for (const to of [...places, text.length]) {
    out += filter.push(text.slice(from, to));
    from = to;
  }
  return { text: out + filter.flush(), removed: filter.removed };
}

const FOREIGN: readonly (readonly [string, string, number])[] = [
  ['Go to https://evil.example/x?d=1 now.', 'Go to  now.', 1],
  ['Go to www.evil.example.', 'Go to .', 1],
  ['[here](https://evil.example/)', 'here', 1],
  ['[here]( <//evil.example/a b> "t")', 'here', 1],
  ['![x](https://evil.example/p.png)', '', 1],
  ['a ![x](data:image/png;base64,AAA) b', 'a  b', 1],
  ['[![x](https://evil.example/p.png)](https://evil.example/)', '', 2],
  ['<https://evil.example>', '', 1],
  ['<me@evil.example>', '', 1],
  ['<img src=//evil.example/p>', '', 1],
  ['<IMG alt=">" src="//evil.example/p">', '', 1],
  ['<a href="https://evil.example">x</a>', 'x', 1],
  ['<script>1</script>', '1', 1],
  ['a <img src=//evil.example/p', 'a img src=//evil.example/p', 1],
  ['[x][1]\n\n[1]: https://evil.example/\nok', '[x][1]\n\nok', 1],
  ['[1](https://evil.example/)', '[1]', 1],
  ['`curl https://evil.example/`', '`curl `', 1],
  ['```\nfetch(https://evil.example/)\n```\n', '```\nfetch()\n```\n', 1],
  ['HTTPS://EVIL.EXAMPLE/', '', 1],
  ['https://docs.example/guide/../x', '', 1],
  ['https://docs.example/gui', '', 1],
  ['ja\u200bvascript://evil', 'ja\u200b', 1],
  ['[x](javascript:alert(1))', 'x', 1],
];
const KEPT: readonly string[] = [
  'See https://docs.example/guide.',
  '(https://docs.example/guide)',
  '[guide](https://docs.example/guide "title") and [form](forms/leave.pdf)',
  '![plan](img/plan.png)',
  '<a href="https://a.example/x">',
  'a < b and c > d, x<y',
  'one [1] two [2, 3] [x] !important a[0](b c)',
  '`arr[i](x)` and\n```js\nlist[0](relative)\n```\n',
  'line<br>two <b>three</b>',
  'A list:\n- [ ] open\n- [x] done: 10:30 w',
];

describe('LinkFilter', () => {
  it.each(FOREIGN)('takes what stands in no source out of %j', (text, expected, removed) => {
    expect(filtered(text)).toEqual({ text: expected, removed });
  });

  it.each(KEPT)('leaves %j as it is', (text) => {
    expect(filtered(text)).toEqual({ text, removed: 0 });
  });

  it('gives the same however the text is cut into pieces', () => {
    const piece = fc.constantFrom(
      ...FOREIGN.map(([text]) => text),
      ...KEPT,
      '`',
      '[',
      '](',
      '<',
      '\n\n',
      ' ',
      'http',
      '://',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.array(fc.nat(), { maxLength: 12 }), (pieces, cuts) => {
        const text = pieces.join(' ');
        expect(filtered(text, cuts)).toEqual(filtered(text));
      }),
      { numRuns: 500 },
    );
  });

  it('never shows a foreign address, whatever stands around it', () => {
    const around = fc.array(
      fc.constantFrom('[', ']', '(', ')', '<', '>', '`', '```', '\n', '!', '"', ' ', 'a', ':', '\\', '*'),
      {
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(around, around, (before, behind) => {
        const text = `${before.join('')}https://evil.example/p${behind.join('')}`;
        expect(filtered(text).text).not.toContain('evil.example');
      }),
      { numRuns: 2_000 },
    );
  });

  it('holds no text without bound', () => {
    const filter = new LinkFilter([]);
    const out = filter.push(`https://evil.example/${'a'.repeat(10_000)}`) + filter.push('aaa then');
    expect(out + filter.flush()).toBe(' then');
    const open = new LinkFilter([]);
    expect(open.push(`[${'b'.repeat(5_000)}`).length).toBeGreaterThan(4_000);
    expect(open.push('](https://evil.example/)') + open.flush()).not.toContain('evil');
  });
});
