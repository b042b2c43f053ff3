import type { Draft } from './draft.js';
import type { LinkedQuestion } from './linked-question.js';
import { isCalled } from './row-kinds.js';
import { headerWords } from './link-columns.js';
import { isFiller, stemOf } from './words.js';

/** What a table is as a document. */
const DOCUMENT =
  /^(?:list|log|logbook|sheet|table|register|ledger|book|overview|record|records|file|liste|tabelle|ubersicht|verzeichnis|protokoll|buch|datei|registre|tableau|registro|lista|tabla)$/;
const COMPOUND = /^(\p{L}{4,}?)[sn]?(?:liste|tabelle|buch|protokoll|verzeichnis|ubersicht)$/u;
const SPEAKING_OF = /^(?:according|laut|gemass|selon|segun)$/;
/** What is done with what a table has. */
const ENTERED =
  /^(?:entered|listed|recorded|noted|registered|eingetragen|aufgefuhrt|inscrits?|inscrites?|anotad[oa]s?)$/;
const WITHIN = /^(?:in|on|into)$/;
/** Words between `according to` and the name of the document. */
const MOST_BETWEEN = 4;

/** A draft with the words that only say which table is asked: `according to the repair log`; undefined where they name another document. */
export function placeSource(question: LinkedQuestion, draft: Draft): Draft | undefined {
  const { tokens, table } = question;
  const at = tokens.findIndex(({ text }) => SPEAKING_OF.test(text));
  if (at < 0) return placeEntered(question, draft);
  const names = (stem: string): boolean => isCalled(stem, table);
  let isOther = false;
  const span: number[] = [at];
  for (let place = at + 1; place <= at + MOST_BETWEEN && place < tokens.length; place += 1) {
    const { text, stem } = tokens[place]!;
    span.push(place);
    const compound = COMPOUND.exec(text)?.[1];
    const isDocument = DOCUMENT.test(text) || compound !== undefined;
    if (compound !== undefined && !names(stem) && !names(stemOf(compound))) isOther = true;
    // Two words may be one name: `repair list`.
    if (isDocument && !DOCUMENT.test(tokens[place + 1]?.text ?? '')) return isOther ? undefined : withUsed(draft, span);
    if (!isDocument && !isFiller(text) && !names(stem)) isOther = true;
  }
  return draft;
}

/** `entered in the on-call rota` where the table is called so: what it holds is entered there. */
function placeEntered({ tokens, table }: LinkedQuestion, draft: Draft): Draft {
  const at = tokens.findIndex(({ text }, place) => ENTERED.test(text) && WITHIN.test(tokens[place + 1]?.text ?? ''));
  if (at < 0) return draft;
  const heads = new Set(table.columns.flatMap((column) => headerWords(column).map(({ stem }) => stem)));
  const rest = tokens.slice(at + 1);
  const other = rest.findIndex(({ text, stem }) => !isFiller(text) && !heads.has(stem) && !isCalled(stem, table));
  const words = other < 0 ? rest : rest.slice(0, other);
  const last = words.findLastIndex(({ text, stem }) => !isFiller(text) && isCalled(stem, table));
  return last < 0 ? draft : withUsed(draft, [at, ...words.slice(0, last + 1).map((_, index) => at + 1 + index)]);
}

function withUsed(draft: Draft, places: readonly number[]): Draft {
  return { ...draft, used: new Set([...draft.used, ...places]) };
}
