import { detectLanguage } from '#libs/text';

const GERMAN = /\b(?:der|die|das|den|ist|sind|nicht|kein\w*|ein|eine|einen|erwähnt|enthält|über|wird|von|mit|für)\b/giu;
const SPANISH = /\b(?:el|los|las|una?|es|está|menciona|contiene|sobre|con|para|del|que|por)\b/giu;
const ENGLISH = /\b(?:the|an?|is|are|was|not|no|of|that|mentions?|contains?|about|with|for|has|does|in|on|or|and)\b/giu;

/** The primary tag of a predicate's language: by its small words, which a few words have already; else as it is guessed of any text. */
export function languageOfPredicate(predicate: string): string {
  const count = (words: RegExp): number => predicate.match(words)?.length ?? 0;
  const [english, german, spanish] = [count(ENGLISH), count(GERMAN), count(SPANISH)];
  if (german > english && german >= spanish) return 'de';
  if (spanish > english) return 'es';
  if (english > 0) return 'en';
  const { language, confidence } = detectLanguage(predicate);
  return confidence > 0.3 && language !== 'und' ? language : 'en';
}
