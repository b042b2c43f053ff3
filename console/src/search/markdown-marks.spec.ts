import { describe, expect, it } from 'vitest';
import { styledReaderOf, readableOf, readerOf, readWithPlaces } from './markdown-marks.js';

describe('a passage as a person reads it', () => {
  it('has no marks of headings, bold text and tables', () => {
    const text = '## 14. Term\n\nNotice takes **six months**.\n\n| Part | Price |\n|---|---:|\n| Chain | 12 |\n';
    expect(readableOf(text)).toBe('14. Term\nNotice takes six months.\nPart · Price\nChain · 12');
  });

  it('keeps what is no mark: a number sign, a power, a bar in a line of words', () => {
    const text = 'Ticket #12: 2 ** 3, a | b, f(**rest)';
    expect(readableOf(text)).toBe(text);
    expect(readableOf('a * b * c, snake_case_name, array[0](x y), -5')).toBe(
      'a * b * c, snake_case_name, array[0](x y), -5',
    );
  });

  it('has no marks of links, pictures, emphasis, code within a line and lists', () => {
    const text =
      'See [the _manual_](https://a.example/x_y_(1) "Manual"), ![plan](p.png), *now* or `npm *ci*`:\n- one\n* two';
    expect(readableOf(text)).toBe('See the manual, plan, now or npm *ci*:\n• one\n• two');
  });

  it('keeps what looks like a mark in code, and shows no fences', () => {
    const text = '```sh\n# not a heading\n```\nThen **go**.';
    expect(readerOf(text)(0, text.length)).toBe('# not a heading\n\nThen go.');
    expect(readableOf('~~~\n## nor this')).toBe('## nor this');
  });

  it('is cut between words', () => {
    expect(readableOf('# Fees\nThe fee for students is twenty', 28)).toBe('Fees\nThe fee for students …');
    expect(readableOf('Short.', 28)).toBe('Short.');
  });
});

it('stretches join to the whole, wherever they are cut', () => {
  const text = '# Fees\n| a | b |\n|--|--|\n| **c** | d |';
  const read = readerOf(text);
  const whole = read(0, text.length);
  expect(whole).toBe('Fees\na · b\nc · d');
  for (let at = 0; at <= text.length; at += 1) expect(read(0, at) + read(at, text.length)).toBe(whole);
});

it('headings and bold text are strong, in whatever stretches they are read', () => {
  const text = '# Fees\nThe fee is **twenty** today.';
  const readStyled = styledReaderOf(text);
  const strong = (pieces: ReturnType<typeof readStyled>): readonly string[] =>
    pieces.filter(({ look }) => look === 'strong').map(({ text: words }) => words);
  expect(strong(readStyled(0, text.length))).toEqual(['Fees', 'twenty']);
  for (let at = 0; at <= text.length; at += 1) {
    const both = [...readStyled(0, at), ...readStyled(at, text.length)];
    expect(both.map(({ text: words }) => words).join('')).toBe('Fees\nThe fee is twenty today.');
    expect(strong(both).join('')).toBe('Feestwenty');
  }
});

it('code, emphasis and bold text have a look each', () => {
  const text = 'Run `npm *ci*`, *then* **test**.';
  expect(styledReaderOf(text)(0, text.length)).toEqual([
    { text: 'Run ', look: 'plain' },
    { text: 'npm *ci*', look: 'code' },
    { text: ', ', look: 'plain' },
    { text: 'then', look: 'emphasis' },
    { text: ' ', look: 'plain' },
    { text: 'test', look: 'strong' },
    { text: '.', look: 'plain' },
  ]);
});

it('says where each character that is read stands in the text', () => {
  const text = '## Fees\nThe **fee** is [here](https://a.example).';
  const { text: read, places } = readWithPlaces(text);
  expect(read).toBe('Fees\nThe fee is here.');
  expect(places).toHaveLength(read.length);
  expect([...read].every((character, at) => text[places[at]!] === character)).toBe(true);
});

describe('code whose fences a border of passages has parted', () => {
  const looks = (text: string): readonly (readonly [string, string])[] =>
    styledReaderOf(text)(0, text.length).map((piece) => [piece.look, piece.text] as const);

  it('is code up to the fence that closes it, and what is below is none', () => {
    expect(looks('# no heading\nnpm start\n```\n\nThen **open** it.')).toEqual([
      ['code', '# no heading\nnpm start\n'],
      ['plain', '\nThen '],
      ['strong', 'open'],
      ['plain', ' it.'],
    ]);
    expect(looks('npm start\n```')).toEqual([['code', 'npm start\n']]);
  });

  it('is code below that again', () => {
    expect(looks('npm start\n```\n\nOr:\n\n```sh\nnpx it\n```')).toEqual([
      ['code', 'npm start\n'],
      ['plain', '\nOr:\n\n'],
      ['code', 'npx it\n'],
    ]);
  });

  it('is code from the fence that opens it, where its end is missing', () => {
    expect(looks('Type:\n\n```\nnpm start\n')).toEqual([
      ['plain', 'Type:\n\n'],
      ['code', 'npm start\n'],
    ]);
    expect(looks('Type:\n```\nnpm start')).toEqual([
      ['plain', 'Type:\n'],
      ['code', 'npm start'],
    ]);
  });

  it('is none in front of a fence that opens it at the very end', () => {
    expect(looks('Type:\n```')).toEqual([['plain', 'Type:\n']]);
    expect(looks('Type:\n```\n')).toEqual([['plain', 'Type:\n']]);
    expect(looks('Now *type* this:\n```sh')).toEqual([
      ['plain', 'Now '],
      ['emphasis', 'type'],
      ['plain', ' this:\n'],
    ]);
  });

  it('is told quickly behind a long line', () => {
    const text = `${'word '.repeat(20_000)}\n\n\`\`\`\n`;
    const begin = performance.now();
    looks(text);
    expect(performance.now() - begin).toBeLessThan(2_000);
  });
});
