import { writeLeaf, writePlain } from './leaf.js';
import type { Reading } from './leaf-parts.js';
import { MAX_NESTING, type Token } from './parser.js';
import { indented, joined, plainly, type Written } from './written.js';

/** A block with what is in it. */
export interface Block {
  readonly kind: 'paragraph' | 'heading' | 'code' | 'list' | 'item' | 'table' | 'rule';
  /** Lines of the source, `to` exclusive, empty lines behind the block left out. */
  readonly from: number;
  readonly to: number;
  readonly tokens: readonly Token[];
}

/** Kinds behind which another block begins in the next line, whatever it is. */
const ENDS_WITH_LINE = new Set<Block['kind']>(['heading', 'code', 'item', 'list']);
/** Kinds that need no empty line before them, behind a paragraph. */
const INTERRUPTS = new Set<Block['kind']>(['heading', 'code', 'item', 'list']);

/** The blocks that follow one another in a list of tokens. */
export function blocksOf(tokens: readonly Token[], lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const first = tokens[at]!;
    const end = first.nesting === 1 ? closeOf(tokens, at) : at;
    const [from, last] = first.map!;
    let to = last;
    while (to > from + 1 && isBlank(lines[to - 1])) to -= 1;
    blocks.push({ kind: kindOf(first), from, to, tokens: tokens.slice(at, end + 1) });
    at = end;
  }
  return blocks;
}

/** The items of a list. */
export function itemsOf({ tokens }: Block, lines: readonly string[]): Block[] {
  return blocksOf(tokens.slice(1, -1), lines);
}

/** Writes a block again; one that is nested beyond the bound, as text. */
export function writeBlock(block: Block, lines: readonly string[], reading: Reading): Written {
  const isTooDeep = block.tokens.some(({ type, level }) => type === 'list_item_open' && level >= MAX_NESTING - 1);
  if (isTooDeep) return writePlain(lines.slice(block.from, block.to).join('\n'), reading, 'plain');
  return new BlockWriter(lines, reading).write(block, false);
}

/** What is between two blocks. */
export function separatorOf(one: Pick<Block, 'kind'>, other: Pick<Block, 'kind'>, hasGap: boolean): string {
  const isNear = ENDS_WITH_LINE.has(one.kind) || (one.kind === 'paragraph' && INTERRUPTS.has(other.kind));
  return !hasGap && isNear && other.kind !== 'table' ? '\n' : '\n\n';
}

export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}

class BlockWriter {
  constructor(
    private readonly lines: readonly string[],
    private readonly reading: Reading,
  ) {}

  write(block: Block, isFirstOfItem: boolean): Written {
    const [first, inline] = block.tokens as readonly [Token, Token];
    switch (block.kind) {
      case 'paragraph':
        return writeLeaf(inline.children!, this.reading, isFirstOfItem ? 'item' : 'paragraph');
      case 'heading':
        return joined([plainly(`${first.markup} `), writeLeaf(inline.children!, this.reading, 'line')]);
      case 'code':
        return plainly(writeCode(first));
      case 'rule':
        return plainly(`\\${first.markup}`);
      case 'list':
        return this.writeAll(itemsOf(block, this.lines), false);
      case 'item':
        return this.writeItem(block);
      case 'table':
        return this.writeTable(block.tokens);
    }
  }

  private writeItem({ tokens }: Block): Written {
    const { info, markup } = tokens[0]!;
    const mark = `${info}${markup}`;
    const content = this.writeAll(blocksOf(tokens.slice(1, -1), this.lines), true);
    if (content.text === '') return { ...content, text: mark };
    return joined([plainly(`${mark} `), indented(content, mark.length + 1)]);
  }

  private writeAll(blocks: readonly Block[], isItem: boolean): Written {
    const pieces: Written[] = [];
    let last: Block | undefined;
    for (const [at, block] of blocks.entries()) {
      const written = this.write(block, isItem && at === 0);
      const hasGap = isBlank(this.lines[block.from - 1]);
      if (written.text !== '' && last !== undefined) pieces.push(plainly(separatorOf(last, block, hasGap)));
      if (written.text !== '') last = block;
      pieces.push(written);
    }
    return joined(pieces);
  }

  private writeTable(tokens: readonly Token[]): Written {
    const pieces: Written[] = [];
    const marks: string[] = [];
    for (const token of tokens) {
      const { type } = token;
      if (type === 'tr_open') pieces.push(plainly(pieces.length === 0 ? '|' : '\n|'));
      else if (type === 'th_open') marks.push(delimiterOf(token));
      else if (type === 'inline')
        pieces.push(plainly(' '), writeLeaf(token.children!, this.reading, 'cell'), plainly(' |'));
      else if (type === 'thead_close') pieces.push(plainly(`\n| ${marks.join(' | ')} |`));
    }
    return joined(pieces);
  }
}

function delimiterOf(cell: Token): string {
  const style = String(cell.attrGet('style') ?? '');
  if (style.endsWith('center')) return ':-:';
  return style.endsWith('right') ? '--:' : style.endsWith('left') ? ':--' : '---';
}

/** Code as it is, between marks that it does not hold. */
function writeCode({ content, info, markup }: Token): string {
  const sign = markup[0] ?? '`';
  const runs = content.match(sign === '~' ? /~+/g : /`+/g) ?? [];
  const mark = sign.repeat(Math.max(3, markup.length, ...runs.map((run) => run.length + 1)));
  const language = /^[\w+#.-]*/.exec(info.trim())![0];
  return `${mark}${language}\n${content}${content === '' || content.endsWith('\n') ? '' : '\n'}${mark}`;
}

function closeOf(tokens: readonly Token[], open: number): number {
  const { level } = tokens[open]!;
  let at = open + 1;
  while (tokens[at]!.nesting !== -1 || tokens[at]!.level !== level) at += 1;
  return at;
}

function kindOf({ type }: Token): Block['kind'] {
  switch (type) {
    case 'heading_open':
      return 'heading';
    case 'fence':
    case 'code_block':
      return 'code';
    case 'bullet_list_open':
    case 'ordered_list_open':
      return 'list';
    case 'list_item_open':
      return 'item';
    case 'table_open':
      return 'table';
    case 'hr':
      return 'rule';
    default:
      return 'paragraph';
  }
}
