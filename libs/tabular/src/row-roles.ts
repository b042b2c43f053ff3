import { isSpanned } from './header-rows.js';

/** What a row below the header is. */
export type RowRole = 'row' | 'total' | 'section' | 'header' | 'note';

const TOTAL =
  /^(?:(?:grand|sub|overall|column)[\s-]?)?totals?(?:\s*[:.]|\s+(?:of|for|all|general|g[eé]n[eé]ral|\(.*\)|\d{4}).*)?$|^(?:sum|summe|zwischensumme|gesamtsumme|gesamt|insgesamt|somme|suma|totale|totaal|итого|всего|合计|总计|合計|総計|(?:opening|closing|final|ending) balance|(?:anfangs|end|schluss|abschluss)saldo|solde (?:initial|final)|saldo (?:inicial|final|iniziale|finale)|average|mean|durchschnitt|mittelwert|moyenne|promedio|media|median)\s*[:.]?$/iu;
const NOTE =
  /^(?:[*†‡§]|\[?\(?\d{1,2}[\])]\s|(?:sources?|notes?|quellen?|anmerkung(?:en)?|hinweise?|fußnoten?|legende?|remarks?|nota|note|remarque|fuente|fonte)\b)/iu;
/** The last line of what database tools write: `29 rows selected.` */
const COUNT = /^\(?\d[\d.,]{0,12} (?:rows?|records?|lines?|zeilen?|datensätze?|lignes?|filas?)\b/iu;
const LONG_NOTE_UNITS = 60;

/** Tells rows of values from others. Cells are trimmed. */
export function roleOf(cells: readonly string[], width: number, labels: readonly string[]): RowRole {
  const first = cells.find((cell) => cell !== '') ?? '';
  if (first !== '' && cells[0] !== '' && TOTAL.test(first)) return 'total';
  if (cells[0] === '' && TOTAL.test(first)) return 'total';
  if (isStarred(cells)) return 'total';
  if (labels.length > 1 && isRepeatedHeader(cells, labels)) return 'header';
  if (isSpanned(cells, width)) return NOTE.test(first) ? 'note' : 'section';
  if (width < 2 || cells[0] === '' || cells.some((cell, column) => column > 0 && cell !== '')) return 'row';
  return NOTE.test(first) || COUNT.test(first) || (width > 2 && first.length > LONG_NOTE_UNITS) ? 'note' : 'row';
}

/** Stars alone before a number, with cells left empty: how lists of SAP show their totals. */
function isStarred([first = '', ...others]: readonly string[]): boolean {
  return /^\*{1,9}$/.test(first) && others.includes('') && others.some((cell) => /\d/.test(cell));
}

/** Index of the cell with the label of a row of totals: the first one that is not empty; -1 without one. */
export function totalLabelAt(cells: readonly string[]): number {
  return cells.findIndex((cell) => cell !== '');
}

function isRepeatedHeader(cells: readonly string[], labels: readonly string[]): boolean {
  let equal = 0;
  for (let column = 0; column < labels.length; column += 1) {
    const label = labels[column]!;
    const cell = cells[column] ?? '';
    if (cell === label && label !== '') equal += 1;
    else if (cell !== '' || label !== '') return false;
  }
  return equal > 1;
}
