import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import type { ParseOutput } from '../output/parse-output.js';
import { MAX_BLOCK_UNITS } from '../scanning/block-scanner.js';
import { BlockWriter, type BlockShape } from './block-writer.js';
import {
  attribute,
  findElement,
  headingLevel,
  isBlockLevel,
  isElement,
  isSkipped,
  textOf,
  visibleLength,
  type HtmlElement,
  type HtmlNode,
} from './html-elements.js';
import { cellText, isLayoutTable, readTable } from './html-tables.js';

/** A main part with less of the text than this is taken for a teaser, and everything is read. */
const FAIR_SHARE = 0.4;

/** What the walk found besides text and blocks. */
export interface HtmlFindings {
  title?: string;
  tables: number;
  /** Characters left out as navigation, footer or side matter. */
  boilerplateUnits: number;
}

/** What a child inherits: the kind of block that loose text makes, and the list it is in. */
interface Context {
  shape: BlockShape;
  /** Marker of a list item that has not been written yet. */
  marker?: { text: string };
  listDepth: number;
  /** Number of the next item of an ordered list. */
  nextNumber?: { value: number };
  isPreformatted: boolean;
}

interface Frame {
  node: HtmlElement;
  next: number;
  context: Context;
}

/** Writes the text and blocks of an HTML document. Iterative: the depth of a document cannot exhaust the stack. */
export function writeHtml(html: string, output: ParseOutput): HtmlFindings {
  const document = parse(html);
  const root = document.childNodes.find((node): node is HtmlElement => isElement(node));
  if (root === undefined) return { tables: 0, boilerplateUnits: 0 };
  return new HtmlWalker(output).walk(root);
}

class HtmlWalker {
  private readonly writer: BlockWriter;
  private readonly output: ParseOutput;
  private readonly findings: HtmlFindings = { tables: 0, boilerplateUnits: 0 };
  private main: HtmlElement | undefined;

  constructor(output: ParseOutput) {
    this.output = output;
    this.writer = new BlockWriter(output);
  }

  walk(root: HtmlElement): HtmlFindings {
    this.main = findMain(root);
    this.findings.title = titleOf(root);
    const frames: Frame[] = [{ node: root, next: 0, context: rootContext() }];
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const child = frame.node.childNodes[frame.next];
      frame.next += 1;
      if (child === undefined) {
        if (isBlockLevel(frame.node)) this.writer.end();
        frames.pop();
      } else {
        const inside = this.enter(child, frame.context);
        if (inside !== undefined) frames.push({ node: child as HtmlElement, next: 0, context: inside });
      }
    }
    this.writer.end();
    return this.findings;
  }

  /** Handles a node; the context for its children, or undefined when they are not to be visited. */
  private enter(node: HtmlNode, context: Context): Context | undefined {
    const text = textOf(node);
    if (text !== undefined) this.takeText(text, context);
    if (!isElement(node) || isSkipped(node) || this.isBoilerplate(node)) return undefined;
    if (node.tagName === 'br') {
      this.writer.lineBreak();
      return undefined;
    }
    if (!isBlockLevel(node)) return node.tagName === 'code' ? withLanguage(context, node) : context;
    this.writer.end();
    if (node.tagName === 'table' && !isLayoutTable(node)) {
      this.writeTable(node);
      return undefined;
    }
    return contextOf(node, context);
  }

  private takeText(text: string, context: Context): void {
    if (!this.writer.hasText) {
      if (!/\S/.test(text)) return;
      this.writer.begin(context.shape, context.marker?.text ?? '');
      if (context.marker !== undefined) context.marker.text = '';
    }
    if (context.isPreformatted) this.writer.verbatim(text);
    else this.writer.text(text);
  }

  private writeTable(table: HtmlElement): void {
    this.findings.tables += 1;
    const caption = findElement(table, (element) => element.tagName === 'caption');
    if (caption !== undefined) {
      this.writer.begin({ kind: 'caption' });
      this.writer.text(cellText(caption));
    }
    this.writer.begin({ kind: 'table', row: 1 });
    let start = this.output.position;
    readTable(table).rows.forEach((cells, index) => {
      const line = cells.join(' | ');
      if (this.output.position + line.length - start > MAX_BLOCK_UNITS && this.writer.hasText) {
        this.writer.begin({ kind: 'table', row: index + 1 });
        start = this.output.position;
      }
      if (this.writer.hasText) this.writer.lineBreak();
      this.writer.verbatim(line);
    });
    this.writer.end();
  }

  /** Navigation, and side matter outside of the main part; only when there is a main part. */
  private isBoilerplate(element: HtmlElement): boolean {
    if (this.main === undefined) return false;
    const isSide = element.tagName === 'footer' || element.tagName === 'aside' || element.tagName === 'nav';
    if (!isSide || (element.tagName !== 'nav' && isInside(element, this.main))) return false;
    this.findings.boilerplateUnits += visibleLength(element);
    return true;
  }
}

function rootContext(): Context {
  return { shape: { kind: 'paragraph' }, listDepth: 0, isPreformatted: false };
}

/** What an element means for the text below it. */
function contextOf(element: HtmlElement, outer: Context): Context {
  const level = headingLevel(element);
  if (level !== undefined) return { ...outer, shape: { kind: 'heading', level }, marker: undefined };
  switch (element.tagName) {
    case 'ul':
    case 'menu':
      return { ...outer, listDepth: outer.listDepth + 1, nextNumber: undefined };
    case 'ol':
      return { ...outer, listDepth: outer.listDepth + 1, nextNumber: { value: firstNumber(element) } };
    case 'li':
      return itemContext(outer);
    case 'pre':
      return { ...outer, shape: { kind: 'code', language: languageOf(element) }, isPreformatted: true };
    case 'blockquote':
      return { ...outer, shape: { kind: 'quote' } };
    case 'figcaption':
    case 'caption':
      return { ...outer, shape: { kind: 'caption' } };
    default:
      return outer;
  }
}

function itemContext(outer: Context): Context {
  const number = outer.nextNumber;
  const text = number === undefined ? '- ' : `${number.value}. `;
  if (number !== undefined) number.value += 1;
  return { ...outer, shape: { kind: 'list_item', level: Math.max(outer.listDepth, 1) }, marker: { text } };
}

function firstNumber(list: HtmlElement): number {
  const start = Number.parseInt(attribute(list, 'start') ?? '1', 10);
  return Number.isFinite(start) ? start : 1;
}

/** `<pre><code class="language-x">` names the language on the inner element. */
function withLanguage(context: Context, code: HtmlElement): Context {
  const language = context.isPreformatted ? languageOf(code) : undefined;
  return language === undefined ? context : { ...context, shape: { ...context.shape, language } };
}

function languageOf(element: HtmlElement): string | undefined {
  return /(?:^|\s)(?:language|lang)-([\w+#.-]+)/.exec(attribute(element, 'class') ?? '')?.[1];
}

function titleOf(root: HtmlElement): string | undefined {
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

/** `main`, else the first `article`, when it holds a fair share of the visible text. */
function findMain(root: HtmlElement): HtmlElement | undefined {
  const main =
    findElement(root, (element) => element.tagName === 'main' || attribute(element, 'role') === 'main') ??
    findElement(root, (element) => element.tagName === 'article');
  return main !== undefined && visibleLength(main) >= visibleLength(root) * FAIR_SHARE ? main : undefined;
}

function isInside(element: HtmlElement, ancestor: HtmlElement): boolean {
  let node: DefaultTreeAdapterTypes.ParentNode | null = element;
  while (node !== null && node !== ancestor) node = 'parentNode' in node ? node.parentNode : null;
  return node !== null;
}
