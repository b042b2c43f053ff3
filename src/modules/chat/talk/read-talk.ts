import { TALK_KINDS, TALK_LANGUAGES, TALK_PHRASES, type TalkKind, type TalkLanguage } from './phrases.js';

/** A message that is not a question about the documents. */
export interface Talk {
  readonly language: TalkLanguage;
  readonly kind: TalkKind | 'summary';
  /** What may be the name of a document, by its words; of `summary` only. */
  readonly name: string;
}

/** Maximum length; a longer message is a question. */
const MOST_LENGTH = 200;
const NO_WORD = /[^\p{L}\p{N}']+/gu;
const QUOTES = /["'“”„«»「」『』《》]+/gu;
const FILE_EXTENSION = /\.[a-z0-9]{1,5}$/u;

const MATCHERS = TALK_LANGUAGES.map((language) => {
  const phrases = TALK_PHRASES[language];
  const [begin, end] = language === 'zh' ? ['', ''] : ['(?<![^ ])', '(?![^ ])'];
  const one = (parts: string): string => `${begin}(?:${folded(parts)})${end}`;
  const any = [...TALK_KINDS.map((kind) => phrases[kind]), phrases.filler].join('|');
  return {
    language,
    whole: new RegExp(`^(?:${one(any)} ?)+$`, 'u'),
    kinds: TALK_KINDS.map((kind) => [kind, new RegExp(one(phrases[kind]), 'u')] as const),
  };
});

/** Kind of a message that consists of known phrases of one language; undefined for any other message, which is a question. */
export function readTalk(message: string): Talk | undefined {
  if (message.length > MOST_LENGTH) return undefined;
  const text = folded(message).replace(NO_WORD, ' ').trim();
  for (const { language, whole, kinds } of MATCHERS) {
    if (!whole.test(text)) continue;
    const kind = kinds.findLast(([, pattern]) => pattern.test(text))?.[0];
    if (kind !== undefined) return { language, kind, name: '' };
  }
  return readSummary(message);
}

function readSummary(message: string): Talk | undefined {
  const line = message.trim().replace(/[\s.!?。！？]+$/u, '');
  for (const language of TALK_LANGUAGES) {
    const { summary, article } = TALK_PHRASES[language];
    const found = summary.map((pattern) => pattern.exec(line)?.[1]).find((name) => name !== undefined);
    if (found === undefined) continue;
    const name = nameWords(found.replace(article, ''));
    if (name !== '') return { language, kind: 'summary', name };
  }
  return undefined;
}

/** The words of a document's name, as they are compared: without case, accents, quotation marks and the extension of a file. */
export function nameWords(name: string): string {
  return folded(name)
    .replace(QUOTES, ' ')
    .trim()
    .replace(FILE_EXTENSION, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[’‘`´]/gu, "'")
    .toLowerCase();
}
