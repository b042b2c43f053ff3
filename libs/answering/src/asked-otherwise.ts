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

/** Where a question looks, as it says it: `in Lyon`. */
export function placePhrasesIn(question: string): string[] {
  return [...question.matchAll(IN_PLACE)].map(([phrase]) => phrase);
}

/** Asks when or whether something is open: “Is the office open on Friday?”, „Bis wann hat die Kantine geöffnet?“ How a gate is opened is no such question. */
const ASKS_OPENING =
  /^(?:(?!(?:how|why|who|wie|warum|wer|comment|pourquoi|qui|cómo|quién)(?!\p{L})).){0,200}(?<!\p{L})(?:opens?(?! (?:the|a|an|my|our|this|it|jobs?|tasks?|orders?|tickets?|invoices?|positions?)(?!\p{L}))|opening (?:hours|times?)|closes?|geöffnet|offen|aufmach\p{L}*|öffnungszeit\p{L}*|(?:öffnet|öffnen|schließt|schließen)(?=\W*$)|ouvert(?:e?s?)|ouvre(?:nt)?|horaires?|abiert[oa]s?|abren?|horario)(?!\p{L})/iu;
/** When is it asked, or whether at a time. */
const OF_TIME =
  /^(?!.{0,40}(?<!\p{L})(?:did|ever|first|wurden?|eröffnet\p{L}*|ouvert en|abrió)(?!\p{L}))\W{0,4}(?:(?:and|und|et|y) )?(?:(?:until|till|since|from|bis|ab|seit|von|jusqu['’]à|à|a|hasta|desde|at|on|an|am) )?(?:when|what time|which (?:day|hour|time)s?|what (?:day|hour|time|are|is)|is|are|was|were|wann|welche|um wie ?viel|ist|sind|hat|haben|quand|quelles?|quels?|est-ce|cuándo|cuando|qué|cuál|est[áa]n?|abren?)(?!\p{L})/iu;
/** Says that something is open or closed, or tells hours. */
const TELLS_OPENING =
  /(?<!\p{L})(?:open|closed?|opens|closes|opening|closing|shut|hours?|staffed|manned|day and night|geöffnet|offen|öffn\p{L}*|geschlossen|schlie(?:ß|ss)\p{L}*|zu haben|besetzt|sprechzeit\p{L}*|öffnungszeit\p{L}*|ruhetag\p{L}*|ouvert\p{L}*|ouvr\p{L}*|ferm\p{L}+|horaires?|abiert\p{L}*|abren?|cerrad\p{L}*|cierra\p{L}*|horario\p{L}*)(?!\p{L})|\d\s?(?:a\.?m\.?|p\.?m\.?|uhr|h)?\s?(?:[-–—]|to|till|until|bis|à|a)\s?\d|(?<!\p{L})(?:from|between|von|zwischen|ab|de|entre|desde) \d/iu;

/** Whether a question asks when or whether something is open. */
export function asksOpening(question: string): boolean {
  return OF_TIME.test(question) && ASKS_OPENING.test(question);
}

/** Whether a question asks when or whether something is open, and a text tells nothing of that: that meals are half price on working days, say. */
export function lacksOpening(question: string, text: string): boolean {
  return asksOpening(question) && !TELLS_OPENING.test(text);
}
