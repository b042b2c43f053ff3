import { foldText } from './overlap.js';

const SIZES_EN =
  'cheap|expensive|pricey|high|low|larg|big|small|long|short|tall|heav|light|fast|slow|old|new|young|deep|wide|narrow|close|busi|strong|weak';
const SIZES_DE =
  'teuer|billig|günstig|preiswert|hoch|höch|niedrig|gering|größ|groß|klein|läng|kürz|schwer|leicht|schnell|langsam|ält|neu|jüng|tief|breit|schmal|näch';
/** Which of several is the most: “the cheapest”, „am längsten“, « le plus cher ». What is the latest or the first of a thing may be told by its bound alone. */
const ASKS_MOST = new RegExp(
  String.raw`(?<!\p{L})(?:(?:${SIZES_EN})(?:e|i|g)?st|(?:most|least) (?:expensive|costly|popular|important)|(?:am|de[rmns]|die|das) (?:${SIZES_DE})(?:e?ste|(?<=ß)te)[nrsm]?|(?:le|la|les) (?:plus|moins) (?:cher|chère|grand|grande|petit|petite|long|longue|court|courte|haut|haute|lourd|vieux|vieille|rapide)s?|(?:el|la|los|las) (?:\p{L}+ )?(?:más|menos) (?:car|barat|grand|pequeñ|larg|cort|alt|baj|pesad|viej|rápid)\p{L}{1,2})(?!\p{L})`,
  'iu',
);
/** What says that nothing of a kind is more, or how far it goes. */
const TELLS_MOST = new RegExp(
  String.raw`(?<!\p{L})(?:most|least|max\p{L}*|min\p{L}*|up to|limit\p{L}*|top|only|sole|no more than|not more than|more than any|\p{L}{3,}(?:est|iest)|höchst\p{L}*|mindest\p{L}*|bis zu|nicht mehr als|einzige\p{L}*|\p{L}{4,}ste[nrsm]?|größte[nrsm]?|plus|moins|jusqu|seule?s?|más|menos|hasta|mayor(?:es)?|menor(?:es)?|únic\p{L}+)(?!\p{L})`,
  'iu',
);

/** Whether a question asks which of several is the most, and a text says it of none. */
export function lacksSuperlative(question: string, text: string): boolean {
  return ASKS_MOST.test(question) && !TELLS_MOST.test(text);
}

/** „Darf die Klasse mitfahren?“: the verb at the end is what is asked. */
const MODAL =
  /^\W*(?:(?:und|aber|oder)\s)?(?:darf|dürfen|kann|können|muss|müssen|soll|sollen|sollte|könnte)(?:st|t)?\s.*\s(\p{Ll}{4,}n)\W*$/u;

/** The folded verb that a German question of may, can or must asks about; undefined in any other. */
export function askedVerb(question: string): string | undefined {
  const verb = MODAL.exec(question.charAt(0).toLowerCase() + question.slice(1))?.[1];
  return verb === undefined || /^(?:werden|haben|machen|sein)$/u.test(verb) ? undefined : foldText(verb);
}

/** `in Lyon`, `nach Köln`: without an article it is the name of a place. */
const IN_PLACE =
  /(?<!\p{L})(?:in|aus|nach|at|near|bei|à|en)\s(\p{Lu}[\p{Ll}\p{M}]{2,}(?:[ -]\p{Lu}[\p{Ll}\p{M}]+){0,2})(?!\p{L})/gu;

/** Folded words of the names of places that a question looks at. */
export function placesIn(question: string): ReadonlySet<string> {
  return new Set([...question.matchAll(IN_PLACE)].flatMap(([, name]) => name!.split(/[ -]/).map(foldText)));
}
