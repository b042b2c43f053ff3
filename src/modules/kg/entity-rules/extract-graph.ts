import { finish, mapSteps, type Steps } from '#libs/common';
import { detectLanguage } from '#libs/text';
import { findCapitalised } from './capitalised-names.js';
import { findDates } from './dates.js';
import { findDefined } from './defined-terms.js';
import { entityKeyOf } from './entity-key.js';
import type { ExtractedGraph, ExtractedMention, ExtractedRelation, Passage } from './extracted.js';
import { findHanNames, withoutBorder } from './han-names.js';
import { findShortForms } from './long-forms.js';
import { NEVER_NAMES, ORGANISATION_WORDS } from './name-cues.js';
import type { WordUse } from './name-context.js';
import { resolveNames, type FoundName } from './name-forms.js';
import { withoutOverlaps, type NamedSpan } from './named-span.js';
import { isOrdinaryWord, isPlainNoun } from './ordinary-words.js';
import { findRecurring } from './recurring-terms.js';
import { relationBetween } from './sentence-patterns.js';
import { sentencesOf, wordUseOf, type Sentence } from './sentences-of-passages.js';

/** Longest name in code units. */
const MAX_NAME = 100;
/** Maximum number of forms that are looked for a second time, longest first. */
const MOST_SOUGHT = 500;
const HAN = /\p{Script=Han}/u;

/**
 * Finds entities and relations in passages by rules alone: without a model or network, and with the same result each time. Evidence is what is in
 * the passages themselves, so they should be of one document and in its order. Where two of them overlap, the first counts.
 * @param title of the document; a name of it counts where the text has it
 */
export function extractGraph(passages: readonly Passage[], options: { readonly title?: string } = {}): ExtractedGraph {
  return finish(extractGraphSteps(passages, options));
}

/** `extractGraph` with pauses. */
export function* extractGraphSteps(
  passages: readonly Passage[],
  options: { readonly title?: string } = {},
): Steps<ExtractedGraph> {
  const { language } = detectLanguage(
    passages
      .slice(0, 8)
      .map(({ text }) => text)
      .join('\n'),
  );
  const sentences = yield* sentencesOf(passages, language);
  const use = wordUseOf(sentences, language);
  const same = new Map<string, string>();
  yield;
  const names = (yield* mapSteps(sentences, (sentence) => namesOf(sentence, use, same))).flat();
  const recurring = recurringNames(sentences, names);
  yield;
  names.push(...recurring, ...headingNames(passages, sentences, names, options.title));
  yield;
  const known = resolveNames(names, same);
  yield;
  const further = furtherMentions(sentences, names, known);
  yield;
  const mentions = mentionsOf([...names, ...further], known);
  yield;
  const relations = language === 'en' ? relationsOf(sentences, mentions) : [];
  return { mentions, relations };
}

/** Names of one sentence; what it says to be the same goes into `same`. */
function namesOf(sentence: Sentence, use: WordUse, same: Map<string, string>): FoundName[] {
  const { text, words } = sentence;
  const spans: NamedSpan[] = [...findDates(text)];
  const shorts = findShortForms(text);
  for (const { long, short, acronym } of shorts) {
    if (!acronym) continue;
    spans.push({ ...long, type: isCapital(text.slice(long.start)) ? null : 'term', certain: true });
    spans.push({ ...short, type: null, certain: true });
  }
  spans.push(...findDefined(text));
  if (HAN.test(text)) spans.push(...findHanNames(text));
  const capitalised = findCapitalised(text, words, use);
  const typed = spans.map((span) =>
    span.type === null ? { ...span, type: typeOfLong(text, span, capitalised) } : span,
  );
  const kept = withoutOverlaps([...typed, ...capitalised]).filter(({ start, end }) => end - start <= MAX_NAME);
  for (const { long, short, acronym } of shorts) {
    const name = text.slice(short.start, short.end);
    const before = acronym ? text.slice(long.start, long.end) : nameBefore(text, kept, long);
    if (before === null || entityKeyOf(before) === entityKeyOf(name)) continue;
    same.set(entityKeyOf(name), entityKeyOf(before));
    if (!kept.some(({ start, end }) => start < short.end && end > short.start)) {
      kept.push({ ...short, type: null, certain: true });
    }
  }
  return kept.map((span) => nameOf(sentence, span));
}

/** A long form before its acronym that begins with what kind of organisation it is, else what its last words are by themselves. */
function typeOfLong(text: string, span: NamedSpan, capitalised: readonly NamedSpan[]): NamedSpan['type'] {
  const [first = ''] = text.slice(span.start, span.end).toLowerCase().split(' ');
  if (ORGANISATION_WORDS.has(first)) return 'organisation';
  return capitalised.find(({ end }) => end === span.end)?.type ?? null;
}

function nameOf({ text, start, passage }: Sentence, span: NamedSpan): FoundName {
  const form = text.slice(span.start, span.end);
  return { ...span, form, start: start + span.start, end: start + span.end, sentence: start, passage };
}

/** The name that a short form in brackets is behind. */
function nameBefore(
  text: string,
  spans: readonly NamedSpan[],
  long: { readonly start: number; readonly end: number },
): string | null {
  const ends = spans.filter(({ end, start }) => end <= long.end && long.end - end < 60 && start >= long.end - 140);
  const last = ends.filter(({ type }) => type !== 'date').sort((a, b) => b.end - a.end)[0];
  if (last !== undefined && long.end - last.end <= 2) return text.slice(last.start, last.end);
  const han = withoutBorder(text.slice(long.start, long.end));
  if (HAN.test(han)) return han;
  return last === undefined ? null : text.slice(last.start, last.end);
}

function isCapital(text: string): boolean {
  return /^\p{Lu}/u.test(text);
}

function recurringNames(sentences: readonly Sentence[], names: readonly FoundName[]): FoundName[] {
  const taken = new Set(names.map(({ form }) => entityKeyOf(form)));
  const found: FoundName[] = [];
  const bySentence = Map.groupBy(names, ({ sentence }) => sentence);
  const placed = Map.groupBy(
    findRecurring(sentences).flatMap(({ text, places }) => (taken.has(entityKeyOf(text)) ? [] : places)),
    ({ sentence }) => sentence,
  );
  for (const { text, start, passage } of sentences) {
    const own = (bySentence.get(start) ?? []).map(({ start: from, end }) => ({ start: from, end }));
    for (const { start: from, end } of placed.get(start) ?? []) {
      if (own.some((other) => other.start < end && other.end > from)) continue;
      own.push({ start: from, end });
      const form = text.slice(from - start, end - start);
      found.push({ form, type: 'term', certain: true, start: from, end, sentence: start, passage });
    }
  }
  return found;
}

const MOST_HEADING_WORDS = 6;
/** Headings that many documents have and that name nothing. */
const COMMON_HEADINGS =
  /^(?:introduction|summary|overview|background|conclusions?|contents|references|appendix.*|scope|purpose|notes?|faq|einleitung|zusammenfassung|überblick|inhalt|anhang|introducción|resumen|conclusiones|verschiedenes|sonstiges|allgemeines|anlagen?|teilnehmer|tagesordnung|giriş|özet|sonuç|简介|摘要|结论|概述|目录|背景)$/iu;

/** `3.1 `, `§ 4 `, `TOP 2: `, `Item 5 – `. */
const NUMBER_OF_ITEM =
  /^(?:[\d.\s§]+|(?:TOP|Tagesordnungspunkt|Punkt|Item|Agenda item|Section|Abschnitt|Kapitel|Chapter|Part|Teil) ?\d+(?:\.\d+)*\.?\s*[:–-]?\s+)/iu;

/** Whether all words of a heading are those of any office: `Decisions`, `Any other business`. */
function isOrdinary(heading: string): boolean {
  const words = heading.toLowerCase().match(/[\p{L}\p{M}-]+/gu) ?? [];
  return words.every((word) => isPlainNoun(word) || isOrdinaryWord(word, false) || NEVER_NAMES.has(word));
}

/** Titles and headings of some words, where the text has them. */
function headingNames(
  passages: readonly Passage[],
  sentences: readonly Sentence[],
  names: readonly FoundName[],
  title: string | undefined,
): FoundName[] {
  const headings = new Set(passages.flatMap(({ headings: path }) => path.slice(-1)));
  if (title !== undefined) headings.add(title.replace(/\.[\p{L}\p{N}]{1,5}$/u, '').replace(/_/gu, ' '));
  const found: FoundName[] = [];
  const bySentence = Map.groupBy(names, ({ sentence }) => sentence);
  for (const heading of headings) {
    const form = heading.replace(NUMBER_OF_ITEM, '').trim();
    const isName = form.length >= 3 && form.length <= 60 && form.split(' ').length <= MOST_HEADING_WORDS;
    if (!isName || COMMON_HEADINGS.test(form) || isOrdinary(form)) continue;
    for (const { text, start, passage } of sentences) {
      const at = text.indexOf(form);
      if (at < 0) continue;
      const span = { start: start + at, end: start + at + form.length };
      if ((bySentence.get(start) ?? []).some((name) => name.start < span.end && name.end > span.start)) continue;
      found.push({ ...span, form, type: null, certain: true, sentence: start, passage });
    }
  }
  return found;
}

/** Places where the text names a known entity again in small letters, or in a script without capitals. */
function furtherMentions(
  sentences: readonly Sentence[],
  names: readonly FoundName[],
  known: ReturnType<typeof resolveNames>,
): FoundName[] {
  const taken = Map.groupBy(names, ({ sentence }) => sentence);
  const forms = new Set<string>();
  for (const { form, type } of names) {
    const isSought = HAN.test(form) || (type === 'term' && /^\p{Ll}/u.test(form));
    if (isSought && known.has(entityKeyOf(form)) && form.length >= 2) forms.add(form);
  }
  const found: FoundName[] = [];
  for (const form of [...forms].sort((a, b) => b.length - a.length).slice(0, MOST_SOUGHT)) {
    for (const { text, start, passage } of sentences) {
      const own = taken.get(start) ?? [];
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
        const name = {
          start: start + at,
          end: start + at + form.length,
          form,
          type: null,
          certain: false,
          sentence: start,
          passage,
        };
        const isWord = HAN.test(form) || !/[\p{L}\p{N}]/u.test((text[at - 1] ?? ' ') + (text[at + form.length] ?? ' '));
        if (!isWord || own.some((other) => other.start < name.end && other.end > name.start)) continue;
        own.push(name);
        found.push(name);
      }
      taken.set(start, own);
    }
  }
  return found;
}

function mentionsOf(names: readonly FoundName[], known: ReturnType<typeof resolveNames>): ExtractedMention[] {
  return names
    .flatMap(({ form, start, end, sentence, passage }) => {
      const entity = known.get(entityKeyOf(form));
      return entity === undefined ? [] : [{ ...entity, form, start, end, sentence, passage }];
    })
    .sort((a, b) => a.start - b.start || a.end - b.end);
}

function relationsOf(sentences: readonly Sentence[], mentions: readonly ExtractedMention[]): ExtractedRelation[] {
  const bySentence = Map.groupBy(mentions, ({ sentence }) => sentence);
  return sentences.flatMap(({ text, start, passage }) => {
    const own = bySentence.get(start) ?? [];
    return own.slice(1).flatMap((to, index) => {
      const from = own[index]!;
      if (from.key === to.key) return [];
      const told = relationBetween(text.slice(from.end - start, to.start - start), from, to);
      if (told === null) return [];
      const [source, target] = told.turned ? [to.key, from.key] : [from.key, to.key];
      return [{ source, target, relation: told.relation, start: from.start, end: to.end, passage }];
    });
  });
}
