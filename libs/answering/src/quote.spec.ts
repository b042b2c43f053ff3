import { describe, expect, it } from 'vitest';
import { quoteRow, quoteText } from './quote.js';

describe('a stretch of a source as it is quoted', () => {
  it.each([
    ['Run `code ![y](http://e)` first.', 'Run `code ![y](http://e)` first.'],
    ['Write `<b>` and `[a](b)` there.', 'Write `<b>` and `[a](b)` there.'],
    ['See [docs](javascript:alert(1)) now.', 'See docs now.'],
    ['See [docs](http://e/a_(b) "a (title)") now.', 'See docs now.'],
    ['An ![x](<http://e/a> "t\\"(") end.', 'An x end.'],
    ["An ![x](http://e/a\\)b 'it') end.", 'An x end.'],
    ['Left [open](http://e and [two](b) more.', 'Left open more.'],
    ['A single ` and ![x](http://e).', 'A single  and x.'],
    ['<img src=x> the `b` <b>pump</b>', 'the `b` pump'],
  ])('%s', (text, quoted) => {
    expect(quoteText(text)).toBe(quoted);
  });
});

describe('a row of a table as it is quoted', () => {
  it('shows nothing that stood in code which the border of a cell cuts', () => {
    const quoted = quoteRow('Pump | `run | <img src=x>` | 4', 'Name | Command | Note | Stock', () => 0);
    expect(quoted).not.toMatch(/[<`]/);
  });
});
