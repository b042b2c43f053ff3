import { describe, expect, it } from 'vitest';
import { makePdf, type PdfField, type PlacedText } from '../testing/make-pdf.js';
import { parseBytes } from '../testing/parse-bytes.js';

const text = (name: string, value: string, more: string, y: number): PdfField => ({
  entries: `/FT/Tx/T(${name})/V(${value})${more}`,
  x: 200,
  y,
});
const box = (name: string, isOn: boolean, x: number, y: number): PdfField => {
  const state = isOn ? '/Yes' : '/Off';
  return { entries: `/FT/Btn/T(${name})/V${state}/AS${state}/AP<</N<</Yes null/Off null>>>>/F 4`, x, y };
};
const LABELS: readonly PlacedText[] = [
  { text: 'Travel expenses of the staff of the harbour', x: 60, y: 60 },
  { text: 'Receipts enclosed', x: 60, y: 112 },
  { text: 'Advance paid', x: 82, y: 142 },
];

const notesOf = async (fields: readonly PdfField[]): Promise<string[]> => {
  const { text: whole } = await parseBytes(makePdf([{ lines: [], placed: LABELS, fields }]), 'form.pdf');
  return whole.split('\n').filter((line) => /^\[|: /.test(line));
};

describe('a form in a PDF', () => {
  it('tells which boxes are ticked by the words before or behind them, if one is', async () => {
    const [receipts, advance] = [box('q', true, 200, 100), box('v', false, 60, 130)];
    expect(await notesOf([receipts, advance])).toEqual(['[x] Receipts enclosed', '[ ] Advance paid']);
    expect(await notesOf([box('q', false, 200, 100), advance])).toEqual([]);
    expect(await notesOf([box('far', true, 400, 400)])).toEqual(['[x] far']);
  });

  it('tells values that its page does not draw, but none of fields that are hidden or hold a password', async () => {
    const seen = text('city', 'Basel', '/F 4', 200);
    const hidden = text('token', 'internal-99', '/F 2', 230);
    const unseen = text('draft', 'internal-98', '/F 36', 260);
    const password = text('pin', '4711', '/F 4/Ff 8192', 290);
    expect(await notesOf([seen, hidden, unseen, password])).toEqual(['city: Basel']);
  });
});
