import { textOf, visit, type HtmlElement } from './html-elements.js';

/** A block of declarations, and whether it counts for a reader in front of a screen. */
export interface StyleBlock {
  readonly selectors: string;
  readonly body: string;
  /** `perhaps`: on some screens, or under a condition that is not known. */
  readonly counts: 'surely' | 'perhaps';
}

const MOST_CSS_UNITS = 512 * 1024;
/** Blocks inside of each other; what is deeper is passed over. */
const MOST_NESTED = 8;
const EVERYWHERE = /^@(?:media\s+(?:only\s+)?(?:all|screen)|layer\b.*|charset\b.*)\s*$/i;
const ELSEWHERE = /^@(?:media\s+(?:only\s+)?(?:print|speech)\b[^,]*|font-face|page|(?:-\w+-)?keyframes\b.*)$/i;

/** The CSS in the style elements of a document, as far as it is read. */
export function cssOf(root: HtmlElement): string {
  let css = '';
  visit(root, (node) => {
    if ('tagName' in node && node.tagName === 'style' && css.length < MOST_CSS_UNITS) {
      css += node.childNodes.map((child) => textOf(child) ?? '').join('');
    }
    return true;
  });
  return css.slice(0, MOST_CSS_UNITS);
}

/** The blocks of CSS that hold no other one and count on a screen, in their order. Looks at each character once, whatever a page has written. */
export function* blocksOf(css: string): Generator<StyleBlock> {
  const text = withoutComments(css.slice(0, MOST_CSS_UNITS));
  const open: string[] = [];
  let depth = 0;
  let isInnermost = false;
  let from = 0;
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    const piece = text.slice(from, index);
    from = index + 1;
    if (brace === '{') {
      if (depth < MOST_NESTED) open[depth] = piece.slice(piece.lastIndexOf(';') + 1).trim();
      depth += 1;
      isInnermost = true;
      continue;
    }
    const around = depth > MOST_NESTED ? undefined : countsOf(open.slice(0, Math.max(0, depth - 1)));
    if (isInnermost && depth > 0 && around !== undefined)
      yield { selectors: open[depth - 1]!, body: piece, counts: around };
    depth = Math.max(0, depth - 1);
    isInnermost = false;
  }
}

/** Undefined: never on a screen. */
function countsOf(outer: readonly string[]): StyleBlock['counts'] | undefined {
  if (outer.some((prelude) => ELSEWHERE.test(prelude))) return undefined;
  return outer.every((prelude) => EVERYWHERE.test(prelude)) ? 'surely' : 'perhaps';
}

/** CSS without its comments. */
function withoutComments(css: string): string {
  let text = '';
  let from = 0;
  for (let start = css.indexOf('/*'); start >= 0; start = css.indexOf('/*', from)) {
    const end = css.indexOf('*/', start + 2);
    if (end < 0) break;
    text += css.slice(from, start);
    from = end + 2;
  }
  return text + css.slice(from);
}
