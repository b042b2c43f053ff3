import { describe, expect, it } from 'vitest';
import { analyzeQuery } from '#libs/text';
import { HighlightMarker } from './highlights.js';
import { originalsFirst, QUOTATION_WINDOW } from './quotations-last.js';

const QUERY = 'When is the go-live of the portal?';
const SAID = 'Then it is settled: go-live of the portal is on 24 March.';
const QUOTE = 'Quoted: On Mon, 7 Feb 2025, Tomas Reyes wrote';

const row = (name: string, body: string, headings: readonly string[] = ['Re: Portal']) => ({
  document_id: name as never,
  body,
  heading_path: headings,
});
const namesOf = (rows: readonly ReturnType<typeof row>[]): string[] =>
  originalsFirst(rows, new HighlightMarker(analyzeQuery(QUERY))).map(({ document_id: name }) => name as string);

const original = row('tomas', `${SAID}\n\nTomas`);
const quoting = row('priya', `I will tell the vendor.\n\n${QUOTE}\n\n${SAID}`);
const below = row('maya', SAID, ['Re: Portal', QUOTE]);
const other = row('plan', 'The portal has three parts.');

describe('what a mail quotes', () => {
  it('comes behind the mail that said it, and behind all else that was found', () => {
    expect(namesOf([quoting, below, original, other])).toEqual(['tomas', 'plan', 'priya', 'maya']);
  });

  it('stays where it is when nobody else said it', () => {
    expect(namesOf([quoting, below, other])).toEqual(['priya', 'maya', 'plan']);
  });

  it('stays where it is when the mail says something of the matter itself', () => {
    const answering = row('maya', `The portal goes live on 7 April.\n\n${QUOTE}\n\n${SAID}`);
    expect(namesOf([answering, original])).toEqual(['maya', 'tomas']);
  });

  it('is compared by words: lines break elsewhere', () => {
    expect(namesOf([row('priya', SAID.replace('portal is', 'portal\nis'), [QUOTE]), original])).toEqual([
      'tomas',
      'priya',
    ]);
  });

  it('moves within its window, so that a shorter list begins a longer one', () => {
    const many = Array.from({ length: QUOTATION_WINDOW }, (_, at) => row(`d${at}`, `Part ${at} of the portal.`));
    expect(namesOf([quoting, ...many, original]).indexOf('priya')).toBe(0);
    const near = [quoting, original, ...many];
    expect(namesOf(near).indexOf('priya')).toBe(QUOTATION_WINDOW - 1);
    expect(namesOf(near.slice(0, QUOTATION_WINDOW))).toEqual(namesOf(near).slice(0, QUOTATION_WINDOW));
  });
});
