import { findAddresses } from './addresses.js';
import type { AllowedLinks } from './link-policy.js';
import type { Token } from './parser.js';

/** What is known of an answer's text beside the text. */
export interface Reading {
  readonly links: AllowedLinks;
  /** Numbers that a citation marker may have, others are taken out; null: nothing is a marker. */
  readonly numbers: ReadonlySet<number> | null;
}

/** What a paragraph, a heading or a cell is made of, as far as this concerns its text. */
export type LeafKind = 'paragraph' | 'item' | 'line' | 'cell' | 'plain';

/** A part of a leaf: text, or Markdown that is written as it is. */
export type Part =
  | { readonly kind: 'text'; value: string; readonly escaped: Set<number> }
  | { readonly kind: 'raw'; readonly raw: string };

/** Ends an emphasis or the label of a link, for renderers that look for that before they look for code. */
const CLOSES = /[*_~\]]/;
const IS_DANGEROUS = /[<[\]&@]|:\/\/|www\.|\/\//i;
/** Code that some renderers cannot pair the backticks of when they look for the end of an emphasis. */
const IS_IRREGULAR = /`|\\$/;
/** What would be markup in the label of a link. */
const IN_LABEL = /[*_~|!^&]/g;

/** The inline tokens of a paragraph, a heading or a cell, as parts: what is no markup any more is text. */
export function partsOf(tokens: readonly Token[], reading: Reading, kind: LeafKind): Part[] {
  return new PartReader(reading, kind).read(tokens);
}

class PartReader {
  private readonly parts: Part[] = [];
  /** Whether some renderers may pair backticks otherwise from here on. */
  private isIrregular = false;
  private hasPoint = false;

  constructor(
    private readonly reading: Reading,
    private readonly kind: LeafKind,
  ) {}

  read(tokens: readonly Token[]): Part[] {
    for (let at = 0; at < tokens.length; at += 1) {
      if (tokens[at]!.type !== 'link_open') {
        this.addToken(tokens[at]!);
        continue;
      }
      let close = at + 1;
      while (tokens[close]!.type !== 'link_close') close += 1;
      this.addLink(tokens.slice(at, close));
      at = close;
    }
    return this.parts;
  }

  private addToken({ type, content, info, markup }: Token): void {
    switch (type) {
      case 'text':
      case 'text_special':
        this.hasPoint ||= content.includes('<');
        this.addText(content.replace(/\n/g, ' '), info === 'escape' && content !== markup);
        break;
      case 'softbreak':
        this.addBreak('\n');
        break;
      case 'hardbreak':
        this.addBreak('\\\n');
        break;
      case 'code_inline':
        this.addCode(content);
        break;
      default:
        this.addRaw(markup);
    }
  }

  private addText(content: string, isEscaped: boolean): void {
    let last = this.parts.at(-1);
    if (last?.kind !== 'text') this.parts.push((last = { kind: 'text', value: '', escaped: new Set() }));
    if (isEscaped) last.escaped.add(last.value.length);
    last.value += content;
  }

  private addRaw(raw: string): void {
    this.parts.push({ kind: 'raw', raw });
  }

  private addBreak(raw: string): void {
    if (this.kind === 'line' || this.kind === 'cell') this.addText(' ', false);
    else this.addRaw(raw);
  }

  private addCode(code: string): void {
    this.isIrregular ||= IS_IRREGULAR.test(code) || (this.hasPoint && code.includes('>'));
    if (this.isIrregular && CLOSES.test(code) && IS_DANGEROUS.test(code)) this.addText(code, false);
    else this.addRaw(codeSpan(code, this.kind === 'cell'));
  }

  /** A link that may lead where it leads; its label is text. */
  private addLink([open, ...label]: readonly Token[]): void {
    const { links } = this.reading;
    const shown = label.map(({ type, content }) => (type.endsWith('break') ? ' ' : content)).join('');
    const href = String(open!.attrGet('href'));
    const destination = links.destinationOf(href);
    if (destination === undefined || !isSimple(shown, links)) this.addText(`[${shown}](${href})`, false);
    else if (open!.info === 'auto' || shown === href) this.addRaw(`<${destination}>`);
    else this.addRaw(`[${shown.replace(IN_LABEL, '\\$&')}](${destination})`);
  }
}

/** Whether renderers agree on where a label ends, and see no address in it that leads elsewhere. */
function isSimple(label: string, links: AllowedLinks): boolean {
  const addresses = findAddresses(label).map(({ start, end }) => label.slice(start, end));
  return !/[`[\]<>\\]/.test(label) && addresses.every((address) => links.allows(address));
}

/** Code in one line between backticks: more of them than are side by side in it. */
export function codeSpan(code: string, isCell: boolean): string {
  const content = code.replace(/\n/g, ' ');
  const longest = Math.max(0, ...[...content.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = '`'.repeat(longest + 1);
  const isPadded = /^`|`$|^ .*[^ ].* $/.test(content);
  const shown = isPadded ? ` ${content} ` : content;
  return mark + (isCell ? shown.replaceAll('|', '\\|') : shown) + mark;
}
