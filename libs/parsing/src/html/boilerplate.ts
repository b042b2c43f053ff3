import { attribute, isElement, isSkipped, textOf, visit, type HtmlElement, type HtmlNode } from './html-elements.js';

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
 * holds the page's only main heading. Linear in the size of the document.
 */
export function findBoilerplate(root: HtmlElement): Boilerplate {
  const page = new PageMeasures(root);
  const elements = new Set<HtmlElement>();
  let units = 0;
  visit(root, (node) => {
    if (!isElement(node) || isSkipped(node)) return false;
    if (!isSide(node, page)) return true;
    elements.add(node);
    units += page.unitsOf(node);
    return false;
  });
  return units > page.unitsOf(root) * MAX_DROPPED_SHARE ? NO_BOILERPLATE : { elements, units };
}

function isSide(element: HtmlElement, page: PageMeasures): boolean {
  if (element.tagName === 'body' || element.tagName === 'html' || element.tagName === 'main') return false;
  const role = attribute(element, 'role')?.trim().toLowerCase();
  if (role === 'main' || role === 'article') return false;
  if (element.tagName === 'nav' || role === 'navigation') return true;
  if (isConsent(element, role, page)) return true;
  const isNamed =
    ['header', 'footer', 'aside'].includes(element.tagName) || (role !== undefined && SIDE_ROLES.has(role));
  return isNamed && !page.isContent(element) && !page.holdsOnlyHeading(element);
}

function isConsent(element: HtmlElement, role: string | undefined, page: PageMeasures): boolean {
  const names = `${attribute(element, 'id') ?? ''} ${attribute(element, 'class') ?? ''}`;
  const isNamed = CONSENT.test(names);
  if (!isNamed && !(role === 'dialog' && /cookie|consent/i.test(attribute(element, 'aria-label') ?? ''))) return false;
  return page.unitsOf(element) <= MAX_CONSENT_UNITS;
}

/** What has to be known of a whole page before its parts are judged. */
class PageMeasures {
  private readonly units = new Map<HtmlElement, number>();
  private readonly content = new Set<HtmlElement>();
  private readonly headingPath = new Set<HtmlElement>();

  constructor(root: HtmlElement) {
    const headings: HtmlElement[] = [];
    const order: HtmlElement[] = [];
    visit(root, (node) => {
      if (!isElement(node)) {
        this.add(node.parentNode, lengthOf(textOf(node)));
        return false;
      }
      if (node !== root && isSkipped(node)) return false;
      order.push(node);
      this.units.set(node, 0);
      if (isElementNode(node.parentNode) && (isContentRoot(node.parentNode) || this.content.has(node.parentNode))) {
        this.content.add(node);
      }
      if (node.tagName === 'h1') headings.push(node);
      return true;
    });
    for (const element of order.toReversed()) if (element !== root) this.add(element.parentNode, this.unitsOf(element));
    if (headings.length === 1) this.remember(headings[0]!);
  }

  /** Visible characters, white space not counted. */
  unitsOf(element: HtmlElement): number {
    return this.units.get(element) ?? 0;
  }

  /** Whether an element lies in a main part or an article. */
  isContent(element: HtmlElement): boolean {
    return this.content.has(element);
  }

  /** Whether the only main heading of the page is in an element. */
  holdsOnlyHeading(element: HtmlElement): boolean {
    return this.headingPath.has(element);
  }

  private add(parent: HtmlNode['parentNode'], units: number): void {
    if (isElementNode(parent)) this.units.set(parent, this.unitsOf(parent) + units);
  }

  private remember(heading: HtmlElement): void {
    for (let node: HtmlNode['parentNode'] = heading; isElementNode(node); node = node.parentNode) {
      this.headingPath.add(node);
    }
  }
}

function isElementNode(node: HtmlNode['parentNode']): node is HtmlElement {
  return node !== null && 'tagName' in node;
}

function isContentRoot(element: HtmlElement): boolean {
  return element.tagName === 'main' || element.tagName === 'article' || attribute(element, 'role') === 'main';
}

function lengthOf(text: string | undefined): number {
  return text === undefined ? 0 : text.replace(/\s+/g, '').length;
}
