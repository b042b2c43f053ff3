import { describe, expect, it } from 'vitest';
import { DividedLines } from './divided-lines.js';

function whole(text: string, pieceLength = text.length || 1): string {
  const lines = new DividedLines();
  let done = '';
  for (let at = 0; at < text.length; at += pieceLength) done += lines.feed(text.slice(at, at + pieceLength));
  return done + lines.finish();
}

describe('a word that a line of plain text ends within', () => {
  it.each([
    ['a docu-\nment, read.\nThe document', 'a document,\nread.\nThe document'],
    ['a docu-\r\n  ment of it\r\nThe document', 'a document\r\n  of it\r\nThe document'],
  ])('is whole where the text has it elsewhere: %j', (text, expected) => {
    expect(whole(text)).toBe(expected);
    expect(whole(text, 3)).toBe(expected);
  });

  it.each([
    ['no other', 'a docu-\nment of it'],
    ['its own hyphen', 'a well-\nknown thing, as is well-known'],
    ['the rest of another word', 'Nord-\nund Südbahn'],
    ['a name', 'Nord-\nSüd and NordSüd'],
    ['marks of a list', 'a --\nment\nthe ment'],
  ])('stays with %s', (_what, text) => {
    expect(whole(text)).toBe(text);
  });

  it('keeps its hyphen where the text has it nowhere in one, also where other words are divided', () => {
    const shown = 'a docu-\nment, a har-\nbour and a set-\ntlement; document, harbour, settlement.\n';
    const rest = 'It was peer-\nreviewed by an anglo-\nsaxon.';
    expect(whole(`${shown}${rest}`)).toContain(rest);
  });

  it('is found beside a word without end', () => {
    const text = `${'x'.repeat(1_000_000)} a docu-\nment of it\nThe document`;
    expect(whole(text)).toBe(text.replace('docu-\nment ', 'document\n'));
  });

  it('is found in a text that is not held whole', () => {
    const text = `The document of the har-\nbour board. ${'Some words here.\n'.repeat(150_000)}A docu-\nment at the end.`;
    expect(whole(text, 65_536)).toBe(text.replace('docu-\nment ', 'document\n'));
  });
});
