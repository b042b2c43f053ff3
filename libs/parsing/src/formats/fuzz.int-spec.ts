import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_BLOCK_UNITS } from '../scanning/block-scanner.js';
import { ParseError } from '../parse-error.js';
import { makeMsg } from '../testing/make-msg.js';
import { makePdf } from '../testing/make-pdf.js';
import { makeZip } from '../testing/make-zip.js';
import { parseBytes } from '../testing/parse-bytes.js';

const text = (content: string): Buffer => Buffer.from(content);
const CONTAINER = '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>';
const PACKAGE =
  '<package><metadata><title>T</title></metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>';
const MAIL = [
  'From: a@example.org',
  'Subject: =?utf-8?B?R3LDvMOfZQ==?=',
  'Content-Type: multipart/mixed; boundary="b"',
  '',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>words <b>bold</b></p>',
  '--b',
  'Content-Type: text/csv; name="t.csv"',
  'Content-Disposition: attachment; filename="t.csv"',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('a,b\n1,2\n').toString('base64'),
  '--b--',
  '',
].join('\r\n');

const FIXTURES: Readonly<Record<string, Buffer>> = {
  'a.csv': text('a,b,c\n"x, y","z ""q""",1\n2,3\n"open\nline",4,5\n'),
  'a.tsv': text('a\tb\n1\t2\n'),
  'a.json': text('{"a":[{"x":1,"y":"z"},{"x":2}],"b":{"c":[1,2,{"d":null}]},"e":"\\u00e9"}'),
  'a.jsonl': text('{"a":1,"b":"x"}\n{"a":2,"c":[1]}\n[1,2]\n'),
  'a.geojson': text(
    '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"n":1},"geometry":{"type":"Point","coordinates":[1,2]}}]}',
  ),
  'a.ipynb': text(
    '{"cells":[{"cell_type":"markdown","source":["# T"]},{"cell_type":"code","source":"x","outputs":[{"text":["1"]}]}]}',
  ),
  'a.xml': text(
    '<?xml version="1.0"?><r a="1"><i><n>1</n><v>x</v></i><i><n>2</n><v>y &amp; z</v></i><p>some <b>bold</b></p></r>',
  ),
  'a.svg': text('<svg xmlns="http://www.w3.org/2000/svg"><title>T</title><text>words</text></svg>'),
  'a.html': text(
    '<html lang=en><nav>n</nav><main><h1>T</h1><table><tr><td colspan=2>a<td>b<tr><td>c</table><dl><dt>x<dd>y</dl><a href="https://e.org">l</a></main>',
  ),
  'a.py': text('import os\n\ndef f():\n    return 1\n\nclass C:\n    pass\n'),
  'a.eml': text(MAIL),
  'a.msg': makeMsg({ subject: 'S', body: 'body words', from: 'A', to: 'B' }, [
    { name: 'n.txt', content: text('attached') },
  ]),
  'a.epub': makeZip([
    { name: 'META-INF/container.xml', data: text(CONTAINER) },
    { name: 'b.opf', data: text(PACKAGE) },
    { name: 'a.xhtml', data: text('<html><body><h1>T</h1><p>words<br/></p></body></html>') },
  ]),
  'a.zip': makeZip([
    { name: 'a.md', data: text('# T\n\nwords') },
    { name: 'b/c.csv', data: text('a,b\n1,2\n') },
    { name: 'd.eml', data: text(MAIL) },
  ]),
  'a.pdf': makePdf([{ lines: ['Hello', 'World'] }, { picture: { width: 4, height: 4, pixels: Buffer.alloc(16, 7) } }]),
};

/** What happens to a file on its way: cut off, bytes turned over, a stretch lost or doubled. */
interface Damage {
  kind: 'cut' | 'flip' | 'drop' | 'double';
  /** Places as shares of the file, 0–1. */
  places: number[];
  byte: number;
}

const damages = fc.array(
  fc.record({
    kind: fc.constantFrom<Damage['kind'][]>('cut', 'flip', 'flip', 'drop', 'double'),
    places: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 6 }),
    byte: fc.integer({ min: 0, max: 255 }),
  }),
  { minLength: 1, maxLength: 3 },
);

function damage(bytes: Buffer, { kind, places, byte }: Damage): Buffer {
  const at = (share: number): number => Math.floor(share * bytes.length);
  const [from = 0, to = 0] = places.map(at).toSorted((a, b) => a - b);
  switch (kind) {
    case 'cut':
      return bytes.subarray(0, from);
    case 'drop':
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
    case 'double':
      return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
    case 'flip': {
      const flipped = Buffer.from(bytes);
      for (const place of places) if (flipped.length > 0) flipped[Math.min(at(place), flipped.length - 1)] = byte;
      return flipped;
    }
  }
}

/** Codes that a damaged file may end with; a crash or a lack of memory is none of them. */
const EXPECTED = new Set([
  'EMPTY_FILE',
  'UNSUPPORTED_TYPE',
  'TYPE_MISMATCH',
  'MALFORMED',
  'ENCRYPTED',
  'ARCHIVE_LIMIT',
]);

describe('a damaged file', () => {
  it.each(Object.entries(FIXTURES))('%s gives text with sound blocks or a reason', async (name, whole) => {
    expect((await parseBytes(whole, name)).text).not.toBe('');
    await fc.assert(
      fc.asyncProperty(damages, async (list) => {
        const bytes = list.reduce(damage, whole);
        let parsed;
        try {
          parsed = await parseBytes(bytes, name);
        } catch (error) {
          expect(error).toBeInstanceOf(ParseError);
          expect(EXPECTED).toContain((error as ParseError).code);
          return;
        }
        let last = 0;
        for (const { start, end } of parsed.blocks) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end - start).toBeLessThanOrEqual(MAX_BLOCK_UNITS + 1000);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(parsed.text.length);
        expect(parsed.text.isWellFormed()).toBe(true);
      }),
      { numRuns: 40, seed: 20 },
    );
  });
});
