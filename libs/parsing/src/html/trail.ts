import {
  attribute,
  findElement,
  headingLevel,
  isElement,
  isSkipped,
  textOf,
  visit,
  type HtmlElement,
} from './html-elements.js';

/** As a whole name: content may be named `breadcrumbs-recipe`. */
const NAME = /(?:^|\s)breadcrumbs?(?:$|\s)/i;
/** A longer one is a list of its own. */
const MAX_UNITS = 300;
const MAX_NODES = 300;
const MAX_ITEM_UNITS = 60;
const ITEM_TAGS: ReadonlySet<string> = new Set(['a', 'li', 'span']);
const ITEM_END = /[/\\>|»›→·•\n]/;
/** Of a sentence, not of a name. */
const SENTENCE_END = /\p{L}{2}[.!?:;]$/u;

/**
 * Whether an element with a number of visible characters is the way from the start of a site to the page: `Home > Team`. It is named so, and
 * consists mostly of links, or of several short items. One that holds a heading may hold the title of the page.
 */
export function isTrail(element: HtmlElement, units: number): boolean {
  const names = `${attribute(element, 'id') ?? ''} ${attribute(element, 'class') ?? ''}`;
  if (!NAME.test(names) || units > MAX_UNITS || !isSmall(element)) return false;
  if (findElement(element, (node) => headingLevel(node) !== undefined) !== undefined) return false;
  return linkedUnits(element) * 2 >= units || areShort(itemsOf(element));
}

/** Trails inside of each other, each with all of the next, would be read again and again. */
function isSmall(element: HtmlElement): boolean {
  let nodes = 0;
  visit(element, () => (nodes += 1) <= MAX_NODES);
  return nodes <= MAX_NODES;
}

function linkedUnits(element: HtmlElement): number {
  let units = 0;
  visit(element, (node) => {
    if (!isElement(node) || isSkipped(node)) return false;
    if (node.tagName !== 'a') return true;
    units += visibleText(node).replace(/\s+/g, '').length;
    return false;
  });
  return units;
}

function areShort(items: readonly string[]): boolean {
  return items.length > 1 && items.every((item) => item.length <= MAX_ITEM_UNITS && !SENTENCE_END.test(item));
}

/** Texts between links, list items and separators. */
function itemsOf(element: HtmlElement): string[] {
  const items = visibleText(element).split(ITEM_END);
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/** Text with a line for each item that is marked as one. */
function visibleText(element: HtmlElement): string {
  let text = '';
  visit(element, (node) => {
    if (!isElement(node)) text += (textOf(node) ?? '').replace(/\s+/g, ' ');
    else if (isSkipped(node)) return false;
    else if (ITEM_TAGS.has(node.tagName)) text += '\n';
    return true;
  });
  return text;
}
