import { attribute, isElement, isSkipped, textOf, visit, type HtmlElement } from './html-elements.js';
import { blocksOf, type StyleBlock } from './style-sheet.js';

/** What one rule says of the display of an element. */
interface DisplayRule {
  /** Of the element itself; ids, classes and the name that it has to have. */
  readonly compound: Compound;
  readonly hides: boolean;
  /** Important ones first, then the more special, then the later. */
  readonly weight: readonly [important: number, ids: number, classes: number, names: number, order: number];
}

interface Compound {
  readonly name: string;
  readonly ids: readonly string[];
  readonly classes: readonly string[];
}

const MOST_RULES = 4_000;
/** Rules for one id, class or name; of more, nothing is believed. */
const MOST_RULES_FOR_ONE = 32;
const MOST_SELECTOR_UNITS = 300;
const MOST_CLASSES = 50;
/** When more of the text than this would go, as while a page waits for its scripts, the rules are not believed. */
const MOST_HIDDEN_SHARE = 0.5;
const NEVER_HIDDEN: ReadonlySet<string> = new Set(['html', 'body', 'main']);
const COMPOUND = /^(?<name>[a-z][\w-]*|\*)?(?<marks>(?:[.#][\w-]+)*)$/i;

/** Marks what a page strikes out and replaces beside it: `<del>12</del> <ins>14</ins>` says 14. Linear. */
export function markReplaced(root: HtmlElement): void {
  visit(root, (node) => {
    if (!isElement(node)) return false;
    let struck: HtmlElement | undefined;
    for (const child of node.childNodes) {
      if (!isElement(child)) {
        if (/\S/.test(textOf(child) ?? '')) struck = undefined;
        continue;
      }
      if (child.tagName === 'ins') struck?.attrs.push({ name: 'hidden', value: '' });
      struck = child.tagName === 'del' ? child : undefined;
    }
    return true;
  });
}

/**
 * Marks elements as hidden that a page's own rules never display: by the name of the element, classes and ids. One that any other rule may display, for
 * instance when a tab or a menu is open, stays. Gives the visible characters in those marked, white space not counted. Linear.
 */
export function markHidden(root: HtmlElement, css: string): number {
  const rules = DisplayRules.of(css);
  if (rules === undefined) return 0;
  const hidden: HtmlElement[] = [];
  let [all, gone] = [0, 0];
  visit(root, (node) => {
    if (!isElement(node)) {
      all += lengthOf(textOf(node));
      return false;
    }
    if (node !== root && isSkipped(node)) return false;
    if (NEVER_HIDDEN.has(node.tagName) || !rules.hide(node)) return true;
    hidden.push(node);
    gone += unitsOf(node);
    return false;
  });
  if (gone > (all + gone) * MOST_HIDDEN_SHARE) return 0;
  for (const element of hidden) element.attrs.push({ name: 'hidden', value: '' });
  return gone;
}

class DisplayRules {
  private readonly byMark = new Map<string, DisplayRule[]>();
  private count = 0;
  private hasHiding = false;

  /** Undefined where nothing is hidden. */
  static of(css: string): DisplayRules | undefined {
    if (!/display\s*:\s*none/i.test(css)) return undefined;
    const rules = new DisplayRules();
    for (const block of blocksOf(css)) rules.read(block);
    return rules.hasHiding ? rules : undefined;
  }

  /** Whether the rules surely hide an element. */
  hide(element: HtmlElement): boolean {
    const classes = (attribute(element, 'class') ?? '').split(/\s+/).slice(0, MOST_CLASSES);
    const id = attribute(element, 'id') ?? '';
    const marks = [element.tagName, '*', `#${id}`, ...classes.map((name) => `.${name}`)];
    let first: DisplayRule | undefined;
    for (const mark of new Set(marks)) {
      const rules = this.byMark.get(mark) ?? [];
      if (rules.length >= MOST_RULES_FOR_ONE) return false;
      for (const rule of rules) {
        if (!isOf(rule, element.tagName, id, classes)) continue;
        if (first === undefined || outweighs(rule, first)) first = rule;
      }
    }
    return first?.hides === true && !/(?:^|;)\s*display\s*:/i.test(attribute(element, 'style') ?? '');
  }

  private read({ selectors, body, counts }: StyleBlock): void {
    const [, value = '', important] = /(?:^|;)\s*display\s*:\s*([\w-]+)\s*(!\s*important)?/i.exec(body) ?? [];
    if (value === '' || selectors.startsWith('@')) return;
    const hides = value.toLowerCase() === 'none';
    for (const selector of selectors.split(',')) {
      const rule = this.count >= MOST_RULES ? undefined : readSelector(selector.trim());
      if (rule === undefined) continue;
      const { compound, specificity } = rule;
      const isConditional = rule.isConditional || counts === 'perhaps';
      // What may hide does not, what may show does.
      if (hides && isConditional) continue;
      this.count += 1;
      this.hasHiding ||= hides;
      const weight = [important === undefined ? 0 : 1, ...specificity, this.count] as const;
      for (const mark of marksOf(compound, hides)) {
        const those = this.byMark.get(mark) ?? [];
        if (those.length < MOST_RULES_FOR_ONE) those.push({ compound, hides, weight });
        this.byMark.set(mark, those);
      }
    }
  }
}

/** What a rule is found by. One that shows is found by each class: the others may be given to the element when it is opened. */
function marksOf({ name, ids, classes }: Compound, hides: boolean): string[] {
  if (ids.length > 0) return [`#${ids[0]!}`];
  if (classes.length === 0) return [name];
  return classes.slice(0, hides ? 1 : MOST_CLASSES).map((one) => `.${one}`);
}

interface ReadSelector {
  readonly compound: Compound;
  readonly isConditional: boolean;
  readonly specificity: readonly [ids: number, classes: number, names: number];
}

/** The element that a selector is for; undefined where it is for none, or for what is before and behind it. */
function readSelector(selector: string): ReadSelector | undefined {
  if (selector === '' || selector.length > MOST_SELECTOR_UNITS || selector.includes('::')) return undefined;
  const last = selector.split(/[\s>+~]+/).at(-1)!;
  const plain = last.replace(/\[[^\]]*\]|:[\w-]+(?:\([^)]*\))?/g, '');
  if (/:(?:before|after|first-line|first-letter)$/i.test(last)) return undefined;
  const { name, marks = '' } = COMPOUND.exec(plain)?.groups ?? {};
  if (name === undefined && marks === '' && plain !== '') return undefined;
  const ids = [...marks.matchAll(/#([\w-]+)/g)].map(([, id]) => id!);
  const classes = [...marks.matchAll(/\.([\w-]+)/g)].map(([, one]) => one!);
  return {
    compound: { name: (name ?? '*').toLowerCase(), ids, classes },
    isConditional: plain !== selector,
    specificity: [
      selector.split('#').length - 1,
      selector.split(/[.[]|:(?!:)/).length - 1,
      selector.match(/(?:^|[\s>+~])[a-z]/gi)?.length ?? 0,
    ],
  };
}

function isOf({ compound, hides }: DisplayRule, tag: string, id: string, own: readonly string[]): boolean {
  const { name, ids, classes } = compound;
  if ((name !== '*' && name !== tag) || !ids.every((one) => one === id)) return false;
  return (
    classes.length === 0 ||
    (hides ? classes.every((one) => own.includes(one)) : classes.some((one) => own.includes(one)))
  );
}

function outweighs(one: DisplayRule, other: DisplayRule): boolean {
  const at = one.weight.findIndex((value, index) => value !== other.weight[index]);
  return at >= 0 && one.weight[at]! > other.weight[at]!;
}

function unitsOf(element: HtmlElement): number {
  let units = 0;
  visit(element, (node) => {
    units += lengthOf(textOf(node));
    return !isElement(node) || !isSkipped(node);
  });
  return units;
}

function lengthOf(text: string | undefined): number {
  return text === undefined ? 0 : text.replace(/\s+/g, '').length;
}
