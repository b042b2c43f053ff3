import { describe, expect, it } from 'vitest';
import { newId } from '#libs/common';
import { readCsvCases } from './csv-cases.js';
import { parseCases } from './parse-cases.js';

const ID = newId();
const problemsOf = (list: readonly unknown[]): unknown => {
  try {
    parseCases(list, '/cases');
  } catch (error) {
    return (error as { errors: { pointer: string; code: string }[] }).errors.map(
      ({ pointer, code }) => `${pointer} ${code}`,
    );
  }
  return [];
};

describe('cases of a request', () => {
  it('are filled in', () => {
    expect(
      parseCases([{ query: 'A?', relevant: [{ document_id: ID.toUpperCase() }, { document_id: ID }] }], '/cases'),
    ).toEqual([
      {
        query: 'A?',
        relevant: [{ document_id: ID }],
        expected_answer: null,
        answerable: true,
        tags: [],
        generated: false,
        approved: true,
      },
    ]);
    const [generated] = parseCases([{ query: 'B?', answerable: false, generated: true }], '/cases');
    expect(generated).toMatchObject({ approved: false, relevant: [] });
  });

  it.each([
    [[], ['/cases array_min_size']],
    [[1], ['/cases/0 is_object']],
    [[{ query: ' ' }], ['/cases/0/query matches']],
    [[{ relevant: [{ text: 'a' }] }], ['/cases/0/query required']],
    [[{ query: 'a' }], ['/cases/0/relevant required']],
    [[{ query: 'a', relevant: [{}] }], ['/cases/0/relevant/0 required']],
    [[{ query: 'a', relevant: [{ document_id: 'x' }] }], ['/cases/0/relevant/0/document_id is_uuid']],
    [[{ query: 'a', relevant: [{ text: 'a', colour: 1 }] }], ['/cases/0/relevant/0/colour unknown_field']],
    [[{ query: 'a', relevant: 'b' }], ['/cases/0/relevant is_array']],
    [[{ query: 'a', answerable: false, relevant: [{ text: 'b' }] }], ['/cases/0/relevant array_max_size']],
    [[{ query: 'a', answerable: 'no' }], ['/cases/0/answerable is_boolean']],
    [[{ query: 'a', relevant: [{ text: 'b' }], tags: [1] }], ['/cases/0/tags/0 is_string']],
    [
      [
        { query: 'a', relevant: [{ text: 'b' }] },
        { query: ' a ', relevant: [{ text: 'c' }] },
      ],
      ['/cases/1/query unique'],
    ],
  ])('are refused with a pointer: %j', (list, expected) => {
    expect(problemsOf(list)).toEqual(expected);
  });

  it('are at most 2,000', () => {
    const many = Array.from({ length: 2_001 }, (_, n) => ({ query: `q${n}`, relevant: [{ text: 'a' }] }));
    expect(problemsOf(many)).toEqual(['/cases array_max_size']);
    expect(parseCases(many.slice(1), '/cases')).toHaveLength(2_000);
  });
});

describe('cases as CSV', () => {
  it('join rows with one query, and read quotes, other separators and line ends', () => {
    const csv = `\uFEFFquery;document_id;text;tags;answerable\r\n"What is ""A"";\nand B?";${ID};;x|y;\r\n"What is ""A"";\nand B?";;some text;z;\r\nNone?;;;;false`;
    expect(readCsvCases(csv, '/csv')).toEqual([
      { query: 'What is "A";\nand B?', relevant: [{ document_id: ID }, { text: 'some text' }], tags: ['x', 'y', 'z'] },
      { query: 'None?', relevant: [], tags: [], answerable: false },
    ]);
  });

  it.each([
    ['text\na', 'query among them'],
    ['query,colour\na,b', 'unknown column "colour"'],
    ['query,query\na,b', 'named twice'],
    ['query,text\na', 'row 2 has 1 fields'],
    ['query,text\n"a,b', 'not closed'],
    ['query,text\n"a"b,c', 'followed by other characters'],
    ['query,answerable\na,perhaps', 'answerable must be true or false'],
  ])('are refused: %j', (csv, reason) => {
    expect(() => readCsvCases(csv, '/csv')).toThrow(reason);
  });
});
