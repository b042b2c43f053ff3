import { detectLanguage } from './detect-language.js';

/** What surrounds a question and may tell its language where it is too short to tell it itself. */
export interface QuestionSurroundings {
  /** What the same person wrote before, the latest last. */
  readonly earlier?: readonly string[];
  /** What was found for it. */
  readonly passages?: readonly string[];
}

/** Words of questions that only one of these languages has; a question of three words often holds none of the most frequent ones. */
const TELLING: ReadonlyMap<string, string> = new Map(
  Object.entries({
    en: 'what which who whose whom how much many can could do does did is are my your our the please tell show where when why should would have has any there cost costs price prices day days hour hours with from',
    de: 'wieviel wieviele welche welcher welches wer wen wem wo wohin woher wann warum wieso kannst kann können darf dürfen muss müssen soll sollte gibt gibts ich mein meine meinen meiner mir mich wir unser unsere alles bitte ist sind hat habe haben kostet bekomme brauche zeig nenne erkläre und oder nicht auch für beim zum zur eine einen einem einer bekommt bekommen kriegt kosten kostete kosteten preis',
    fr: 'combien comment quel quelle quels quelles quand pourquoi puis-je peux pouvez peut-on est-ce qui que quoi où mon mes ma votre vos merci bonjour avez faut dois doit combien',
    es: 'cuánto cuanto cuánta cuántos cuántas cómo como cuándo cuando dónde donde quién quien quiénes cuál cual cuáles qué puedo puede pueden hay mi mis tengo debo necesito gracias hola cuesta',
  }).flatMap(([language, words]) => words.split(' ').map((word): [string, string] => [word, language])),
);
/** Of these words those that no other language in Latin script has, Dutch and Danish included: they speak against a guess. */
const OPPOSING: ReadonlySet<string> = new Set(
  'which whose how why does should would price prices day days hour hours welche welcher welches wieviel warum bekommt bekommen kriegt kostet nicht auch beim zum zur einen einem einer und oder'.split(
    ' ',
  ),
);
/** From here on a guess is taken as it is. */
const CERTAIN = 0.4;
/** Below this it is not where words of another language alone speak against it. */
const SURE = 0.7;
/** From here on it is better than none. */
const LIKELY = 0.2;
const WORD = /[\p{L}\p{M}\p{N}]+(?:[-'’][\p{L}\p{M}]+)*/gu;
/** Words that a passage must share with a question to have its language. */
const SHARED = 4;

/**
 * The language in which someone asks; `und` where nothing tells. A few words without a verb tell little by themselves: then by telling
 * words, by what the same person wrote before, and by the passages that hold the very words.
 */
export function languageOfQuestion(
  question: string,
  { earlier = [], passages = [] }: QuestionSurroundings = {},
): string {
  const { language, confidence } = detectLanguage(question);
  // Other scripts tell their language, however short the text is.
  const isByScript = language !== 'und' && !/\p{Script=Latin}/u.test(question);
  const words = question.toLowerCase().match(WORD) ?? [];
  const told = byTellingWords(words);
  const isOpposed =
    told !== undefined && told !== language && confidence < SURE && words.some((word) => OPPOSING.has(word));
  if (isByScript || (confidence >= CERTAIN && !isOpposed)) return language;
  const before = earlier.map((text) => detectLanguage(text)).filter((guess) => guess.confidence >= CERTAIN);
  return (
    told ??
    before.at(-1)?.language ??
    languageOfHolders(question, passages) ??
    (confidence >= LIKELY ? language : 'und')
  );
}

function byTellingWords(words: readonly string[]): string | undefined {
  const found = words.flatMap((word) => TELLING.get(word) ?? []);
  const [first] = found;
  return first !== undefined && found.every((language) => language === first) ? first : undefined;
}

/** The language of the first passage that holds a long word of the question as it is. */
function languageOfHolders(question: string, passages: readonly string[]): string | undefined {
  const words = (question.toLowerCase().match(WORD) ?? []).filter((word) => word.length >= SHARED);
  for (const passage of passages) {
    const held = new Set(passage.toLowerCase().match(WORD));
    if (words.length === 0 || words.filter((word) => held.has(word)).length * 2 < words.length) continue;
    const { language, confidence } = detectLanguage(passage);
    if (confidence >= CERTAIN) return language;
  }
  return undefined;
}
