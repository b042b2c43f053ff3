import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerMarkup } from './answer-markup.js';
import { hostileAnswer, isAllowedLink } from './testing/answer-grammar.js';
import { activeIn, RENDERERS, shownText } from './testing/render.js';

const DOCUMENT = 'https://kb.example/base/api/v1/documents/01934b7f-0d11-7c44-8b7a-5f1e9c0a2d33';
const markup = new AnswerMarkup({ hosts: ['docs.example', 'Host.Example:8443'], publicUrl: 'https://kb.example/base' });

function written(text: string, cuts: readonly number[] = []): string {
  const answer = markup.open([1, 2]);
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b);
  let [out, from] = ['', 0];
  for (const to of [...places, text.length]) {
    out += answer.push(text.slice(from, to));
    from = to;
  }
  return out + answer.flush();
}

/** Text as it is written, which is shown as it is. */
const KEPT: readonly string[] = [
  'The pump is serviced every 500 hours [1]. It has **two** _large_ valves, and *one* small one [1][2].',
  'Set snake_case and max_retries to a * b, 2*3*4 or x < y; it costs $5 to $10 (50 %), ~5 bar & more!',
  'See C:\\temp\\new, /etc/hosts, docs/guide.md, notes.md, v1.2.3, and/or, 10:30, e.g. this, i.e. that, user.id.',
  'Is it [x] or [ ] or a[i]? "Yes", says #1 – 3 > 2 -> done.',
  '# One\n\n## Two\n\nText behind it.',
  '# One\nText behind it:\n- a\n- b\n  - c\n    1. d\n    2. e\n\n  More of b.\n- f',
  '3. three\n4. four [1]\n\n   More [2].',
  '| Part | Hours |\n| --- | --: |\n| Pump [1] | `a \\| b` |',
  'Run `a <b> ![x](https://evil.example/) [1]` and ``a ` b``.',
  '```html\n<img src=https://evil.example/>\n\n[1]\n```\n\n~~~\nwww.evil.example\n~~~',
  'A line\\\nand another\nand a third.',
  '水泵每 500 小时保养一次 [1]。',
];
/** What is written, and what is shown instead; beginnings of lines are in the second column as they are written. */
const SHOWN: readonly (readonly [string, string])[] = [
  ['[guide](https://evil.example/a "t")', '[guide]\\(`https://evil.example/a` "t")'],
  ['![x](img/plan.png)', '![x]\\(img/plan.png)'],
  ['[1](https://evil.example/)', '[1]\\(`https://evil.example/`)'],
  ['<https://evil.example/x>', '<`https://evil.example/x`>'],
  ['see www.evil.example, me@evil.example.', 'see `www.evil.example`, `me@evil.example`.'],
  ['https://evil.example/x[1].', '`https://evil.example/x`[1].'],
  ['evil.com and evil.de/x and //evil.example/x', '`evil.com` and `evil.de/x` and `//evil.example/x`'],
  ['&#104;ttps://evil.example', '`https://evil.example`'],
  ['https:\\/\\/evil.example', '`https://evil.example`'],
  ['AT&amp;T, &lt;b&gt;, &amp;lt;', 'AT&T, \\<b>, \\&lt;'],
  ['List<T> and <br>', 'List\\<T> and \\<br>'],
  ['<script>x</script>', '\\<script>x\\</script>'],
  ['a <!-- b --> c', 'a \\<!-- b --> c'],
  ['[x][y]\n\n[y]: https://evil.example/ "t"', '[x][y]\n\n[y]\\: `https://evil.example/` "t"'],
  ['[1]: The manual.', '[1]\\: The manual.'],
  ['a[^1] ^[b]\n\n[^1]: c', 'a[\\^1] ^\\[b]\n\n[\\^1]\\: c'],
  ['> quoted\n> more', '\\> quoted\n\\> more'],
  ['one\n\n---\n\ntwo', 'one\n\n\\---\n\ntwo'],
  ['- [ ] open\n- [x] done', '- \\[ ] open\n- \\[x] done'],
  ['~~gone~~', '\\~\\~gone\\~~'],
  ['unclosed ` mark', 'unclosed \\` mark'],
  ['    indented <b>', '```\nindented <b>\n```'],
  ['```\nopen', '```\nopen\n```'],
  ['text [9].', 'text.'],
  ['text 【1】 and [1, 2, 7]', 'text [1] and [1][2]'],
  [`${'- '.repeat(30)}<b>`, `\\${'- '.repeat(30)}\\<b>`],
];
const LINKED: readonly (readonly [string, string])[] = [
  ['[a_b](https://docs.example/x_y(z) "t")', '[a\\_b](https://docs.example/x_y%28z%29)'],
  ['<https://docs.example/a>', '<https://docs.example/a>'],
  ['(https://docs.example/a?b=c).', '(https://docs.example/a?b=c).'],
  ['[x](https://host.example:8443/)', '[x](https://host.example:8443/)'],
  [`[x](${DOCUMENT}/content)`, `[x](${DOCUMENT}/content)`],
];
const NOT_LINKED: readonly string[] = [
  '[x](http://docs.example/)',
  '[x](https://docs.example:444/)',
  '[x](https://me@docs.example/)',
  '[x](https://me:pw@docs.example/)',
  '[x](https://sub.docs.example/)',
  '[x](https://docs.example.evil.example/)',
  '[x](https://host.example/)',
  '[x](//docs.example/)',
  '[x](/api/v1/documents/01934b7f-0d11-7c44-8b7a-5f1e9c0a2d33)',
  '[x](https://kb.example/base/api/v1/datasets)',
  '[x](https://kb.example/base/api/v1/documents/../datasets)',
  `[x](${DOCUMENT.replace('/base', '')})`,
  `[x](${DOCUMENT.replace('https', 'http')})`,
  '![x](https://docs.example/p.png)',
  '[x]()',
];

describe('AnswerMarkup', () => {
  it.each(KEPT)('leaves %j as it is', (text) => {
    expect(written(text)).toBe(text);
    expect(activeIn(text)).toEqual([]);
  });

  it.each(SHOWN)('shows %j as text', (text, expected) => {
    expect(written(text)).toBe(expected);
    expect(activeIn(expected)).toEqual([]);
  });

  it.each(LINKED)('links %j', (text, expected) => {
    expect(written(text)).toBe(expected);
    const links = activeIn(expected);
    expect(links.length).toBeGreaterThan(0);
    expect(links.every((link) => /: a https:\/\/(?:docs\.example|host\.example:8443|kb\.example)\//.test(link))).toBe(
      true,
    );
  });

  it.each(NOT_LINKED)('does not link %j', (text) => {
    expect(activeIn(written(text)).filter((part) => !part.endsWith('a https://docs.example/p.png'))).toEqual([]);
    expect(written(text)).toContain('x');
  });

  it('neutralises 10,000 hostile answers, in every renderer', () => {
    fc.assert(
      fc.property(hostileAnswer, (text) => {
        expect(activeIn(written(text), isAllowedLink)).toEqual([]);
      }),
      { numRuns: 10_000 },
    );
  }, 300_000);

  it('gives the same result for every division into pieces, and is idempotent', () => {
    const kept = fc
      .array(fc.constantFrom(...KEPT, ...SHOWN.map(([text]) => text)), { maxLength: 4 })
      .map((all) => all.join('\n\n'));
    fc.assert(
      fc.property(fc.oneof(hostileAnswer, kept), fc.array(fc.nat(), { maxLength: 12 }), (text, cuts) => {
        const whole = written(text);
        expect(written(text, cuts)).toBe(whole);
        expect(
          written(
            text,
            Array.from({ length: text.length }, (_, at) => at),
          ),
        ).toBe(whole);
      }),
      { numRuns: 1_000 },
    );
  }, 120_000);

  it.each([...KEPT, ...SHOWN.map(([, text]) => text), ...LINKED.map(([, text]) => text)])(
    'writes %j again as it is',
    (text) => {
      expect(written(text)).toBe(text);
    },
  );

  it('gives the offsets of markers in its output', () => {
    const answer = markup.open([1, 2]);
    const out =
      answer.push('> a <b> [1]\n\n- [2] x [9]\n  - y [1, 2]\n\n| <b> [1] |\n|---|\n| `[1]` | [2] |') + answer.flush();
    expect(answer.markers.map(({ start, end }) => out.slice(start, end))).toEqual(['[1]', '[2]', '[1]', '[2]', '[1]']);
    expect(answer.removedMarkers).toBe(1);
    expect(answer.shownAsText).toBe(2);
  });

  it('gives out words of a paragraph as they come, and other blocks when they are whole', () => {
    const answer = markup.open([1]);
    const given = [
      'The pump ',
      'is [1] ',
      'serviced by `x',
      '` now.\n',
      '\n- one\n',
      '- two',
      '\n\nEnd ',
      'of it.',
    ].map((piece) => answer.push(piece));
    const list = '\n\n- one\n- two\n\nEnd';
    const expected = ['The pump', ' is [1]', ' serviced by', '', ' `x` now.', '', list, ' of', ' it.'];
    expect([...given, answer.flush()]).toEqual(expected);
  });

  it('shows a text that is no Markdown as it is', () => {
    const text = '# a <b> [x](https://evil.example/) `c` 1. www.evil.example | d';
    const shown = markup.escape(text);
    expect(activeIn(shown)).toEqual([]);
    for (const render of Object.values(RENDERERS)) expect(shownText(render(shown)).trim()).toBe(text);
  });
});
