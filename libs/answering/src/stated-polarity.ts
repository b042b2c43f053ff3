import { foldText, supportOf, TermBag, termsOf, type Term } from './overlap.js';
import { isNegated } from './same-statement.js';

interface Clause {
  readonly isNegated: boolean;
  readonly terms: readonly Term[];
  readonly bag: TermBag;
}

/** Two clauses are about the same when each holds this much of the other's content. */
const ABOUT_THE_SAME = 0.6;
const THE_SAME = 0.9;
const BREAK =
  /[,;:.!?。！？，；：]+(?!\d)|(?<!\p{L})(?:but|and|while|whereas|however|aber|sondern|und|während|mais|et|pero|sino|y)(?!\p{L})/iu;
/** Negations that set a bound or go on to the opposite, and no denial. */
const BOUNDING =
  /(?<!\p{L})(?:not only|nicht nur|no(?:t)? (?:later|more|less|fewer|longer|earlier) than|nicht (?:mehr|später|weniger|länger|früher) als|non seulement|pas plus|no más|no solo)(?!\p{L})/iu;
/** What follows is left out of what is said before. */
const EXCEPTING = /(?<!\p{L})(?:until|unless|except|other than|erst|außer|bevor|sauf|excepto|salvo)(?!\p{L})/iu;
const FORBIDS =
  /(?<!\p{L})(?:prohibited|forbidden|banned|disallowed|verboten|untersagt|unzulässig|interdite?s?|prohibid[oa]s?|vietat[oaie])(?!\p{L})|禁止/giu;
const ALLOWS =
  /(?<!\p{L})(?:allowed|permitted|admitted|erlaubt|gestattet|zulässig|zugelassen|autorisée?s?|permise?s?|permitid[oa]s?|consentit[oaie])(?!\p{L})|允许|允許/giu;
/** The month in German and French. */
const MAY = /(?<=(?:\d\.?|im|en|de|bis|ab|seit)\s)mai(?!\p{L})/giu;
/** Represents both of a pair of opposites while clauses are compared. */
const PERMISSION = ' permission ';
/** “Not taken” is “untaken”. */
const PREFIXED = /^(?:un|non|in|im|dis)(?=\p{L}{4})/u;

/** Whether one text denies what the other one says, clause by clause. Words are compared, their order is not. */
export function deniesTheSame(one: string, other: string): boolean {
  if (!isDenying(one) && !isDenying(other)) return false;
  if (EXCEPTING.test(one) || EXCEPTING.test(other)) return false;
  const [mine, theirs] = [clausesOf(one), clausesOf(other)];
  if (hasPrefixed(mine, theirs) || hasPrefixed(theirs, mine)) return false;
  return mine.some((clause) =>
    theirs.some(
      (opposite) =>
        clause.isNegated !== opposite.isNegated &&
        isAlike(clause, opposite) &&
        !isSaidAsWell(opposite, clause, mine) &&
        !isSaidAsWell(clause, opposite, theirs) &&
        !holdsDenial(clause.isNegated ? clause : opposite, clause.isNegated ? theirs : mine),
    ),
  );
}

/** Whether the text of `opposite` holds a clause that agrees with this one and has as much of it. */
function isSaidAsWell(clause: Clause, opposite: Clause, others: readonly Clause[]): boolean {
  const least = supportOf(clause.terms, opposite.bag);
  return others.some(
    ({ isNegated: isOther, bag }) => isOther === clause.isNegated && supportOf(clause.terms, bag) >= least,
  );
}

/** Whether a denial holds all of a denial of the other text: the same one, in a clause that is cut in another way. */
function holdsDenial({ bag }: Clause, others: readonly Clause[]): boolean {
  return others.some((clause) => clause.isNegated && supportOf(clause.terms, bag) >= THE_SAME);
}

function isDenying(text: string): boolean {
  return denies(text) || text.search(FORBIDS) >= 0;
}

/** The text with one word for what is allowed and what is forbidden: which of both it is says `deniesTheSame`. */
export function withOnePermission(text: string): string {
  return text.replace(FORBIDS, PERMISSION).replace(ALLOWS, PERMISSION);
}

/** The clauses of a text, as far as marks and conjunctions show them. */
export function splitClauses(text: string): string[] {
  return text.split(BREAK);
}

/** Whether a clause denies, by a word or by what it forbids. */
export function isDenied(clause: string): boolean {
  return denies(clause) !== clause.search(FORBIDS) >= 0;
}

function clausesOf(text: string): Clause[] {
  return splitClauses(text).flatMap((part) => {
    const all = termsOf(withOnePermission(part));
    const content = all.filter(({ isContent, form }) => isContent && !isNegated(form));
    if (content.length === 0 || BOUNDING.test(part)) return [];
    return [{ isNegated: isDenied(part), terms: content, bag: new TermBag(content) }];
  });
}

function isAlike(one: Clause, other: Clause): boolean {
  return supportOf(one.terms, other.bag) >= ABOUT_THE_SAME && supportOf(other.terms, one.bag) >= ABOUT_THE_SAME;
}

/** The month of May is no Italian “never”. */
function denies(text: string): boolean {
  return isNegated(text.replace(MAY, ''));
}

/** Whether one has a word as its opposite that the other has as it is: “untaken” and “not taken”. */
function hasPrefixed(some: readonly Clause[], others: readonly Clause[]): boolean {
  const forms = new Set(others.flatMap(({ terms }) => terms.map(({ form }) => form)));
  return some.some(({ terms }) =>
    terms.some(({ form }) => PREFIXED.test(form) && forms.has(foldText(form.replace(PREFIXED, '')))),
  );
}
