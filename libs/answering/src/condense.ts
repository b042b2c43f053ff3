import { askAgain, isAskedAgain } from './asked-again.js';
import { placePhrasesIn } from './asked-otherwise.js';
import { termsOf } from './overlap.js';
import { contentFormsOf } from './question-profile.js';

/** A turn of a conversation. */
export interface ConversationTurn {
  role: string;
  content: string;
}

/** A condensed question is never longer, in UTF-16 code units; a longer question stays as it is. */
export const MAX_CONDENSED_LENGTH = 1_000;

/** How many earlier questions are looked at, the latest first. */
const MAX_TURNS = 3;

/** A question with fewer content words than this cannot be understood alone; n-grams of unspaced scripts count half. */
const FEW_WORDS = 2;

/** A question with at least this many content words names its matter itself, pronouns or not. */
const MANY_WORDS = 7;

/** “This year” points to the calendar, not to what was said. */
const OF_THE_CALENDAR =
  /\b(?:this|these) (?:year|quarter|month|week|weekend|morning|afternoon|evening|spring|summer|autumn|fall|winter|season|christmas|easter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\b|\bdiese[mnrs]? (?:jahr|quartal|halbjahr|monat|woche|wochenende|frühling|frühjahr|sommer|herbst|winter|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)(?:e?s)?(?!\p{L})|\bquest[ao]?['’ ]\s?(?:anno|mese|settimana|estate|inverno)\b|\b(?:dit|deze) (?:jaar|kwartaal|maand|week|weekend|zomer|winter)\b|(?<!\p{L})этом (?:году|месяце)|(?<!\p{L})этой (?:неделе|весной|зимой|осенью)|[这這](?:个|個)?(?:月|周|週|星期|学期|季度)|この(?:年|月|週)/giu;

/** Names its matter although it is one word: “how much is toner”; with an article it may be one that was spoken of. */
const NAMES_ALONE =
  /^\W*(?:(?:how (?:much|expensive)|where|when) (?:is|are)|(?:how much|what|when) do(?:es)?|(?:was|wieviel|wie viel) kostet|wie teuer ist|wann ist|wo (?:ist|gibt es)) (?!(?:an?|the|my|your|our|his|her|their|he|she|we|you|they|der|die|das|eine?|mein\p{L}{0,2}|unser\p{L}{0,2}|man)\b)[\p{L}\p{M}-]{3,}(?: (?:cost|open|close|begin|start|end))?\W*$/iu;

/** Words that point back to what was said. */
const POINTS_BACK =
  /\b(?:its?|he|him|his|she|hers?|they|them|theirs?|this|these|those|ones|(?:that|this|which) one|the (?:same|latter|former)|what else)\b|\b(?:is|was|does|did|do|about|like|after|before|for|of|with|than|by) that\b|\bthere\s*\?|\b(?:dies|diese[nmrs]?|dessen|deren|dort|davon|dafür|dazu|daran|darin|dabei|dagegen)\b|(?<!y a[- ]t[- ])\b(?:ils?|elles?)\b(?! y a| faut)|(?<!\p{L})(?:ça|cela|celui|celle|ceux|celles|leurs?)(?!\p{L})|(?<!\p{L})(?:él|ellas?|ellos|eso|esto|sus?|allí)(?!\p{L})|\b(?:egli|loro|ess[ao]|quest[ao]|quell[ao])\b|\b(?:eles?|elas?|isso|isto|del[ea]s?)\b|\b(?:hij|zij|hun|deze|dit|daar|ervan|erover)\b|(?<!\p{L})(?:он[аои]?|его|е[её]|их|ему|ей|ими?|них|него|не[её]|этот|эта|эт[ои]|этого|этой|этом|там)(?!\p{L})|[它他她这這]|那(?!么|麼)|其(?![他它中实實余餘])|此|それ|これ|あれ|彼|そこ|その|この|มัน|เขา|เธอ|นั้น|นี้|그것|그는|그녀|이것|그곳/iu;

/** German pronouns; capital letters make them a form of address. */
const POINTS_BACK_LOWER_CASE = /(?<!\p{L})(?:er|sie|ihn|ihm|ihre?[nmrs]?)(?!\p{L})/u;

/** The same in a statement, where they may open it. */
const GERMAN_PRONOUN = /^\W*(?:er|sie|es|ihr\p{L}{0,2}|sein\p{L}{0,2})(?!\p{L})|(?<!\p{L})seine[nmrs]?(?!\p{L})/iu;

/** Questions for a meaning, which are alone however short they are. */
const DEFINES =
  /^\W*(?:what (?:is|are|does)|what's|who (?:is|was)|define|was (?:ist|sind|bedeutet)|wer (?:ist|war)|qu['’]est-ce qu|qui (?:est|était)|qué (?:es|son)|quién (?:es|fue)|cos['’]?è|che cos|o que (?:é|são)|wat (?:is|zijn)|co to jest|что такое|кто так|什么是|什麼是)|(?:是什么|是什麼|とは|คืออะไร)/iu;

/** Openings of a question that goes on from the last one. */
const GOES_ON =
  /^\s*(?:and|but|or|so|also|what about|how about|why\?|why not|how so|und|aber|oder|auch|was ist mit|wie sieht es|warum\?|et|mais|ou|aussi|pourquoi\s?\?|y(?! a[- ])|pero|también|e|ma|anche|mas|en (?:hoe|wat|wie|waar|wanneer)|maar|а|и|но|или|почему\?|那么|那麼|那|还有|還有|为什么[?？]?$|では|じゃあ|แล้ว|และ)(?=[\s,?？、，]|$|\p{Script=Han}|\p{Script=Thai})/iu;

/**
 * Makes a follow-up question complete for retrieval, without a model: a question that points back („and how long does it
 * take?“), goes on, or says next to nothing by itself gets the content words of the questions before it appended, latest
 * first, up to 1,000 characters. An independent question is returned as it is. Answers in the history are not read, since
 * an error in one would be searched for again.
 *
 * @param history Earlier turns, oldest first; only those with the role `user` count.
 */
export function condenseQuestion(history: readonly ConversationTurn[], question: string): string {
  const earlier = history.filter((turn) => turn.role === 'user' && turn.content.trim() !== question.trim());
  if (earlier.length === 0 || !dependsOnHistory(question)) return question;
  const again = isAskedAgain(question) ? askAgain(question, completeBefore(history, earlier.at(-1)!)) : undefined;
  if (again !== undefined) return again;
  let condensed = withPlace(question.trim(), earlier.slice(-MAX_TURNS));
  for (const turn of earlier.slice(-MAX_TURNS).reverse()) {
    condensed = append(condensed, turn.content);
    if (!dependsOnHistory(turn.content)) break;
  }
  return condensed;
}

/** Points to a place that was named: “how many are kept there?”; not the one of “is there a lift”. */
const THERE =
  /(?<!\p{L})(?:dort|là-bas|allí|ahí|(?<!(?:is|are|was|were|be|been|will|would|can|could|many|much|how) )there(?=\W*$))(?!\p{L})/iu;

/** A question with the place that it points to, as the last question that names one writes it. */
function withPlace(question: string, earlier: readonly ConversationTurn[]): string {
  if (!THERE.test(question)) return question;
  const phrases = earlier.toReversed().map(({ content }) => placePhrasesIn(content));
  const named = phrases.find((found) => found.length > 0) ?? [];
  return named.length === 1 ? question.replace(THERE, named[0]!) : question;
}

/** A question of the history as it was completed by those before it. */
function completeBefore(history: readonly ConversationTurn[], turn: ConversationTurn): string {
  return condenseQuestion(history.slice(0, history.lastIndexOf(turn)), turn.content);
}

/** A question with the content words of the question before it, whether it points back to it or not. */
export function completeQuestion(before: string, question: string): string {
  return append(question.trim(), before);
}

/** True when the question cannot be understood without what was said before. */
export function dependsOnHistory(question: string): boolean {
  if (GOES_ON.test(question)) return true;
  const content = new Map(termsOf(question).map((term) => [term.form, term]));
  let words = 0;
  for (const term of content.values()) if (term.isContent) words += term.sort === 'gram' ? 0.5 : 1;
  if (words >= MANY_WORDS) return false;
  const pointing = question.replace(OF_THE_CALENDAR, ' ');
  if (POINTS_BACK.test(pointing) || POINTS_BACK_LOWER_CASE.test(pointing)) return true;
  return words === 0 || (words < FEW_WORDS && !DEFINES.test(question) && !NAMES_ALONE.test(question));
}

/** Whether a sentence of a text goes on with what was said before it: a pronoun or a possessive says so. */
export function pointsBack(sentence: string): boolean {
  const pointing = sentence.replace(OF_THE_CALENDAR, ' ');
  return POINTS_BACK.test(pointing) || POINTS_BACK_LOWER_CASE.test(pointing) || GERMAN_PRONOUN.test(pointing);
}

/** Appends the content words of an earlier question, as they were written, that the question does not hold yet. */
function append(question: string, earlier: string): string {
  const held = new Set(termsOf(question).map((term) => term.form));
  const matter = contentFormsOf(earlier);
  let condensed = question;
  for (const word of earlier.match(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’._-]*(?<=[\p{L}\p{M}\p{N}])/gu) ?? []) {
    const terms = termsOf(word);
    if (!terms.some((term) => term.isContent && !held.has(term.form)) || isFunctionWord(word, earlier)) continue;
    if (terms.every(({ form }) => !matter.has(form))) continue;
    if (condensed.length + 1 + word.length > MAX_CONDENSED_LENGTH) break;
    condensed += ` ${word}`;
    for (const term of terms) held.add(term.form);
  }
  return condensed;
}

/** The language, and with it the function words, shows only in the whole question. */
function isFunctionWord(word: string, context: string): boolean {
  const forms = new Set(termsOf(word).map((term) => term.form));
  return !termsOf(context).some((term) => forms.has(term.form) && term.isContent);
}
