import type { Steps } from '#libs/common';
import { contentTermsOf } from '../question-profile.js';
import { foldText, type Term } from '../overlap.js';
import { SourceReader, type ReadSentence } from '../source-reader.js';
import type { SoughtStatement } from './predicate.js';

/** By what a text decided a statement. */
export type LexicalRule = 'phrase' | 'words' | 'absent_words' | 'absent_name';

/** A statement as the words of a text decide it. */
export interface LexicalVerdict {
  /** Undefined: words do not tell. */
  readonly holds: boolean | undefined;
  /** 0.5 to 1: how far the verdict can be relied on; of no meaning without one. */
  readonly certainty: number;
  readonly rule: LexicalRule | null;
  /** 0..1: how much of what is sought the best sentence holds. */
  readonly overlap: number;
  /** The sentence that speaks most of it; null where none does. */
  readonly evidence: FoundSentence | null;
}

/** A stretch of one of the pieces of a subject, as UTF-16 offsets in it. */
export interface FoundSentence {
  readonly piece: number;
  readonly start: number;
  readonly end: number;
}

/** What is known of a text beside its words. */
export interface ReadSubject {
  /** Whether all of it was read: what was not found in a part may be in the rest. */
  readonly isComplete: boolean;
  /** Primary tag; null: not known. */
  readonly language: string | null;
}

/** What the words of a subject have to do with a statement. */
export interface StatementReading {
  readonly subject: ReadSubject;
  /** For each term how far the subject holds it, 0..1. */
  readonly terms: readonly number[];
  readonly hasPhrase: boolean;
  readonly hasNumber: boolean;
  readonly best: { readonly score: number; readonly isDenied: boolean; readonly found: FoundSentence } | null;
}

/** As sure as words can make it; measured by the bench of predicates. */
const CERTAINTY: Readonly<Record<LexicalRule, number>> = {
  phrase: 0.98,
  words: 0.85,
  absent_words: 0.8,
  absent_name: 0.9,
};
/** From here on a word of the text is the word that is sought, in whatever form. */
const SAME_WORD = 0.8;
const MAX_OVERLAP_WITHOUT = 0;
const DENIALS =
  /\b(?:no|not|never|none|neither|nor|without|cannot|unless|if|would|n['’]t|nicht|kein\w*|ohne|nie|falls|wenn|no|nunca|ningun\w*|sin|si)\b|n['’]t\b/iu;
/** Words of predicates by which a text alone cannot be measured. */
const COMPARING =
  /(?:\b(?:more|less|fewer|greater|higher|lower|larger|smaller|longer|shorter|older|newer|later|earlier|better|worse|cheaper) (?:than|as)\b|\b(?:at least|at most|above|below|over|under|exceed\w*|between|before|after|until|within|mehr als|weniger als|mindestens|höchstens|más de|menos de|al menos)\b|[<>≤≥])/iu;
const WITH_DIGIT = /\d/;

/** Reads texts for one statement of a predicate. Every word is compared once, however often it comes. */
export class StatementReader {
  private readonly terms: readonly Term[];
  private readonly names: ReadonlySet<string>;
  private readonly phrase: string;
  private readonly reader: SourceReader;
  private readonly isComparing: boolean;

  constructor(
    readonly statement: SoughtStatement,
    /** Language of the predicate, a primary tag. */
    private readonly language: string,
  ) {
    const { frame, sought } = statement;
    this.terms = contentTermsOf(sought);
    this.names = namesOf(sought);
    this.phrase = frame === 'phrase' ? ` ${wordsOf(sought)} ` : '';
    this.reader = new SourceReader(this.terms);
    this.isComparing = COMPARING.test(sought);
  }

  /** The content words that are sought, as they are compared. */
  get words(): readonly string[] {
    return this.terms.map(({ form }) => form);
  }

  /** What the pieces of a subject, each with the title above it, have to do with the statement. */
  *read(
    pieces: readonly { readonly text: string; readonly title: string }[],
    subject: ReadSubject,
  ): Steps<StatementReading> {
    const terms = this.terms.map(() => 0);
    let best: StatementReading['best'] = null;
    let [hasPhrase, hasNumber] = [false, false];
    for (const [index, { text, title }] of pieces.entries()) {
      const source = this.reader.read(text, title);
      yield;
      for (const [at, match] of source.matches.entries()) {
        terms[at] = Math.max(terms[at]!, match, source.title[at]!);
      }
      if (this.phrase !== '') hasPhrase ||= ` ${wordsOf(`${title}\n${text}`)} `.includes(this.phrase);
      hasNumber ||= WITH_DIGIT.test(text);
      for (const sentence of source.sentences) {
        const score = this.scoreOf(sentence);
        if (score === 0 || score <= (best?.score ?? 0)) continue;
        const { start, end } = sentence;
        best = { score, isDenied: DENIALS.test(text.slice(start, end)), found: { piece: index, start, end } };
      }
    }
    return { subject, terms, hasPhrase, hasNumber, best };
  }

  /** The verdict on each of several subjects: which words a dataset uses at all counts for what it means that one is not there. */
  conclude(readings: readonly StatementReading[]): LexicalVerdict[] {
    const inUse = this.terms.map((_, at) =>
      readings.some(({ terms, subject }) => terms[at]! >= SAME_WORD && this.isSameLanguage(subject)),
    );
    return readings.map((reading) => this.judge(reading, inUse));
  }

  private judge(reading: StatementReading, inUse: readonly boolean[]): LexicalVerdict {
    const { best, terms, subject } = reading;
    const facts = { overlap: best?.score ?? 0, evidence: best?.found ?? null };
    const decided = (holds: boolean, rule: LexicalRule): LexicalVerdict => ({
      ...facts,
      holds,
      rule,
      certainty: CERTAINTY[rule],
      evidence: holds ? facts.evidence : null,
    });
    if (this.statement.frame === 'phrase') {
      if (reading.hasPhrase) return decided(true, 'phrase');
      return subject.isComplete ? decided(false, 'phrase') : { ...facts, holds: undefined, certainty: 0.5, rule: null };
    }
    if (this.isStatedBy(reading)) return decided(true, 'words');
    if (subject.isComplete && terms.length > 0) {
      if (this.lacksName(reading)) return decided(false, 'absent_name');
      const isForeign = terms.every((match) => match <= MAX_OVERLAP_WITHOUT) && this.isSameLanguage(subject);
      if (isForeign && inUse.some(Boolean) && !(this.isComparing && reading.hasNumber)) {
        return decided(false, 'absent_words');
      }
    }
    return { ...facts, holds: undefined, certainty: 0.5, rule: null };
  }

  /** Whether one sentence holds every word that is sought, and nothing that may turn it round. */
  private isStatedBy({ best }: StatementReading): boolean {
    if (best === null || best.score < 1 || this.isComparing) return false;
    if (this.statement.frame === 'mention') return true;
    return this.terms.length >= 2 && !best.isDenied;
  }

  /** Whether a name or number that is sought is nowhere. Names change between languages, those with digits do not. */
  private lacksName({ terms, subject }: StatementReading): boolean {
    if (this.isComparing || this.statement.frame === 'claim') return false;
    return this.terms.some(
      ({ form }, at) =>
        terms[at] === 0 && this.names.has(form) && (WITH_DIGIT.test(form) || this.isSameLanguage(subject)),
    );
  }

  private isSameLanguage({ language }: ReadSubject): boolean {
    return language !== null && language === this.language;
  }

  /** Share of what is sought that a sentence holds. */
  private scoreOf({ matches }: ReadSentence): number {
    if (this.terms.length === 0) return 0;
    return matches.filter((match) => match >= SAME_WORD).length / this.terms.length;
  }
}

/** Words with digits, and capitalised words behind the first one, folded. */
function namesOf(sought: string): ReadonlySet<string> {
  const names = [...sought.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].filter(([word]) => /\p{N}|^\p{Lu}/u.test(word));
  return new Set(names.map(([word]) => foldText(word)));
}

function wordsOf(text: string): string {
  return (foldText(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(' ');
}
