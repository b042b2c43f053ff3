import { describe, expect, it } from 'vitest';
import { isVertical } from './vertical-text-check.js';

const line = (text: string, y: number, width: number, fontSize = 18) =>
  ({ text, x: 60, y, width, height: fontSize, fontSize }) as const;
const rows = (texts: readonly string[], pitch: number, advance: number) => ({
  textItems: texts.map((text, at) => line(text, 60 + at * pitch, text.length * advance)),
});
const WORDS = ['っな雪国', 'たたっ国', '。たでの', '向。あ長', '側信っい', 'の号たト'];

describe('pages that are not what they seem', () => {
  it('are vertical where lines lie as close as characters, and characters further apart', () => {
    expect(isVertical(rows(WORDS, 18, 30))).toBe(true);
    expect(isVertical(rows([...'国境の長いトンネルを抜けると雪国であった夜'], 18, 18))).toBe(true);
  });

  it.each([
    ['set in lines', rows(WORDS, 27, 18)],
    ['set in close lines', rows(WORDS, 20, 18)],
    ['set wide, in lines', rows(WORDS, 40, 30)],
    ['of Latin letters', rows(['a b c d', 'e f g h', 'i j k l', 'm n o p', 'q r s t'], 18, 30)],
    ['of a few characters', rows(['国境', '長い'], 18, 30)],
    ['without text', { textItems: [] }],
  ])('are not vertical when %s', (_how, page) => {
    expect(isVertical(page)).toBe(false);
  });
});
