import type { MarkupTable } from './markup-table.js';
import { CellGrid } from './cell-grid.js';

/** Lines between rows, and what only repeats a header on the next page. */
const RULES =
  /\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot|addlinespace)(?:\[[^\]]{0,60}\])?|\\(?:cline|cmidrule)(?:\([^)]{0,60}\))?(?:\[[^\]]{0,60}\])?\{[^}]{0,100}\}/g;
/** Commands that only say how their words look. */
const LOOKS =
  /\\(?:textbf|textit|emph|texttt|textsc|textrm|textsf|underline|mbox|text|thead|makecell|num|small|url)\{([^{}]*)\}/g;
const SWITCHES =
  /\\(?:bfseries|itshape|centering|raggedright|raggedleft|small|footnotesize|scriptsize|large|bf|it|rowcolor(?:\[[^\]]{0,60}\])?\{[^}]{0,100}\}|cellcolor(?:\[[^\]]{0,60}\])?\{[^}]{0,100}\}|label\{[^}]{0,100}\})\s*/g;

/** A table of LaTeX, from the line that begins it to the one that ends it. */
export function latexTable(lines: readonly string[]): MarkupTable | undefined {
  const text = lines.map((line) => line.replace(/(?<!\\)%.*$/, '')).join('\n');
  const begin = /\\begin\{([a-z*]+)\}/.exec(text);
  if (begin === null) return undefined;
  const from = begin.index + begin[0].length;
  const body = text.slice(argumentsEnd(text, from), text.indexOf(`\\end{${begin[1]!}}`, from));
  const caption = /\\caption(?:\[[^\]]{0,300}\])?\{([^{}]*)\}/.exec(body);
  const grid = new CellGrid();
  for (const row of body
    .replace(caption?.[0] ?? '', '')
    .replace(RULES, ' ')
    .split(/\\\\(?:\[[^\]]{0,60}\])?|\\tabularnewline/)) {
    if (!/\S/.test(row)) continue;
    grid.nextRow();
    for (const cell of row.split(/(?<!\\)&/)) addCell(grid, cell.trim());
  }
  return { rows: grid.finish(), ...(caption !== null && { caption: wordsOf(caption[1]!) }) };
}

/** Behind the arguments of an environment: its width, its place and its columns, which may hold braces. */
function argumentsEnd(text: string, from: number): number {
  let depth = 0;
  let at = from;
  for (; at < text.length; at += 1) {
    const sign = text[at]!;
    if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    else if (depth === 0 && !/\s/.test(sign)) break;
    if (depth === 0 && sign === '\n') break;
  }
  return at;
}

function addCell(grid: CellGrid, cell: string): void {
  const across = /^\\multicolumn\{(\d{1,3})\}\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}\{(.*)\}$/s.exec(cell);
  const down = /^\\multirow(?:\[[^\]]{0,60}\])?\{(\d{1,3})\}(?:\[[^\]]{0,60}\])?\{[^{}]*\}\{(.*)\}$/s.exec(
    across?.[2] ?? cell,
  );
  const text = wordsOf(down?.[2] ?? across?.[2] ?? cell);
  // The cells below a merged one are written, and empty.
  grid.add({ text, across: Number(across?.[1] ?? 1) });
}

function wordsOf(source: string): string {
  let text = source.replace(SWITCHES, '');
  for (let depth = 0; depth < 4 && text.includes('{'); depth += 1) text = text.replace(LOOKS, '$1');
  return text
    .replace(/(?<!\\)[{}]/g, '')
    .replace(/(?<!\\)\$([^$]*)\$/g, '$1')
    .replace(/\\([&%$#_{}])/g, '$1')
    .replaceAll('~', ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
