import MarkdownIt, { type Token } from 'markdown-it';
import type { AllowedLinks } from './link-policy.js';

export type { Token };

/** Lists in lists, two levels each. What is nested deeper is shown as it is written. */
export const MAX_NESTING = 40;
/** Would be markup, is shown as text instead: quotations, definitions, Markdown's older headings, struck out text, images. */
const NOT_READ = [
  'blockquote',
  'reference',
  'lheading',
  'html_block',
  'strikethrough',
  'image',
  'html_inline',
  'linkify',
];
/** Would join what was written with a backslash to what was not. */
const NOT_JOINED = ['text_join'];

/**
 * The parser of answers: no HTML, no links made of bare addresses, no typography, links only where they may lead. Every option is named, so
 * that no preset decides: `commonmark` allows HTML and drops what is nested more than 20 deep.
 */
export function createParser(links: AllowedLinks): (markdown: string) => Token[] {
  const parser = new MarkdownIt('default', {
    html: false,
    xhtmlOut: false,
    breaks: false,
    linkify: false,
    typographer: false,
    maxNesting: MAX_NESTING,
  }).disable([...NOT_READ, ...NOT_JOINED]);
  const [table] = parser.block.ruler.getRules('');
  // Of a row without a bar in front the first words are given out before the next line tells that it is one.
  parser.block.ruler.at(
    'table',
    (state, line, end, silent) =>
      state.src[state.bMarks[line]! + state.tShift[line]!] === '|' && table!(state, line, end, silent),
    { alt: ['paragraph', 'reference'] },
  );
  parser.validateLink = (href) => links.allows(href);
  return (markdown) => parser.parse(markdown, {});
}
