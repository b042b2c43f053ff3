import { isAmount } from './identifiers.js';
import { headerWords } from './link-columns.js';
import type { QuestionColumn, QuestionTable } from './question-table.js';

/** Headers of how many there are of what a row names. */
const QUANTITIES = new Set(
  `quantity qty stock inventory pieces pcs units menge stückzahl stueckzahl anzahl bestand lagerbestand cantidad existencias unidades quantité quantite`.split(
    ' ',
  ),
);
/** Beside these it is how many there should be. */
const BOUNDS = new Set(
  `min minimum max maximum target reorder safety limit threshold needed required mindest soll mindestbestand sollbestand mínimo máximo`.split(
    ' ',
  ),
);

/** What they are worth is no number of them. */
const WORTH = /^(?:value|price|cost|costs|worth|wert|preis|kosten|valor|precio|valeur|prix)$/;

/** Whether a column says how many or how much there should be (`Minimum`, `Target`). */
export function isBound(column: QuestionColumn): boolean {
  return headerWords(column).some(({ text }) => BOUNDS.has(text));
}

/** Columns that say how many there are of what a row names (`Quantity`, `Stock`), apart from how many there should be (`Minimum stock`). */
export function quantitiesOf(table: QuestionTable): QuestionColumn[] {
  return table.columns.filter((column) => {
    const words = headerWords(column);
    const isQuantity = isAmount(column, table) && words.some(({ text }) => QUANTITIES.has(text));
    return isQuantity && !isBound(column) && !words.some(({ text }) => WORTH.test(text));
  });
}
