import { describe, expect, it } from 'vitest';
import { TerminalMarks, withoutTerminalMarks } from './terminal-marks.js';

const ESC = '\u001b';
const BEL = '\u0007';

describe('the marks of a terminal in a text', () => {
  it.each([
    ['a colour', `${ESC}[1;31mError${ESC}[0m: disk full`, 'Error: disk full'],
    ['an erased line', `10%${ESC}[2K${ESC}[1Gready`, '10%ready'],
    ['the reset of tput', `${ESC}[1mBold${ESC}(B${ESC}[m plain`, 'Bold plain'],
    ['a link that BEL ends', `see ${ESC}]8;;http://h/p${BEL}name${ESC}]8;;${BEL} there`, 'see name there'],
    ['a link that ESC \\ ends', `see ${ESC}]8;;http://h/p${ESC}\\name${ESC}]8;;${ESC}\\ there`, 'see name there'],
    ['a link around a colour', `${ESC}]8;;http://h/p${ESC}\\${ESC}[31mname${ESC}[m${ESC}]8;;${ESC}\\`, 'name'],
    ['a printer that is set', `${ESC}E${ESC}(s0B${ESC}&l1O${ESC}&l6.5c3EGroß\f${ESC}@Blatt`, 'Groß\fBlatt'],
    ['a type and a set of characters', `a${ESC}(10Ub${ESC}(s0p10h12Vc`, 'abc'],
    ['the end of a file of DOS', 'keine\r\n\u001a\u001a\0', 'keine\r\n'],
    ['an arrow of DOS within', 'a \u001a b', 'a \u001a b'],
    ['letters behind a lone sign', `x${ESC}Ende ${ESC}@home ${ESC}(s is`, `x${ESC}Ende ${ESC}@home ${ESC}(s is`],
    ['characters for a printer', `${ESC}2024 Umsatz und ${ESC}Hello`, `${ESC}2024 Umsatz und ${ESC}Hello`],
    ['a bracket of the text', `${ESC}(Bericht) ${ESC}]not ended\nnext`, `${ESC}(Bericht) ${ESC}]not ended\nnext`],
    ['an end that never comes', `last ${ESC}[31`, `last ${ESC}[31`],
    ['a string that is too long', `${ESC}]${'x'.repeat(3000)}${BEL}.`, `${ESC}]${'x'.repeat(3000)}${BEL}.`],
  ])('takes out sequences and nothing else, however the text is divided: %s', (_, text, expected) => {
    expect(withoutTerminalMarks(text)).toBe(expected);
    for (let at = 0; at <= text.length; at += 1) {
      const marks = new TerminalMarks();
      expect(marks.feed(text.slice(0, at)) + marks.feed(text.slice(at)) + marks.finish(), `at ${at}`).toBe(expected);
    }
    const marks = new TerminalMarks();
    expect([...text].map((unit) => marks.feed(unit)).join('') + marks.finish()).toBe(expected);
  });

  it.each(['\u001a', '\u001a\0', `${ESC}(`, `${ESC}E`, `${ESC}&l1`])('cost as much as they are long: %j', (sign) => {
    const started = performance.now();
    const marks = new TerminalMarks();
    for (let piece = 0; piece < 40; piece += 1) marks.feed(sign.repeat(50_000));
    marks.finish();
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
