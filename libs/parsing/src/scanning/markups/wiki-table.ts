import type { MarkupTable } from './markup-table.js';
import { CellGrid, type MarkupCell } from './cell-grid.js';

/** A table of MediaWiki, from `{|` to `|}`. */
export function wikiTable(lines: readonly string[]): MarkupTable | undefined {
  const grid = new CellGrid();
  let caption: string | undefined;
  let cells: { text: string; isHeader: boolean }[] = [];
  let headerRows = 0;
  let isHead = true;
  const endRow = (): void => {
    if (cells.length === 0) return;
    grid.nextRow();
    for (const { text } of cells) grid.add(cellOf(text));
    isHead &&= cells.every(({ isHeader }) => isHeader);
    if (isHead) headerRows += 1;
    cells = [];
  };
  for (const line of lines.slice(1, -1)) {
    const words = line.trim();
    if (words.startsWith('|-')) endRow();
    else if (words.startsWith('|+')) caption = cellOf(words.slice(2)).text;
    else if (/^[|!]/.test(words)) {
      const isHeader = words.startsWith('!');
      for (const text of words.slice(1).split(isHeader ? /!!|\|\|/ : '||')) cells.push({ text, isHeader });
    } else if (cells.length > 0) cells.at(-1)!.text += ` ${words}`;
  }
  endRow();
  return { rows: grid.finish(), ...(caption !== undefined && { caption }), ...(headerRows > 0 && { headerRows }) };
}

/** `colspan=2 | words` reaches over two columns. */
function cellOf(source: string): MarkupCell {
  const [, attributes = '', rest = source] = /^([^[\]{}|]{0,200}=[^[\]{}|]{0,200})\|(?!\|)(.*)$/s.exec(source) ?? [];
  const span = (name: string): number =>
    Number(new RegExp(`${name}\\s*=\\s*"?(\\d{1,3})`, 'i').exec(attributes)?.[1] ?? 1) || 1;
  return { text: wordsOf(rest), across: span('colspan'), down: span('rowspan') };
}

function wordsOf(text: string): string {
  return text
    .replace(/<ref[^<>]{0,200}\/>|<ref[^<>]{0,200}>[^<]{0,2000}<\/ref>|<br\s{0,9}\/?>/g, ' ')
    .replace(/\[\[(?:[^[\]|]{0,300}\|)?([^[\]|]{0,300})\]\]/g, '$1')
    .replace(/\[https?:[^\s[\]]{1,500} ([^[\]]{0,300})\]/g, '$1')
    .replace(/'{2,5}/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
