/** Asks when or whether something is open: “Is the office open on Friday?”, „Bis wann hat die Kantine geöffnet?“ How a gate is opened is no such question. */
const ASKS_OPENING =
  /^(?:(?!(?:how|why|who|wie|warum|wer|comment|pourquoi|qui|cómo|quién)(?!\p{L})).){0,200}(?<!\p{L})(?:opens?(?! (?:the|a|an|my|our|this|it|jobs?|tasks?|orders?|tickets?|invoices?|positions?)(?!\p{L}))|opening (?:hours|times?)|closes?|geöffnet|offen|aufmach\p{L}*|öffnungszeit\p{L}*|(?:öffnet|öffnen|schließt|schließen)(?=\W*$)|ouvert(?:e?s?)|ouvre(?:nt)?|horaires?|abiert[oa]s?|abren?|horario)(?!\p{L})/iu;
/** When is it asked, or whether at a time. */
const OF_TIME =
  /^(?!.{0,40}(?<!\p{L})(?:did|ever|first|wurden?|eröffnet\p{L}*|ouvert en|abrió)(?!\p{L}))\W{0,4}(?:(?:and|und|et|y) )?(?:(?:until|till|since|from|bis|ab|seit|von|jusqu['’]à|à|a|hasta|desde|at|on|an|am) )?(?:when|what time|which (?:day|hour|time)s?|what (?:day|hour|time|are|is)|is|are|was|were|wann|welche|um wie ?viel|ist|sind|hat|haben|quand|quelles?|quels?|est-ce|cuándo|cuando|qué|cuál|est[áa]n?|abren?)(?!\p{L})/iu;
/** Says that something is open or closed, or tells hours. */
const TELLS_OPENING =
  /(?<!\p{L})(?:open|closed?|opens|closes|opening|closing|shut|hours?|staffed|manned|day and night|geöffnet|offen|öffn\p{L}*|geschlossen|schlie(?:ß|ss)\p{L}*|zu haben|besetzt|sprechzeit\p{L}*|öffnungszeit\p{L}*|ruhetag\p{L}*|ouvert\p{L}*|ouvr\p{L}*|ferm\p{L}+|horaires?|abiert\p{L}*|abren?|cerrad\p{L}*|cierra\p{L}*|horario\p{L}*)(?!\p{L})|\d\s?(?:a\.?m\.?|p\.?m\.?|uhr|h)?\s?(?:[-–—]|to|till|until|bis|à|a)\s?\d|(?<!\p{L})(?:from|between|von|zwischen|ab|de|entre|desde) \d/iu;

/** Whether a question asks when or whether something is open, and a text tells nothing of that: that meals are half price on working days, say. */
export function lacksOpening(question: string, text: string): boolean {
  return OF_TIME.test(question) && ASKS_OPENING.test(question) && !TELLS_OPENING.test(text);
}
