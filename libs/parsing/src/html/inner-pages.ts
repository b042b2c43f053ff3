import { attribute, findElement, isElement, visit, type HtmlElement } from './html-elements.js';
import { markHidden } from './hidden-elements.js';
import { parseHtmlTree } from './parse-html-tree.js';
import { cssOf } from './style-sheet.js';

/** Pages within pages within a page. */
const MAX_DEPTH = 3;

/**
 * Puts pages that are written into a frame (`iframe srcdoc`) in its place, as a section. The rules of such a page hold in it alone. What a frame fetches
 * is no part of the file. Linear: a page within a page is a part of its text.
 */
export function openInnerPages(root: HtmlElement, depth = 0): void {
  const frames: HtmlElement[] = [];
  visit(root, (node) => {
    if (isElement(node) && node.tagName === 'iframe' && attribute(node, 'srcdoc') !== undefined) frames.push(node);
    return isElement(node);
  });
  for (const frame of frames) {
    const page = parseHtmlTree(attribute(frame, 'srcdoc')!).childNodes.find((node): node is HtmlElement =>
      isElement(node),
    );
    const body = page === undefined ? undefined : findElement(page, ({ tagName }) => tagName === 'body');
    if (page === undefined || body === undefined || depth >= MAX_DEPTH) continue;
    markHidden(page, cssOf(page));
    openInnerPages(body, depth + 1);
    frame.tagName = 'section';
    frame.nodeName = 'section';
    frame.attrs = frame.attrs.filter(({ name }) => name !== 'srcdoc');
    frame.childNodes = body.childNodes.filter((node) => node.nodeName !== 'style');
    for (const node of frame.childNodes) node.parentNode = frame;
  }
}
