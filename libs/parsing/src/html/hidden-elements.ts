import {
  attribute,
  isElement,
  isHidden,
  isSkipped,
  taskMark,
  textOf,
  visit,
  type HtmlElement,
} from './html-elements.js';
import { blocksOf, type StyleBlock } from './style-sheet.js';

/** What one rule says of the display of an element. */
interface DisplayRule {
  /** Of the element itself; ids, classes and the name that it has to have. */
  readonly compound: Compound;
  /** What has to be around it, from the inside out. */
  readonly around: readonly Around[];
  readonly hides: boolean;
  /** Important ones first, then the more special, then the later. */
  readonly weight: readonly [important: number, ids: number, classes: number, names: number, order: number];
}

interface Compound {
  readonly name: string;
  readonly ids: readonly string[];
  readonly classes: readonly string[];
}

const STRIKES: ReadonlySet<string> = new Set(['del', 's', 'strike']);
/** An element, and whether it is the very next one around or any. */
interface Around {
  readonly compound: Compound;
  readonly isParent: boolean;
}

/** Elements around one that are looked at. */
const MOST_AROUND = 64;
const MOST_CLASS_UNITS = 2_000;
const MOST_RULES = 4_000;
/** Rules for one id, class or name; of more, nothing is believed. */
const MOST_RULES_FOR_ONE = 32;
const MOST_SELECTOR_UNITS = 300;
const MOST_CLASSES = 50;
/** When more of the text than this would go, as while a page waits for its scripts, the rules are not believed. */
const MOST_HIDDEN_SHARE = 0.5;
/** A page that strikes out nearly all of itself is kept as a record. */
const MOST_STRUCK_SHARE = 0.75;
const NEVER_HIDDEN: ReadonlySet<string> = new Set(['html', 'body', 'main']);
const COMPOUND = /^(?<name>[a-z][\w-]*|\*)?(?<marks>(?:[.#][\w-]+)*)$/i;

/**
 * Marks what a page strikes out, by an element or by the style of one: it is withdrawn. Words that stay for what is done, behind the mark of a task
 * that is ticked off, are not marked, and none are where they are nearly all of the page. Gives the characters in those marked, white space not
 * counted. Linear.
 */
export function markStruckOut(root: HtmlElement): number {
  const struck: HtmlElement[] = [];
  let [all, gone] = [0, 0];
  visit(root, (node) => {
    if (!isElement(node)) {
      all += lengthOf(textOf(node));
      return false;
    }
    if (node !== root && isSkipped(node)) return false;
    if (!isStruckOut(node) || isOfTask(node)) return true;
    struck.push(node);
    gone += unitsOf(node);
    return false;
  });
  if (gone > (all + gone) * MOST_STRUCK_SHARE) return 0;
  for (const element of struck) element.attrs.push({ name: 'hidden', value: '' });
  return gone;
}

function isStruckOut(element: HtmlElement): boolean {
  if (STRIKES.has(element.tagName)) return true;
  return /(?:^|;)\s*text-decoration(?:-line)?\s*:[^;]*\bline-through\b/i.test(attribute(element, 'style') ?? '');
}

/** In an item of a list of tasks. */
function isOfTask(element: HtmlElement): boolean {
  let at = element.parentNode;
  for (let steps = 0; steps < MOST_AROUND && at !== null && 'tagName' in at; steps += 1, at = at.parentNode) {
    if (at.tagName !== 'li') continue;
    const isTask = taskMark(at) !== undefined;
    return isTask || at.childNodes.some((child) => isElement(child) && taskMark(child) !== undefined);
  }
  return false;
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

/** The characters in elements that say of themselves that they are not shown, white space not counted. Linear. */
export function countHidden(root: HtmlElement): number {
  let units = 0;
  visit(root, (node) => {
    if (!isElement(node)) return false;
    if (!isHidden(node)) return node === root || !isSkipped(node);
    for (const child of node.childNodes) units += isElement(child) ? unitsOf(child) : lengthOf(textOf(child));
    return false;
  });
  return units;
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
        if (!isOf(rule, element.tagName, id, classes) || !isWithin(element, rule.around)) continue;
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
      const around = hides ? rule.around : [];
      const isConditional = rule.isConditional || counts === 'perhaps';
      // What may hide does not, what may show does.
      if (hides && isConditional) continue;
      this.count += 1;
      this.hasHiding ||= hides;
      const weight = [important === undefined ? 0 : 1, ...specificity, this.count] as const;
      for (const mark of marksOf(compound, hides)) {
        const those = this.byMark.get(mark) ?? [];
        if (those.length < MOST_RULES_FOR_ONE) those.push({ compound, around, hides, weight });
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
  readonly around: readonly Around[];
  readonly isConditional: boolean;
  readonly specificity: readonly [ids: number, classes: number, names: number];
}

/** The element that a selector is for, and those around it; undefined where it is for none, or for what is before and behind it. */
function readSelector(selector: string): ReadSelector | undefined {
  if (selector === '' || selector.length > MOST_SELECTOR_UNITS || selector.includes('::')) return undefined;
  const last = selector.split(/[\s>+~]+/).at(-1)!;
  const plain = withoutConditions(last);
  if (/:(?:before|after|first-line|first-letter)$/i.test(last)) return undefined;
  const compound = readCompound(plain);
  if (compound === undefined) return undefined;
  const around = plain === last ? readAround(selector.slice(0, -last.length)) : undefined;
  return {
    compound,
    around: around ?? [],
    isConditional: around === undefined,
    specificity: [
      selector.split('#').length - 1,
      selector.split(/[.[]|:(?!:)/).length - 1,
      selector.match(/(?:^|[\s>+~])[a-z]/gi)?.length ?? 0,
    ],
  };
}

function withoutConditions(text: string): string {
  return text.replace(/\[[^\]]*\]|:[\w-]+(?:\([^)]*\))?/g, '');
}

/** The name, ids and classes of a part of a selector; undefined where it says more than these. */
function readCompound(part: string): Compound | undefined {
  const { name, marks = '' } = COMPOUND.exec(part)?.groups ?? {};
  if (name === undefined && marks === '' && part !== '') return undefined;
  return {
    name: (name ?? '*').toLowerCase(),
    ids: [...marks.matchAll(/#([\w-]+)/g)].map(([, id]) => id!),
    classes: [...marks.matchAll(/\.([\w-]+)/g)].map(([, one]) => one!),
  };
}

/** What `.a > .b ` asks to be around an element; undefined where that depends on more than names, ids and classes. */
function readAround(before: string): Around[] | undefined {
  const around: Around[] = [];
  let isParent = false;
  for (const part of before.replaceAll('>', ' > ').trim().split(/\s+/).toReversed()) {
    if (part === '>') isParent = true;
    else if (part !== '') {
      const compound = readCompound(part);
      if (compound === undefined) return undefined;
      around.push({ compound, isParent });
      isParent = false;
    }
  }
  return around;
}

/** Whether elements are around one as a rule asks. The nearest that fits is taken for each, so that rules which mix `>` and blanks may be missed. */
function isWithin(element: HtmlElement, around: readonly Around[]): boolean {
  let node = element.parentNode;
  let steps = 0;
  for (const { compound, isParent } of around) {
    let isFound = false;
    while (!isFound && node !== null && 'tagName' in node && steps < MOST_AROUND) {
      isFound = isCompound(node, compound);
      node = node.parentNode;
      steps += 1;
      if (isParent && !isFound) return false;
    }
    if (!isFound) return false;
  }
  return true;
}

function isCompound(element: HtmlElement, { name, ids, classes }: Compound): boolean {
  if (name !== '*' && name !== element.tagName) return false;
  const own = (attribute(element, 'class') ?? '').slice(0, MOST_CLASS_UNITS).split(/\s+/);
  return ids.every((id) => id === attribute(element, 'id')) && classes.every((one) => own.includes(one));
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
