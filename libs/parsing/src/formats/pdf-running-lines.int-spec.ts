import { describe, expect, it } from 'vitest';
import { makePdf, type PdfPage, type PlacedText } from '../testing/make-pdf.js';
import { parseBytes } from '../testing/parse-bytes.js';

const at = (x: number, y: number, text: string, size?: number): PlacedText => ({ x, y, text, size });
/** Lines of a text below each other. */
const lines = (y: number, ...texts: readonly string[]): PlacedText[] =>
  texts.map((text, line) => at(60, y + line * 16, text, 11));
const HEAD = 'Harbour office Holmsay';
const FOOT = 'Confidential, for members of the board';

/** Pages of a report: left pages and right pages differ in their head, all have a foot with a number. */
function report(bodies: readonly (readonly PlacedText[])[]): PdfPage[] {
  return bodies.map((placed, index) => {
    const page = index + 1;
    const head =
      page % 2 === 0
        ? [at(60, 40, `${page} ${HEAD}`, 8), at(430, 40, 'Annual report 2025', 8)]
        : [at(60, 40, 'Situation', 8), at(430, 40, `Annual report 2025 ${page}`, 8)];
    return { placed: [...head, ...placed, at(60, 800, FOOT, 8), at(480, 800, `Page ${page} of ${bodies.length}`, 8)] };
  });
}

const textOf = async (pages: readonly PdfPage[]): Promise<string> => (await parseBytes(makePdf(pages), 'a.pdf')).text;
const count = (text: string, part: string): number => text.split(part).length - 1;

describe('what is printed on page after page of a .pdf', () => {
  const bodies = [
    lines(
      100,
      'The harbour was dredged in March, and the new crane came into service.',
      'The losses of the year fell to',
    ),
    lines(
      100,
      '4.1 per cent of all that was landed. The ice house stayed shut.',
      'Complaints were few and had to do with the set-',
    ),
    lines(100, 'tlement of berthing fees. Two ferries were sold.'),
    lines(100, 'The outlook is good.', 'A third ferry is on order.'),
    lines(100, 'The accounts were audited in May.'),
    lines(100, 'The board thanks everybody.'),
  ];

  it('is in the text once, without the numbers of the pages', async () => {
    const text = await textOf(report(bodies));
    expect(count(text, HEAD)).toBe(1);
    expect(count(text, FOOT)).toBe(1);
    expect(text).not.toMatch(/Page \d|\d Harbour|2025 \d/);
  });

  it('does not interrupt a sentence, or a word, that goes on', async () => {
    const { text, blocks } = await parseBytes(makePdf(report(bodies)), 'a.pdf');
    expect(text).toContain('The losses of the year fell to 4.1 per cent of all that was landed.');
    expect(text).toContain('had to do with the settlement of berthing fees.');
    const second = blocks.find(({ start, end }) => text.slice(start, end).startsWith('4.1 per cent'));
    expect(second).toMatchObject({ kind: 'paragraph', page: 2 });
  });

  it('is left out altogether where the policy says so', async () => {
    const { text } = await parseBytes(makePdf(report(bodies)), 'a.pdf', { headerFooterRemoval: true });
    expect(text).not.toContain(HEAD);
    expect(text).not.toContain(FOOT);
    expect(text).toContain('fell to 4.1 per cent');
  });

  it('does not part a table that is cut over pages', async () => {
    const rows = Array.from({ length: 12 }, (_, row) => [`P-${row + 1}`, `${(row * 7) % 30}`, `${row + 2}.50`]);
    const cells = (list: readonly (readonly string[])[], y: number): PlacedText[] =>
      list.flatMap((row, line) => row.map((cell, column) => at(60 + column * 140, y + line * 20, cell)));
    const header = ['Part', 'Stock', 'Price'];
    const parts = [0, 4, 8].map((from) => cells([header, ...rows.slice(from, from + 4)], 120));
    const { outline, document } = await parseBytes(makePdf(report(parts)), 'a.pdf');
    const tables = outline.filter((one) => one.startsWith('table'));
    expect(tables.join('\n').replaceAll('table: ', '').split('\n')).toEqual(
      [header, ...rows].map((row) => row.join(' | ')),
    );
    expect(outline.filter((one) => !/^(?:table|page_break)/.test(one))).toHaveLength(4);
    expect(document.fidelity).toMatchObject({ tables: 1 });
  });

  it('keeps the letterhead of a long letter once', async () => {
    const letter = Array.from({ length: 3 }, (_, page) => ({
      placed: [
        at(60, 40, 'Olsen & Lund, solicitors', 11),
        at(60, 56, '4 Quay Street, Holmsay', 9),
        ...lines(140, `This is what page ${['one', 'two', 'three'][page]} says, and it says it in full.`),
      ],
    }));
    const text = await textOf(letter);
    expect(count(text, 'Olsen & Lund')).toBe(1);
    expect(count(text, 'Quay Street')).toBe(1);
    expect(text).toContain('what page three says');
  });

  describe('in a book of chapters', () => {
    const chapters = [
      'Harbour',
      'Harbour',
      'Harbour',
      'Fisheries',
      'Fisheries',
      'Fisheries',
      'Ferries',
      'Accounts',
      'Accounts',
    ];
    /** Pages with a title where a chapter begins; `head` is what is above and below them. */
    const book = (head: (page: number, chapter: string) => PlacedText[]): PdfPage[] =>
      chapters.map((chapter, index) => {
        const begins = chapters.indexOf(chapter) === index;
        const title = begins ? [at(60, 100, `${new Set(chapters.slice(0, index + 1)).size} ${chapter}`, 18)] : [];
        const words = `What sheet ${['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'][index]} has to say`;
        const body = lines(130, `${words} of the year is in words of its own.`, 'Nothing else was told to the board.');
        return { placed: [...head(index + 1, chapter), ...title, ...body] };
      });

    it.each([
      [
        'left and right pages with heads at other heights',
        (page: number, chapter: string) =>
          page % 2 === 0
            ? [at(60, 40, 'HOLMSAY', 12), at(60, 800, `${page}`, 8)]
            : [at(400, 46, chapter.toUpperCase(), 12), at(480, 800, `${page}`, 8)],
        ['HOLMSAY'],
      ],
      [
        'left and right pages, the number beside the head',
        (page: number, chapter: string) =>
          page % 2 === 0
            ? [at(60, 40, `${page}`, 8), at(90, 40, 'Report of Holmsay', 8)]
            : [at(400, 40, chapter, 8), at(520, 40, `${page}`, 8)],
        ['Report of Holmsay'],
      ],
      ['the chapter on each page', (_page: number, chapter: string) => [at(60, 40, chapter, 10)], []],
      [
        'the number of the chapter set apart',
        (_page: number, chapter: string) => [
          at(60, 40, `Chapter ${new Set(chapters.slice(0, chapters.indexOf(chapter) + 1)).size}:`, 9),
          at(180, 40, chapter, 9),
        ],
        [],
      ],
      ['the chapter with the number', (page: number, chapter: string) => [at(60, 40, `${chapter} | ${page}`, 9)], []],
      [
        'the chapter beside the title of the book',
        (page: number, chapter: string) => [
          at(60, 40, 'Handbook', 9),
          at(400, 40, chapter, 9),
          at(300, 810, `- ${page} -`, 9),
        ],
        ['Handbook'],
      ],
      [
        'the chapter beside a title with a year',
        (_page: number, chapter: string) => [at(60, 40, 'Report of 2025', 9), at(400, 40, chapter, 9)],
        ['Report of 2025'],
      ],
    ])('is no heading, and in the text once: %s', async (_what, head, once) => {
      const { outline, text } = await parseBytes(makePdf(book(head)), 'a.pdf');
      const headings = outline.filter((one) => one.startsWith('heading'));
      expect(headings).toEqual(
        ['1 Harbour', '2 Fisheries', '3 Ferries', '4 Accounts'].map((name) => `heading: ${name}`),
      );
      const others = outline.filter((one) => !/^heading|^page_break|What sheet/.test(one));
      expect(others.length).toBeLessThanOrEqual(1);
      for (const name of [...once, 'Harbour', 'Fisheries', 'Ferries', 'Accounts']) {
        expect(count(text.toLowerCase(), name.toLowerCase())).toBe(1);
      }
    });
  });

  it('is no title of its own on each page', async () => {
    const towns = ['Oslo', 'Lund', 'Molde', 'Vik', 'Bergen', 'Narvik'];
    const pages = towns.map((town) => ({
      placed: [at(60, 60, town, 12), ...lines(100, `The office in ${town} is open all year.`, 'Ask there.')],
    }));
    const text = await textOf(pages);
    for (const town of towns) expect(count(text, town)).toBe(2);
  });

  it.each([
    [
      'labels with a value of their own',
      (page: number) => [at(60, 60, 'Invoice:'), at(300, 60, `R-${page * 37}`)],
      /R-37[^]*Invoice[^]*R-74/,
    ],
    [
      'numbers of something else',
      (page: number) => [at(60, 60, `Invoice No. ${page}`)],
      /Invoice No\. 1[^]*Invoice No\. 2[^]*Invoice No\. 3/,
    ],
    ['titles in large type', () => [at(60, 60, 'Certificate', 22)], /Certificate[^]*Certificate[^]*Certificate/],
    [
      'words of one page',
      (page: number) => [at(60, 60, ['North', 'South', 'West', 'East'][page - 1]!)],
      /North[^]*South[^]*West[^]*East/,
    ],
    ['exercises', (page: number) => [at(60, 60, `Exercise ${page}`)], /Exercise 1[^]*Exercise 2[^]*Exercise 3/],
  ])('is not what has %s', async (_what, top, expected) => {
    const pages = [1, 2, 3, 4].map((page) => ({
      placed: [
        ...top(page),
        ...lines(
          140,
          `The body of sheet ${page} has words enough to be the text of it.`,
          `It ends with ${page * 3} items.`,
        ),
      ],
    }));
    expect(await textOf(pages)).toMatch(expected);
  });

  describe('in a bundle of forms', () => {
    const people = ['Jane Doe', 'John Roe', 'Ann Poe'];
    const months = ['01/2025', '02/2025', '03/2025', '04/2025'];
    const sheets = (tops: readonly (readonly PlacedText[])[]): PdfPage[] =>
      tops.map((top, page) => ({
        placed: [
          ...top,
          ...lines(
            160,
            `Sheet ${'abcdefghijklmnopqrstuvwxyz'[page]} of the bundle has words of its own in it.`,
            'Nothing else was said.',
          ),
        ],
      }));

    it.each([
      [
        'payslips by month',
        months.flatMap((month) =>
          people.map((name) => [at(60, 40, `Payslip ${month}`, 11), at(60, 60, `Employee: ${name}`, 11)]),
        ),
      ],
      [
        'payslips by employee',
        people.flatMap((name) =>
          months.map((month) => [at(60, 40, `Employee: ${name}`, 11), at(60, 60, `${month} Payslip`, 11)]),
        ),
      ],
      ['names without a label, by month', months.flatMap(() => people.map((name) => [at(60, 40, name, 11)]))],
      [
        'a head of the firm, then the name',
        months.flatMap(() => people.map((name) => [at(60, 40, 'Olsen and Lund', 11), at(300, 40, name, 11)])),
      ],
      [
        'invoices of two pages',
        [4711, 4712, 4713, 4714].flatMap((number) => [0, 1].map(() => [at(60, 40, `Invoice ${number}`, 11)])),
      ],
      [
        'invoices of two pages, the number set apart',
        [4711, 4712, 4713, 4714].flatMap((number) =>
          [0, 1].map(() => [at(60, 40, 'Invoice of Olsen', 11), at(300, 40, `No ${number}`, 11)]),
        ),
      ],
      [
        'statements of two pages',
        people.flatMap((name) => [0, 1].map(() => [at(60, 40, 'Customer:', 11), at(200, 40, name, 11)])),
      ],
    ])('keeps what tells one from another on each page: %s', async (_what, tops) => {
      const text = await textOf(sheets(tops));
      for (const part of [...people, ...months, 'Invoice 4711', 'Invoice 4712', 'No 4713']) {
        const placed = tops.filter((top) => top.some((one) => one.text.includes(part))).length;
        expect(`${part}: ${count(text, part)}`).toBe(`${part}: ${placed}`);
      }
    });

    it.each([
      [
        'days',
        [
          '12.03.2024 Meeting minutes',
          '19.03.2024 Meeting minutes',
          '26.03.2024 Meeting minutes',
          '02.04.2024 Meeting minutes',
        ],
      ],
      [
        'days with two digits of the year',
        ['12.03.24 Minutes', '19.03.24 Minutes', '26.03.24 Minutes', '02.04.24 Minutes'],
      ],
      ['months', ['01/2025 Payslip', '02/2025 Payslip', '03/2025 Payslip', '04/2025 Payslip']],
      ['numbers', ['4711 Invoice', '4712 Invoice', '4713 Invoice', '4714 Invoice']],
      ['years', ['2021 Results', '2022 Results', '2023 Results', '2024 Results']],
      ['years set apart', ['2021 | Results', '2022 | Results', '2023 | Results', '2024 | Results']],
      ['years alone', ['2021', '2022', '2023', '2024']],
      ['months alone', ['01/2025', '02/2025', '03/2025', '04/2025']],
      ['numbers set apart', ['Invoice | 4711', 'Invoice | 4712', 'Invoice | 4713', 'Invoice | 4714']],
      ['numbers of three digits', ['101 Statement', '104 Statement', '107 Statement', '109 Statement']],
    ])('tells lines by all that they say: %s', async (_what, heads) => {
      const text = await textOf(sheets(heads.map((head) => [at(60, 40, head, 11)])));
      for (const head of heads) expect(text).toContain(head);
    });

    it('loses no name that is on one page alone, also where all heads are left out', async () => {
      const heads = ['Harbour', 'Harbour', 'Harbour', 'Ferries', 'Ferries', 'Jane Doe', 'Fish', 'Fish'];
      const pages = makePdf(sheets(heads.map((head) => [at(60, 40, head, 11)])));
      const { text } = await parseBytes(pages, 'a.pdf', { headerFooterRemoval: true });
      expect(text).toContain('Jane Doe');
      expect(text).not.toMatch(/Harbour|Ferries|Fish/);
    });
  });

  it('is known of chapters that begin where pages are no longer looked at together', async () => {
    const heads = Array.from(
      { length: 50 },
      (_, page) => `On ${'abcdefghijklmnopqrstuvwxyz'[Math.floor((page + 1) / 2)]!.repeat(5)}`,
    );
    const pages = heads.map((head, page) => ({
      placed: [
        at(60, 40, head, 11),
        ...lines(160, `Words of sheet ${'xyz'[page % 3]} are here to be read.`, 'And more of them.'),
      ],
    }));
    const { text } = await parseBytes(makePdf(pages), 'a.pdf');
    for (const head of new Set(heads)) expect(`${head} ${count(text, head)}`).toBe(`${head} 1`);
  });

  it('is not the header of a table of words', async () => {
    const cells = (list: readonly (readonly string[])[]): PlacedText[] =>
      list.flatMap((row, line) => row.map((cell, column) => at(60 + column * 140, 60 + line * 20, cell)));
    const header = ['Name', 'Town', 'Trade'];
    const pages = [
      [header, ['Ann', 'Oslo', 'Baker'], ['Bob', 'Lund', 'Smith']],
      [header, ['Cid', 'Molde', 'Tailor'], ['Dan', 'Narvik', 'Cook']],
      [header, ['Eve', 'Bergen', 'Miller'], ['Fay', 'Vik', 'Sailor']],
    ];
    const { outline } = await parseBytes(makePdf(pages.map((rows) => ({ placed: cells(rows) }))), 'a.pdf');
    const rows = outline.filter((one) => one.startsWith('table')).join('\n');
    expect(rows).toContain('Cid | Molde | Tailor');
    expect(rows).toContain('Name | Town | Trade');
  });
});
