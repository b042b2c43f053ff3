import { attribute, findElement, isElement, isSkipped, textOf, visit, type HtmlElement } from './html-elements.js';

/** Elements that are no part of what a page is about. */
export interface Boilerplate {
  elements: ReadonlySet<HtmlElement>;
  /** Visible characters in them, white space not counted. */
  units: number;
}

export const NO_BOILERPLATE: Boilerplate = { elements: new Set(), units: 0 };

/** When more of the text than this would go, the marks of the page are not believed and everything stays. */
const MAX_DROPPED_SHARE = 0.5;
const SIDE_ROLES: ReadonlySet<string> = new Set(['navigation', 'banner', 'contentinfo', 'complementary', 'search']);
const CONSENT =
  /(?:^|[\s_-])(?:cookie|consent|gdpr|onetrust|cookiebot)(?:[\s_-]?(?:banner|bar|notice|popup|modal|dialog|overlay|consent|law|message|sdk|container|info))?(?:$|[\s_-])/i;
/** A longer "consent banner" is a page about cookies. */
const MAX_CONSENT_UNITS = 3000;

/**
 * Finds navigation, headers, footers, side matter and consent banners by elements, roles and names. Headers and footers
 * count only where they belong to the page: those of an article or of the main part are content, and so is a header that
 * holds the page's only main heading.
 */
export function findBoilerplate(root: HtmlElement): Boilerplate {
  const elements = new Set<HtmlElement>();
  const contents = contentElements(root);
  const isLonelyHeading = countElements(root, 'h1') === 1;
  let units = 0;
  let total = 0;
  visit(root, (node) => {
    total += lengthOf(textOf(node));
    if (!isElement(node)) return false;
    if (isSkipped(node)) return false;
    if (isSide(node, contents, isLonelyHeading)) {
      const length = visibleUnits(node);
      elements.add(node);
      units += length;
      total += length;
      return false;
    }
    return true;
  });
  return units > total * MAX_DROPPED_SHARE ? NO_BOILERPLATE : { elements, units };
}

function isSide(element: HtmlElement, contents: ReadonlySet<HtmlElement>, isLonelyHeading: boolean): boolean {
  if (element.tagName === 'body' || element.tagName === 'html' || element.tagName === 'main') return false;
  const role = attribute(element, 'role')?.trim().toLowerCase();
  if (role === 'main' || role === 'article') return false;
  if (element.tagName === 'nav' || role === 'navigation') return true;
  if (isConsent(element, role)) return true;
  const isNamed =
    ['header', 'footer', 'aside'].includes(element.tagName) || (role !== undefined && SIDE_ROLES.has(role));
  if (!isNamed || contents.has(element)) return false;
  return !(isLonelyHeading && findElement(element, ({ tagName }) => tagName === 'h1') !== undefined);
}

function isConsent(element: HtmlElement, role: string | undefined): boolean {
  const names = `${attribute(element, 'id') ?? ''} ${attribute(element, 'class') ?? ''}`;
  if (!CONSENT.test(names) && !(role === 'dialog' && /cookie|consent/i.test(attribute(element, 'aria-label') ?? '')))
    return false;
  return visibleUnits(element) <= MAX_CONSENT_UNITS;
}

/** Everything inside of a main part or an article. */
function contentElements(root: HtmlElement): Set<HtmlElement> {
  const inside = new Set<HtmlElement>();
  visit(root, (node) => {
    if (!isElement(node)) return false;
    const isContent = node.tagName === 'main' || node.tagName === 'article' || attribute(node, 'role') === 'main';
    if (!isContent) return true;
    visit(node, (inner) => {
      if (isElement(inner)) inside.add(inner);
      return true;
    });
    return false;
  });
  return inside;
}

function countElements(root: HtmlElement, tagName: string): number {
  let count = 0;
  visit(root, (node) => {
    if (isElement(node) && node.tagName === tagName) count += 1;
    return true;
  });
  return count;
}

function visibleUnits(root: HtmlElement): number {
  let length = 0;
  visit(root, (node) => {
    length += lengthOf(textOf(node));
    return !(isElement(node) && isSkipped(node));
  });
  return length;
}

function lengthOf(text: string | undefined): number {
  return text === undefined ? 0 : text.replace(/\s+/g, '').length;
}
