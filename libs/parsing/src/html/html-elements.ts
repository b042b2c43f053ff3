import type { DefaultTreeAdapterTypes } from 'parse5';

export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlElement = DefaultTreeAdapterTypes.Element;

/** Elements whose content is no text of the document. */
const SKIPPED = new Set(
  (
    'script style template noscript head title meta link iframe object embed canvas audio video map ' +
    'select datalist input rt rp dialog'
  ).split(' '),
);

/** Elements of a drawing whose words are shown; its names, definitions and styles are not. */
const DRAWN = new Set(['svg', 'g', 'a', 'switch', 'text', 'tspan', 'textPath', 'foreignObject']);
const SVG = 'http://www.w3.org/2000/svg';

const BLOCK_LEVEL = new Set(
  (
    'html body address article aside blockquote center details dd div dl dt fieldset figcaption figure footer form ' +
    'header hgroup hr legend li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul caption'
  ).split(' '),
);

export function isElement(node: HtmlNode): node is HtmlElement {
  return 'tagName' in node;
}

/** The text of a text node, undefined for any other. */
export function textOf(node: HtmlNode): string | undefined {
  return node.nodeName === '#text' ? (node as DefaultTreeAdapterTypes.TextNode).value : undefined;
}

export function isSkipped(element: HtmlElement): boolean {
  if (SKIPPED.has(element.tagName) || isHidden(element)) return true;
  return (element.namespaceURI as string) === SVG && !DRAWN.has(element.tagName);
}

/** Whether an element is one label of a drawing: it is apart from others, wherever those are in the file. */
export function isDrawnLabel(element: HtmlElement): boolean {
  return element.tagName === 'text' && (element.namespaceURI as string) === SVG;
}

/** Whether an element itself says that it is not shown. */
export function isHidden(element: HtmlElement): boolean {
  const hidden = attribute(element, 'hidden');
  if (hidden !== undefined && hidden !== 'until-found') return true;
  const style = attribute(element, 'style');
  return style !== undefined && hidesByStyle(style);
}

/** The box of a task, as `[x] ` or `[ ] `: a checkbox in an item or a cell, or an item of a list of tasks as Confluence has them. */
export function taskMark(element: HtmlElement): string | undefined {
  if (element.tagName === 'input') {
    if (attribute(element, 'type')?.toLowerCase() !== 'checkbox' || !isInItem(element)) return undefined;
    return attribute(element, 'checked') === undefined ? '[ ] ' : '[x] ';
  }
  if (element.tagName !== 'li' || !hasClass(element.parentNode, 'inline-task-list')) return undefined;
  return hasClass(element, 'checked') ? '[x] ' : '[ ] ';
}

function hasClass(node: HtmlElement['parentNode'], name: string): boolean {
  return node !== null && 'tagName' in node && (attribute(node, 'class') ?? '').split(/\s+/).includes(name);
}

/** In an item or a cell, with no more than a label, a paragraph or a span between. */
function isInItem({ parentNode }: HtmlElement): boolean {
  for (let at = parentNode; at !== null && 'tagName' in at; at = at.parentNode) {
    if (/^(?:li|td|th)$/.test(at.tagName)) return true;
    if (!/^(?:label|p|span)$/.test(at.tagName)) return false;
  }
  return false;
}

/** Whether a `style` hides its element. */
export function hidesByStyle(style: string): boolean {
  return /(?:^|[;\s])display\s*:\s*none/i.test(style);
}

/** The language of code that a `class` names. */
export function languageOfClass(names: string): string | undefined {
  return /(?:^|\s)(?:language|lang)-([\w+#.-]+)/.exec(names)?.[1];
}

export function isBlockLevel(element: HtmlElement): boolean {
  return BLOCK_LEVEL.has(element.tagName) || headingLevel(element) !== undefined;
}

export function headingLevel(element: HtmlElement): number | undefined {
  const match = /^h([1-6])$/.exec(element.tagName);
  return match === null ? undefined : Number(match[1]);
}

export function attribute(element: HtmlElement, name: string): string | undefined {
  return element.attrs.find((candidate) => candidate.name === name)?.value;
}

/** Visits a subtree in document order without recursion; `enter` answers whether to go into the children. */
export function visit(root: HtmlElement, enter: (node: HtmlNode) => boolean): void {
  const stack: HtmlNode[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (!enter(node) || !isElement(node)) continue;
    for (let at = node.childNodes.length - 1; at >= 0; at -= 1) stack.push(node.childNodes[at]!);
  }
}

/** The first element of a subtree that passes, in document order. */
export function findElement(root: HtmlElement, passes: (element: HtmlElement) => boolean): HtmlElement | undefined {
  let found: HtmlElement | undefined;
  visit(root, (node) => {
    if (found === undefined && isElement(node) && passes(node)) found = node;
    return found === undefined;
  });
  return found;
}
