import { askedColumn, subjectOf, type Asked } from '../asked-column.js';
import { cluesOf } from '../conditions.js';
import { demandsOf } from '../demands.js';
import { cueTokens, draftOf, tokensIn, type Draft } from '../draft.js';
import { wordsOf, type LinkedQuestion } from '../linked-question.js';

const ORDERED = /^(?:order|ordered|sort|sorted|rank|ranked|arrange|arranged|alphabetical|alphabetically)$/;
const DOWN =
  /\b(?:descending|(?:from (?:the )?)?(?:highest|largest|latest|newest|longest|most|biggest|greatest|youngest)(?: first| to)|from (?:the )?(?:highest|largest|latest|newest|longest|most|biggest|greatest)|reverse)\b/;
const OF_ORDER =
  /^(?:ascending|descending|reverse|order|ordered|sort|sorted|rank|ranked|arrange|arranged|alphabetical|alphabetically|highest|lowest|largest|smallest|latest|newest|oldest|earliest|longest|shortest|most|least|biggest|greatest|cheapest|first|last)$/;

/** `list … ordered by …`, `… in alphabetical order`. */
export function readOrder(question: LinkedQuestion): Draft | undefined {
  const { tokens, table } = question;
  const at = tokens.findIndex(({ text }) => ORDERED.test(text));
  if (at < 0) return undefined;
  const asked = askedColumn(question) ?? subject(question);
  if (asked === undefined) return undefined;
  const isByWord = tokens[at]!.text.startsWith('alphabetical');
  const named = question.columns.find(({ from }) => from > at);
  const by = named?.column ?? (isByWord ? asked.column : undefined);
  if (by === undefined) return undefined;
  const taken = tokensIn(asked, named, { from: named?.from ?? at, to: tokens.length });
  const clues = cluesOf(question, { taken, asked: asked.column });
  const descending = DOWN.test(wordsOf(question, 0, tokens.length));
  const query = {
    kind: 'rows' as const,
    table,
    where: demandsOf(clues),
    columns: [asked.column],
    distinct: false,
    order: { by, descending },
    limit: undefined,
  };
  const part =
    named === undefined
      ? undefined
      : { from: named.from, to: named.to, quality: 0.65 + 0.35 * named.score, assumption: undefined };
  return draftOf(query, 0.95, [asked, part, ...clues], { used: cueTokens(question, OF_ORDER) });
}

function subject(question: LinkedQuestion): Asked | undefined {
  const column = subjectOf(question.table);
  return column === undefined
    ? undefined
    : { column, from: 0, to: 0, quality: 0.88, assumption: `The answer is taken from “${column.label}”.` };
}
