import { each, markup, NOTHING, type Markup } from './markup.js';

/** A cell: numbers and figures are at the right. */
export type Cell = string | number | Markup;

/** A table with a caption that scrolls by itself where the page is narrow; the first cell of a row is its heading. */
export function tableOf(caption: string, headings: readonly string[], rows: readonly (readonly Cell[])[]): Markup {
  return markup`<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption><thead><tr>${each(
    headings,
    (heading, index) => markup`<th scope="col"${isFigure(rows[0]?.[index], index) ? RIGHT : NOTHING}>${heading}</th>`,
  )}</tr></thead><tbody>${each(
    rows,
    (row) => markup`<tr>${each(row, (cell, index) => toCell(cell, index))}</tr>`,
  )}</tbody></table></div>`;
}

function toCell(cell: Cell, index: number): Markup {
  if (index === 0) return markup`<th scope="row">${cell}</th>`;
  return markup`<td${isFigure(cell, index) ? RIGHT : NOTHING}>${cell}</td>`;
}

const RIGHT = markup` class="number"`;

function isFigure(cell: Cell | undefined, index: number): boolean {
  return index > 0 && cell !== undefined && typeof cell !== 'object';
}
