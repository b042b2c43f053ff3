import { attribute, isElement, isSkipped, textOf, visit, type HtmlElement, type HtmlNode } from './html-elements.js';
import { isTrail } from './trail.js';

/** Nodes that are no part of what a page is about. */
export interface Boilerplate {
  nodes: ReadonlySet<HtmlNode>;
  /** Visible characters in them, white space not counted. */
  units: number;
}

export const NO_BOILERPLATE: Boilerplate = { nodes: new Set(), units: 0 };

/** When more of the text than this would go, the marks of the page are not believed and everything stays. */
const MAX_DROPPED_SHARE = 0.5;
const SIDE_ROLES: ReadonlySet<string> = new Set(['navigation', 'banner', 'contentinfo', 'complementary', 'search']);
const CONSENT =
  /(?:^|[\s_-])(?:cookie|consent|gdpr|onetrust|cookiebot)(?:[\s_-]?(?:banner|bar|notice|popup|modal|dialog|overlay|consent|law|message|sdk|container|info))?(?:$|[\s_-])/i;
/** A longer "consent banner" is a page about cookies. */
const MAX_CONSENT_UNITS = 3000;

/** A part with fewer characters of its own ("Loading…") says nothing of where the content of the page is. */
const LEAST_OWN_UNITS = 20;

/**
 * Finds navigation, headers, footers, side matter and consent banners by elements, roles and names. Headers and footers
 * count only where they belong to the page: those of an article or of the main part are content, and so is a header that
 * holds the page's only main heading. A page with one main part, or one article, that has text of its own is believed: nothing else
 * is what it is about, however long that is. Without one the marks are believed as long as half of the text stays.
 * Linear in the size of the document.
 */
export function findBoilerplate(root: HtmlElement): Boilerplate {
  const page = new PageMeasures(root);
  const sides = findSides(root, page);
  const part = page.mainPart;
  if (part !== undefined) {
    const inside = findSides(part, page);
    const isBelieved = page.unitsOf(part) - inside.units >= LEAST_OWN_UNITS;
    if (isBelieved && outweighs(part, page, sides)) return withAllAround(root, part, page, inside);
  }
  return sides.units > page.unitsOf(root) * MAX_DROPPED_SHARE ? NO_BOILERPLATE : sides;
}

function findSides(root: HtmlElement, page: PageMeasures): Boilerplate {
  const nodes = new Set<HtmlNode>();
  let units = 0;
  visit(root, (node) => {
    if (!isElement(node) || isSkipped(node)) return false;
    if (!isSide(node, page)) return true;
    nodes.add(node);
    units += page.unitsOf(node);
    return false;
  });
  return { nodes, units };
}

/** A main part is what its page is about. An article may be a teaser beside text without any mark: it is longer than that. */
function outweighs(part: HtmlElement, page: PageMeasures, sides: Boilerplate): boolean {
  if (isMain(part)) return true;
  const unmarked = page.unitsOf(page.root) - sides.units - page.unitsOf(part);
  return unmarked <= page.unitsOf(part);
}

/** Whatever is around the part, but for a header that holds the only main heading, and the sides in both. */
function withAllAround(root: HtmlElement, part: HtmlElement, page: PageMeasures, inside: Boilerplate): Boilerplate {
  const around = new Set<HtmlNode>(page.pathOf(part));
  const nodes = new Set(inside.nodes);
  let { units } = inside;
  visit(root, (node) => {
    if (node === part) return false;
    if (isElement(node) && around.has(node)) return true;
    if (isElement(node) && isSkipped(node)) return false;
    if (isElement(node) && page.holdsOnlyHeading(node)) {
      const sides = findSides(node, page);
      for (const side of sides.nodes) nodes.add(side);
      units += sides.units;
    } else {
      nodes.add(node);
      units += isElement(node) ? page.unitsOf(node) : lengthOf(textOf(node));
    }
    return false;
  });
  return { nodes, units };
}

function isSide(element: HtmlElement, page: PageMeasures): boolean {
  if (element.tagName === 'body' || element.tagName === 'html' || element.tagName === 'main') return false;
  const role = attribute(element, 'role')?.trim().toLowerCase();
  if (role === 'main' || role === 'article') return false;
  if (element.tagName === 'nav' || role === 'navigation') return true;
  if (isConsent(element, role, page) || isTrail(element, page.unitsOf(element))) return true;
  const isNamed =
    ['header', 'footer', 'aside'].includes(element.tagName) ||
    (role !== undefined && SIDE_ROLES.has(role)) ||
    (element.tagName === 'div' && attribute(element, 'id')?.toLowerCase() === 'footer');
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
  readonly root: HtmlElement;
  private readonly units = new Map<HtmlElement, number>();
  private readonly content = new Set<HtmlElement>();
  private readonly headingPath: ReadonlySet<HtmlElement>;
  private readonly mains: HtmlElement[] = [];
  private readonly articles: HtmlElement[] = [];

  constructor(root: HtmlElement) {
    this.root = root;
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
      this.notePart(node);
      return true;
    });
    for (const element of order.toReversed()) if (element !== root) this.add(element.parentNode, this.unitsOf(element));
    this.headingPath = new Set(headings.length === 1 ? this.pathOf(headings[0]!) : []);
  }

  /** Parts within parts, such as comments below an article, are no parts of the page. */
  private notePart(node: HtmlElement): void {
    if (this.content.has(node)) return;
    if (isMain(node)) this.mains.push(node);
    else if (node.tagName === 'article') this.articles.push(node);
  }

  /** The only main part of the page, or else its only article. */
  get mainPart(): HtmlElement | undefined {
    const parts = this.mains.length === 0 ? this.articles : this.mains;
    return parts.length === 1 ? parts[0] : undefined;
  }

  /** An element and those that it is in. */
  pathOf(element: HtmlElement): HtmlElement[] {
    const path: HtmlElement[] = [];
    for (let node: HtmlNode['parentNode'] = element; isElementNode(node); node = node.parentNode) path.push(node);
    return path;
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
}

function isElementNode(node: HtmlNode['parentNode']): node is HtmlElement {
  return node !== null && 'tagName' in node;
}

function isMain(element: HtmlElement): boolean {
  return element.tagName === 'main' || attribute(element, 'role') === 'main';
}

function isContentRoot(element: HtmlElement): boolean {
  return isMain(element) || element.tagName === 'article';
}

function lengthOf(text: string | undefined): number {
  return text === undefined ? 0 : text.replace(/\s+/g, '').length;
}
