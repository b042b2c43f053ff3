import {
  attribute,
  isBlockLevel,
  isElement,
  isSkipped,
  textOf,
  visit,
  type HtmlElement,
} from '../../html/html-elements.js';
import type { HtmlQuotation } from '../../html/html-walker.js';
import { cellText } from '../../html/html-tables.js';
import { sourceOfHeader } from './quoted-text.js';

const CONTAINER = /(?:^|\s)(?:gmail_quote|yahoo_quoted|protonmail_quote|zmail_extra)(?:$|\s)/;
const INTRODUCTION = /(?:^|\s)gmail_attr(?:$|\s)/;
const HEADER_TAGS: ReadonlySet<string> = new Set(['div', 'p', 'td']);
/** Of an element that may be the header that Outlook puts above a quotation. */
const MOST_UNITS = 1_000;
const MOST_NODES = 200;
const MOST_SOURCE_UNITS = 300;

/**
 * Where quotations begin in an HTML message, with what introduces each: the header lines that Outlook puts above them, all of them; or the
 * element that other programs put around all that is quoted, unless own words follow it, since those answer it.
 */
export function quotationsIn(root: HtmlElement): ReadonlyMap<HtmlElement, HtmlQuotation> {
  const found = new Map<HtmlElement, HtmlQuotation>();
  let container: HtmlElement | undefined;
  visit(root, (node) => {
    if (!isElement(node)) return false;
    if (isSkipped(node) && node !== root) return false;
    if (container === undefined && found.size === 0 && isContainer(node)) container = node;
    const source = HEADER_TAGS.has(node.tagName) ? sourceOfHeader(linesOf(node)) : undefined;
    if (source === undefined) return true;
    found.set(node, { source: source.slice(0, MOST_SOURCE_UNITS), isHeader: true });
    return false;
  });
  if (found.size > 0 || container === undefined || hasTextBehind(root, container)) return found;
  return new Map([[container, { source: introductionOf(container), isHeader: false }]]);
}

function isContainer(element: HtmlElement): boolean {
  if (element.tagName === 'blockquote') return attribute(element, 'type') === 'cite';
  return CONTAINER.test(attribute(element, 'class') ?? '');
}

/** Lines of an element that is short enough to be nothing but a header. */
function linesOf(element: HtmlElement): string[] {
  let text = '';
  let nodes = 0;
  visit(element, (node) => {
    nodes += 1;
    if (nodes > MOST_NODES || text.length > MOST_UNITS) return false;
    text += (textOf(node) ?? '').replace(/\s+/g, ' ');
    if (isElement(node) && (node.tagName === 'br' || isBlockLevel(node))) text += '\n';
    return !isElement(node) || !isSkipped(node);
  });
  if (nodes > MOST_NODES || text.length > MOST_UNITS) return [];
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '');
}

function hasTextBehind(root: HtmlElement, container: HtmlElement): boolean {
  let [isBehind, hasText] = [false, false];
  visit(root, (node) => {
    if (node === container) {
      isBehind = true;
      return false;
    }
    if (isBehind && /\S/.test(textOf(node) ?? '')) hasText = true;
    return !isElement(node) || !isSkipped(node) || node === root;
  });
  return hasText;
}

/** What introduces the words in a container, which is taken from it. */
function introductionOf(container: HtmlElement): string {
  for (const node of container.childNodes) {
    if (!isElement(node) || !INTRODUCTION.test(attribute(node, 'class') ?? '')) continue;
    const words = cellText(node);
    node.attrs.push({ name: 'hidden', value: '' });
    return words.replace(/\s?:$/, '').slice(0, MOST_SOURCE_UNITS);
  }
  return '';
}
