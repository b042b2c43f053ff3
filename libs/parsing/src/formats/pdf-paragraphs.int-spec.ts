import { describe, expect, it } from 'vitest';
import { makePdf, type PlacedText } from '../testing/make-pdf.js';
import { parseBytes } from '../testing/parse-bytes.js';

/** Lines of 10 points below each other; `[bold, rest]` begins in bold type, and an empty line is a space between paragraphs. */
function linesAt(x: number, y: number, lines: readonly (string | readonly [string, string])[]): PlacedText[] {
  return lines.flatMap((line, at) => {
    const [bold, text] = typeof line === 'string' ? ['', line] : line;
    return bold + text === '' ? [] : [{ bold, text, x, y: y + at * 12 }];
  });
}

const outlineOf = async (placed: readonly PlacedText[]): Promise<string[]> =>
  (await parseBytes(makePdf([{ placed }]), 'a.pdf')).outline;

const BATHING: readonly (string | readonly [string, string])[] = [
  ['Bathing.', ' The bathing lawn is not supervised by lifeguards. The swimming zone is marked by yellow'],
  'buoys. Diving from the jetty is not allowed because the water there is only 1.60 m deep.',
];
const SNACKS: readonly (string | readonly [string, string])[] = [
  ['Shop.', ' Daily 7:30-12:00 and 15:00-18:30. Snack bar: every day from 11:00 to 21:00; in May, June and'],
  'September it is closed on Tuesdays, and the whole house is closed when the weather is too bad for',
  'guests.',
];
const whole = (lines: typeof BATHING): string =>
  `paragraph: ${lines.map((line) => (typeof line === 'string' ? line : line.join(''))).join(' ')}`;

describe('paragraphs of a .pdf', () => {
  it('that begin in bold type are whole', async () => {
    expect(await outlineOf([...linesAt(78, 100, BATHING), ...linesAt(78, 150, SNACKS)])).toEqual([
      whole(BATHING),
      whole(SNACKS),
    ]);
  });

  it('with bold type in the middle are whole', async () => {
    const lines: typeof BATHING = [
      'Everything that we know about the lake and its shore was written down by those who have lived here',
      ['for many years', ' and more, and nothing of it may be given away to others; the visitors who come here'],
      'for the first time are asked to keep it.',
    ];
    expect(await outlineOf(linesAt(78, 100, lines))).toEqual([whole(lines)]);
  });

  it('in narrow columns are whole, also where their first line is bold alone', async () => {
    const lines: typeof BATHING = [
      ['Everything that we know about', ''],
      'the lake and its shore was written',
      'down by those who have lived here',
      'for years and years.',
    ];
    expect(await outlineOf(linesAt(78, 100, lines))).toEqual([whole(lines)]);
  });

  it('in items of a list stay in them, and short items stay apart', async () => {
    const outline = await outlineOf([
      ...[100, 124, 148, 160, 172].map((y) => ({ text: '\x95', x: 78, y })),
      ...linesAt(90, 100, BATHING),
      ...linesAt(90, 124, BATHING),
      ...linesAt(90, 148, [['Dogs', ''], 'Cats', ['Birds', ' of all kinds']]),
    ]);
    expect(outline.map((block) => block.replace(/^(\w+: )\S /, '$1'))).toEqual([
      whole(BATHING).replace('paragraph', 'list_item'),
      whole(BATHING).replace('paragraph', 'list_item'),
      'list_item: Dogs',
      'list_item: Cats',
      'list_item: Birds of all kinds',
    ]);
  });

  it('below a label in bold type are not joined to it', async () => {
    const outline = await outlineOf([
      ...linesAt(78, 100, [['Opening hours of the reception in the summer of this year', ''], ...BATHING.slice(1)]),
      ...linesAt(78, 150, [['To whom it may concern', ''], 'all of the guests of this season']),
      ...linesAt(78, 200, SNACKS),
    ]);
    expect(outline.filter((block) => /(?:year|concern)$/.test(block))).toHaveLength(2);
  });

  it('that end a sentence in a full line stay apart', async () => {
    const ends: typeof BATHING = [
      ['Wi-Fi.', ' Two devices per pitch are free up to 2 GB per day, and in the snack bar there is no limit.'],
      'The code is printed on your card.',
    ];
    expect(await outlineOf(linesAt(78, 100, ends))).toHaveLength(2);
  });
});
