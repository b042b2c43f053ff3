import type { Draft } from '../draft.js';
import type { LinkedQuestion } from '../linked-question.js';
import { columnsOf } from '../question-anchors.js';
import type { Condition } from '../table-query.js';
import { areSynonyms, isHeaderNoun } from '../header-synonyms.js';
import { headerWords } from '../link-columns.js';
import { subjectOf } from '../asked-column.js';
import { stemOf } from '../words.js';
import { isWordOfWork } from './state-words.js';

const NAME = stemOf('name');
const EMPLOYEE = stemOf('employee');
/** What persons of a roster are called. */
const PERSONS = /^(?:people|persons?|employees?|staff|colleagues?|leute|personen|mitarbeiter|mitarbeitende)$/;

/** What one does with a thing that has a price for a time. */
const HIRED =
  /^(?:hire|hired|hiring|rent|renting|rental|borrow|borrowing|mieten|leihen|ausleihen|louer|location|alquilar)$/;

/** A draft with the words that belong to the column of a day or a time that it reads: the day itself, and `shift` beside a state or a cell that is shown. */
export function placeChosen({ chosen, roster, tariff, tokens, table }: LinkedQuestion, draft: Draft): Draft {
  const { query } = draft;
  if (chosen === undefined || !columnsOf(query).some(({ name }) => name === chosen.column.name)) return draft;
  const used = new Set(draft.used);
  for (let at = chosen.from; at < chosen.to; at += 1) used.add(at);
  const subject = subjectOf(table);
  // `Nurse` is a person, as far as is known; `Site` is none.
  const isOfPersons =
    subject !== undefined &&
    headerWords(subject).some(({ stem }) => stem === NAME || areSynonyms(stem, EMPLOYEE) || !isHeaderNoun(stem));
  if (tariff !== undefined)
    tokens.forEach(({ text }, at) => {
      if (HIRED.test(text)) used.add(at);
    });
  const isShown = query.kind === 'rows' && query.columns.some(({ name }) => name === chosen.column.name);
  if (roster !== undefined && (isShown || query.where.some((condition) => isOfState(condition, chosen.column.name))))
    tokens.forEach(({ text }, at) => {
      if (isWordOfWork(text) || (isOfPersons && PERSONS.test(text))) used.add(at);
    });
  const assumptions = chosen.assumption === undefined ? draft.assumptions : [...draft.assumptions, chosen.assumption];
  return { ...draft, used, assumptions };
}

function isOfState(condition: Condition, column: string): boolean {
  return condition.kind === 'in' && condition.column.name === column;
}
