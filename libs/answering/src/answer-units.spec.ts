import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerUnits } from './answer-units.js';

function unitsOf(text: string, size = text.length): string[] {
  const units = new AnswerUnits();
  const found: string[] = [];
  for (let from = 0; from < text.length; from += size)
    found.push(...units.push(text.slice(from, from + size)).map((unit) => unit.text));
  return [...found, ...units.flush().map((unit) => unit.text)];
}

const ANSWERS: readonly (readonly [string, readonly string[]])[] = [
  ['Alpha is big. [1] Beta is small [2]. Gamma.', ['Alpha is big. [1] ', 'Beta is small [2]. ', 'Gamma.']],
  ['Yes. The pump is serviced. [1]', ['Yes. The pump is serviced. [1]']],
  [
    'One line.\n\n- First. Then more.\n- Second\n  goes on\n',
    ['One line.\n', '\n- First. Then more.\n', '- Second\n  goes on\n'],
  ],
  ['So:\n```js\na. B. C.\n\nd\n```\nThen this.', ['So:\n', '```js\na. B. C.\n\nd\n```\n', 'Then this.']],
  ['# Head\nText here. More text.', ['# Head\n', 'Text here. ', 'More text.']],
  ['| a | b |\n| 1 | 2 |\n', ['| a | b |\n', '| 1 | 2 |\n']],
  ['第一句话在这里。[1]第二句话在那里。', ['第一句话在这里。[1]', '第二句话在那里。']],
];

describe('AnswerUnits', () => {
  it.each(ANSWERS)('cuts %j', (text, units) => {
    expect(unitsOf(text)).toEqual(units);
  });

  it('gives a sentence when the next one has begun, and not before', () => {
    const units = new AnswerUnits();
    expect(units.push('Alpha is big. [1]')).toEqual([]);
    expect(units.push(' Beta')).toEqual([]);
    expect(units.push(' is small')).toEqual([{ kind: 'text', text: 'Alpha is big. [1] ' }]);
  });

  it('gives a code block when it is closed', () => {
    const units = new AnswerUnits();
    expect(units.push('```\none\n')).toEqual([]);
    expect(units.push('``')).toEqual([]);
    expect(units.push('`\n')).toEqual([{ kind: 'code', text: '```\none\n```\n' }]);
  });

  it('loses nothing, however the answer is cut into pieces', () => {
    const part = fc.constantFrom(
      ...ANSWERS.map(([text]) => text),
      '\n',
      '\n\n',
      '- ',
      '```',
      ' ',
      '1. ',
      'Dr. X said',
      '[1]',
      '|',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.integer({ min: 1, max: 40 }), (parts, size) => {
        const text = parts.join('');
        expect(unitsOf(text, size).join('')).toBe(text);
      }),
    );
  });

  it('holds no block without bound', () => {
    const units = new AnswerUnits();
    const given = units.push(`- ${'word '.repeat(4_000)}`);
    expect(given.map(({ text }) => text).join('').length).toBeGreaterThan(8_000);
  });
});
