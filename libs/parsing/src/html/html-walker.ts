import type { ParseOutput } from '../output/parse-output.js';
import { MAX_BLOCK_UNITS } from '../scanning/block-scanner.js';
import { BlockWriter, type BlockShape } from './block-writer.js';
import { findBoilerplate, NO_BOILERPLATE, type Boilerplate } from './boilerplate.js';
import {
  attribute,
  findElement,
  headingLevel,
  isBlockLevel,
  isDrawnLabel,
  isElement,
  isHidden,
  isSkipped,
  languageOfClass,
  taskMark,
  textOf,
  type HtmlElement,
  type HtmlNode,
} from './html-elements.js';
import { countHidden, markHidden, markStruckOut } from './hidden-elements.js';
import { openInnerPages } from './inner-pages.js';
import { linkAddress } from './html-links.js';
import { cellText, holdsTable, isLayoutTable, readTable } from './html-tables.js';
import { joinCells } from '../output/row-writer.js';
import { parseHtmlTree } from './parse-html-tree.js';
import { cssOf } from './style-sheet.js';
import { PLAIN_LOOK, StyleRules, unseenLook, type TextLook } from './unseen-style.js';

/** What the walk found besides text and blocks. */
export interface HtmlFindings {
  title?: string;
  /** The language that the document declares. */
  language?: string;
  tables: number;
  tableRows: number;
  images: number;
  /** Characters left out as navigation, header, footer, side matter or consent banner. */
  boilerplateUnits: number;
  /** Characters left out since they are never displayed, by what their elements or the rules of the page say. */
  hiddenUnits: number;
  /** Characters that are struck out, white space not counted. */
  struckUnits: number;
}

/** Where a message begins to say what others said. */
export interface HtmlQuotation {
  /** Who said it, and when; empty where that is not known. */
  readonly source: string;
  /** The element says nothing else; what is quoted follows it. */
  readonly isHeader: boolean;
}

/** How a document is read. */
export interface HtmlOptions {
  /** Read everything that is visible, for sources without navigation (books, messages, converted documents). */
  keepsAll?: boolean;
  /** CSS that a saved page has beside it. */
  css?: string;
  /** Finds quotations of a message: each is a section of its own. */
  quotationsIn?: (root: HtmlElement) => ReadonlyMap<HtmlElement, HtmlQuotation>;
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
  look: TextLook;
  /** The text around is in a table that has been written already. */
  isWritten?: boolean;
}

interface Frame {
  node: HtmlElement;
  next: number;
  context: Context;
}

/** Writes the text and blocks of an HTML document. Iterative: the depth of a document cannot exhaust the stack. */
export function writeHtml(html: string, output: ParseOutput, options: HtmlOptions = {}): HtmlFindings {
  const document = parseHtmlTree(html);
  const root = document.childNodes.find((node): node is HtmlElement => isElement(node));
  if (root === undefined) return noFindings();
  openInnerPages(root);
  const css = `${options.css ?? ''}\n${cssOf(root)}`;
  const hiddenByItself = countHidden(root);
  const struckUnits = markStruckOut(root);
  const hiddenUnits = hiddenByItself + markHidden(root, css);
  const boilerplate = options.keepsAll === true ? NO_BOILERPLATE : findBoilerplate(root);
  const quotations = options.quotationsIn?.(root) ?? new Map<HtmlElement, HtmlQuotation>();
  const walker = new HtmlWalker(output, boilerplate, StyleRules.of(css), quotations);
  return { ...walker.walk(root), hiddenUnits, struckUnits };
}

function noFindings(): HtmlFindings {
  return { tables: 0, tableRows: 0, images: 0, boilerplateUnits: 0, hiddenUnits: 0, struckUnits: 0 };
}

class HtmlWalker {
  private readonly writer: BlockWriter;
  private readonly output: ParseOutput;
  private readonly boilerplate: Boilerplate;
  private readonly styles: StyleRules;
  private readonly quotations: ReadonlyMap<HtmlElement, HtmlQuotation>;
  private isQuoting = false;
  private readonly findings: HtmlFindings = noFindings();

  constructor(
    output: ParseOutput,
    boilerplate: Boilerplate,
    styles: StyleRules,
    quotations: ReadonlyMap<HtmlElement, HtmlQuotation>,
  ) {
    this.quotations = quotations;
    this.output = output;
    this.styles = styles;
    this.boilerplate = boilerplate;
    this.writer = new BlockWriter(output);
  }

  walk(root: HtmlElement): HtmlFindings {
    this.findings.title = titleOf(root);
    this.findings.language = attribute(root, 'lang') ?? attribute(root, 'xml:lang');
    this.findings.boilerplateUnits = this.boilerplate.units;
    const frames: Frame[] = [{ node: root, next: 0, context: this.withLook(rootContext(), root) }];
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const child = frame.node.childNodes[frame.next];
      frame.next += 1;
      if (child === undefined) {
        if (isBlockLevel(frame.node)) this.writer.end();
        else this.takeAddress(frame.node, frame.context);
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
    if (this.boilerplate.nodes.has(node)) return undefined;
    const text = textOf(node);
    if (text !== undefined) this.takeText(text, context);
    const task = isElement(node) && node.tagName === 'input' && !isHidden(node) ? taskMark(node) : undefined;
    if (task !== undefined) this.takeText(task, context);
    if (!isElement(node) || isSkipped(node)) return undefined;
    const quotation = this.quotations.get(node);
    if (quotation !== undefined) this.writeQuotation(quotation);
    if (quotation?.isHeader === true) return undefined;
    if (node.tagName === 'br') {
      this.writer.lineBreak();
      return undefined;
    }
    if (node.tagName === 'img') this.takeImage(node, context);
    if (isDrawnLabel(node)) this.takeText(' ', context);
    const looking = this.withLook(context, node);
    if (!isBlockLevel(node)) return node.tagName === 'code' ? withLanguage(looking, node) : looking;
    this.writer.end();
    return node.tagName === 'table' ? this.enterTable(node, looking) : contextOf(node, looking);
  }

  /** A table with data is written at once; tables in its cells follow it. */
  private enterTable(table: HtmlElement, outer: Context): Context | undefined {
    const context = { ...outer, isWritten: false };
    if (isLayoutTable(table)) return context;
    // Cells become text all together, so what is not seen in them is noted before.
    for (const unseen of this.styles.unseenIn(table, context.look)) this.output.noteUnseen(unseen.text, unseen.look);
    this.writeTable(table);
    return holdsTable(table) ? { ...context, isWritten: true } : undefined;
  }

  private withLook(context: Context, element: HtmlElement): Context {
    const look = this.styles.lookOf(element, context.look);
    return look === context.look ? context : { ...context, look };
  }

  private takeText(text: string, context: Context): void {
    if (context.isWritten === true) return;
    const unseen = unseenLook(context.look);
    if (unseen !== undefined) this.output.noteUnseen(text, unseen);
    if (!this.writer.hasText) {
      if (!/\S/.test(text)) return;
      const isQuote = this.isQuoting && context.shape.kind === 'paragraph';
      this.writer.begin(isQuote ? { ...context.shape, kind: 'quote' } : context.shape, context.marker?.text ?? '');
      if (context.marker !== undefined) context.marker.text = '';
    }
    if (context.isPreformatted) this.writer.verbatim(text);
    else this.writer.text(text);
  }

  private writeQuotation({ source }: HtmlQuotation): void {
    this.writer.end();
    this.writer.begin({ kind: 'heading', level: 2 });
    this.writer.text(source === '' ? 'Quoted' : `Quoted: ${source}`);
    this.writer.end();
    this.isQuoting = true;
  }

  /** The address behind a link, after its words. */
  private takeAddress(element: HtmlElement, context: Context): void {
    const address = element.tagName === 'a' && !context.isPreformatted ? linkAddress(element) : undefined;
    if (address !== undefined && this.writer.hasText) this.writer.text(` (${address})`);
  }

  /** What a picture shows, where its author says so. */
  private takeImage(image: HtmlElement, context: Context): void {
    this.findings.images += 1;
    const words = attribute(image, 'alt') ?? '';
    if (/\S/.test(words)) this.takeText(` ${words} `, { ...context, isPreformatted: false });
  }

  private writeTable(table: HtmlElement): void {
    this.findings.tables += 1;
    const caption = findElement(table, (element) => element.tagName === 'caption');
    if (caption !== undefined) {
      this.writer.begin({ kind: 'caption' });
      this.writer.text(cellText(caption));
    }
    const { rows, headerRows } = readTable(table);
    this.writer.begin({ kind: 'table', row: 1, ...(headerRows !== undefined && { headerRows }) });
    let start = this.output.position;
    rows.forEach((cells, index) => {
      this.findings.tableRows += 1;
      const line = joinCells(cells);
      if (this.output.position + line.length - start > MAX_BLOCK_UNITS && this.writer.hasText) {
        this.writer.begin({ kind: 'table', row: index + 1 });
        start = this.output.position;
      }
      if (this.writer.hasText) this.writer.lineBreak();
      this.writer.verbatim(line);
    });
    this.writer.end();
  }
}

function rootContext(): Context {
  return { shape: { kind: 'paragraph' }, listDepth: 0, isPreformatted: false, look: PLAIN_LOOK };
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
      return itemContext(outer, ownNumber(element), taskMark(element));
    case 'dl':
      return { ...outer, listDepth: outer.listDepth + 1 };
    case 'dt':
      return { ...outer, shape: { kind: 'list_item', level: Math.max(outer.listDepth, 1) }, marker: undefined };
    case 'dd':
      return {
        ...outer,
        shape: { kind: 'list_item', level: Math.max(outer.listDepth, 1) + 1 },
        marker: { text: '- ' },
      };
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

function itemContext(outer: Context, own: number | undefined, task = ''): Context {
  const number = outer.nextNumber;
  if (number !== undefined && own !== undefined) number.value = own;
  const text = (number === undefined ? '- ' : `${number.value}. `) + task;
  if (number !== undefined) number.value += 1;
  return { ...outer, shape: { kind: 'list_item', level: Math.max(outer.listDepth, 1) }, marker: { text } };
}

function firstNumber(list: HtmlElement): number {
  return numberIn(attribute(list, 'start')) ?? 1;
}

/** The number that an item gives itself and those behind it. */
function ownNumber(item: HtmlElement): number | undefined {
  return numberIn(attribute(item, 'value'));
}

function numberIn(value = ''): number | undefined {
  const number = Number.parseInt(value, 10);
  return Number.isFinite(number) ? number : undefined;
}

/** `<pre><code class="language-x">` names the language on the inner element. */
function withLanguage(context: Context, code: HtmlElement): Context {
  const language = context.isPreformatted ? languageOf(code) : undefined;
  return language === undefined ? context : { ...context, shape: { ...context.shape, language } };
}

function languageOf(element: HtmlElement): string | undefined {
  return languageOfClass(attribute(element, 'class') ?? '');
}

/** The title of a document: its `title` element, else its first heading of the first level. */
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
