import { findElement, textOf, type HtmlElement } from './html-elements.js';
import { cellText } from './html-tables.js';

/** The title of a document: its `title` element, else its first heading of the first level. */
export function titleOf(root: HtmlElement): string | undefined {
  const inHead = findElement(root, (element) => element.tagName === 'title');
  const words = inHead === undefined ? '' : ownText(inHead);
  if (words !== '') return words;
  const heading = findElement(root, (element) => element.tagName === 'h1');
  return (heading === undefined ? '' : cellText(heading)) || undefined;
}

function ownText(element: HtmlElement): string {
  return element.childNodes
    .map((node) => textOf(node) ?? '')
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}
