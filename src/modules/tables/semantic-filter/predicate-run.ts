import type { Steps } from '#libs/common';
import type { ChunkMetadata, Filter } from '#libs/vector-store';
import {
  readPredicate,
  StatementReader,
  type LexicalRule,
  type LexicalVerdict,
  type Predicate,
  type SoughtStatement,
  type StatementReading,
} from '#libs/answering';
import { detectLanguage } from '#libs/text';
import { factsSeen, filterOf, meets, type FactCondition, type SeenFact, type Truth } from './fact-condition.js';
import { readFactCondition, type FactVocabulary } from './read-fact-condition.js';

const GERMAN = /\b(?:der|die|das|den|ist|sind|nicht|kein\w*|ein|eine|einen|erwähnt|enthält|über|wird|von|mit|für)\b/giu;
const SPANISH = /\b(?:el|los|las|una?|es|está|menciona|contiene|sobre|con|para|del|que|por)\b/giu;
const ENGLISH = /\b(?:the|an?|is|are|was|not|no|of|that|mentions?|contains?|about|with|for|has|does|in|on|or|and)\b/giu;

/** Basis of the verdict: facts (metadata, columns) or the words of the text. */
export type CheapMeans = 'facts' | 'lexical';

/** A stretch of the text that a subject is judged by. */
export interface Piece<Ref> {
  readonly text: string;
  /** Name of the document and the headings above. */
  readonly title: string;
  /** Where it is, for anyone who shows the evidence. */
  readonly ref: Ref;
}

/** The sentence that speaks for a verdict. */
export interface SentenceEvidence<Ref> {
  readonly ref: Ref;
  /** UTF-16 offsets in the piece. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Verdict about a subject without a model. */
export interface CheapVerdict<Ref> {
  readonly truth: Truth;
  /** 0.5 to 1; 0.5 where nothing is known. */
  readonly certainty: number;
  /** Null: nothing decided it. */
  readonly means: CheapMeans | null;
  /** 0..1: how near the text comes to what is sought. */
  readonly overlap: number;
  readonly facts: readonly SeenFact[];
  readonly sentences: readonly SentenceEvidence<Ref>[];
  readonly rationale: string;
}

interface Read<Ref> {
  readonly facts: ChunkMetadata;
  readonly readings: readonly StatementReading[] | null;
  readonly sentences: readonly (SentenceEvidence<Ref> | null)[];
}

interface Leaf<Ref> {
  readonly truth: Truth;
  readonly certainty: number;
  readonly means: CheapMeans | null;
  readonly facts: readonly SeenFact[];
  readonly sentences: readonly SentenceEvidence<Ref>[];
  readonly reasons: readonly string[];
  /** Whether it rests on words alone that are not there. */
  readonly isWeak: boolean;
}

const EVIDENCE_CHARS = 500;
const NOTHING = {
  truth: undefined,
  certainty: 0.5,
  means: null,
  facts: [],
  sentences: [],
  reasons: [],
  isWeak: false,
} as const;
const REASONS: Readonly<Record<LexicalRule, (sought: string, holds: boolean) => string>> = {
  phrase: (sought, holds) => `${holds ? 'the text holds' : 'the text does not hold'} “${sought}” word for word`,
  words: (sought) => `one sentence holds all words of “${sought}”`,
  absent_words: (sought) => `no word of “${sought}” is in the text, in any form`,
  absent_name: (sought) => `a name or number of “${sought}” is not in the text`,
};

/** Judges subjects by a predicate without a model: first by their facts, then by the words of their text where the facts do not decide. Pure. */
export class PredicateRun<Ref> {
  readonly language: string;
  /** Whether it has a negation, so that a verdict may rest on what a text does not say. */
  readonly isNegated: boolean;
  private readonly tree: Predicate<FactCondition>;
  private readonly readers: readonly StatementReader[];
  private readonly placeOf = new Map<SoughtStatement, number>();
  private readonly subjects: Read<Ref>[] = [];

  constructor(predicate: string, vocabulary: FactVocabulary) {
    this.language = languageOfPredicate(predicate);
    const known = new Map<string, FactCondition | undefined>();
    this.tree = readPredicate(predicate, (clause) => {
      if (!known.has(clause)) known.set(clause, readFactCondition(clause, vocabulary));
      return known.get(clause);
    });
    const statements = statementsOf(this.tree);
    statements.forEach((statement, index) => this.placeOf.set(statement, index));
    this.readers = statements.map((statement) => new StatementReader(statement, this.language));
    this.isNegated = hasNegation(this.tree);
  }

  /** The conditions over facts, as filters. */
  get filters(): readonly Filter[] {
    return conditionsOf(this.tree).map(filterOf);
  }

  /** What is looked for in texts. */
  get statements(): readonly SoughtStatement[] {
    return this.readers.map(({ statement }) => statement);
  }

  /** Whether the facts alone leave open what the verdict is, and a text may tell. */
  needsText(facts: ChunkMetadata): boolean {
    return (
      this.readers.length > 0 && this.judge(this.tree, { facts, readings: null, sentences: [] }, []).truth === undefined
    );
  }

  /** Takes a subject; `pieces` null: its text was not looked at. The number names it in what `conclude` gives. */
  *add(
    facts: ChunkMetadata,
    pieces: readonly Piece<Ref>[] | null,
    subject: { isComplete: boolean; language: string | null },
  ): Steps<number> {
    const readings: StatementReading[] = [];
    for (const reader of pieces === null ? [] : this.readers) readings.push(yield* reader.read(pieces ?? [], subject));
    const sentences = readings.map(({ best }) => {
      if (best === null || pieces === null) return null;
      const { piece, start, end } = best.found;
      const to = Math.min(end, start + EVIDENCE_CHARS);
      return { ref: pieces[piece]!.ref, start, end: to, text: pieces[piece]!.text.slice(start, to) };
    });
    return this.subjects.push({ facts, readings: pieces === null ? null : readings, sentences }) - 1;
  }

  /** The verdicts of all subjects, in the order in which they were taken. */
  *conclude(): Steps<CheapVerdict<Ref>[]> {
    const read = this.subjects.flatMap((subject, index) => (subject.readings === null ? [] : [index]));
    const verdicts: LexicalVerdict[][] = this.subjects.map(() => []);
    for (const [at, reader] of this.readers.entries()) {
      const concluded = reader.conclude(read.map((index) => this.subjects[index]!.readings![at]!));
      read.forEach((index, position) => verdicts[index]!.push(concluded[position]!));
      yield;
    }
    const all: CheapVerdict<Ref>[] = [];
    for (const [index, subject] of this.subjects.entries()) {
      all.push(this.toVerdict(subject, verdicts[index]!));
      yield;
    }
    return all;
  }

  private toVerdict(subject: Read<Ref>, lexical: readonly LexicalVerdict[]): CheapVerdict<Ref> {
    const { truth, certainty, means, facts, sentences, reasons } = this.judge(this.tree, subject, lexical);
    const overlap = Math.max(0, ...lexical.map((verdict) => verdict.overlap));
    const nearest = subject.sentences.filter((sentence) => sentence !== null);
    const rationale = truth === undefined ? 'Neither conditions nor words decide it.' : `${reasons.join('; ')}.`;
    return { truth, certainty, means, overlap, facts, sentences: truth === undefined ? nearest : sentences, rationale };
  }

  private judge(node: Predicate<FactCondition>, subject: Read<Ref>, lexical: readonly LexicalVerdict[]): Leaf<Ref> {
    switch (node.kind) {
      case 'condition':
        return factLeaf(node.condition, subject.facts);
      case 'statement':
        return this.wordLeaf(node.statement, subject, lexical);
      case 'not': {
        const inner = this.judge(node.part, subject, lexical);
        if (inner.truth === undefined) return inner;
        // That other words are used is no proof that nothing is said.
        return inner.isWeak ? { ...NOTHING, facts: inner.facts } : { ...inner, truth: !inner.truth };
      }
      default:
        return join(
          node.kind,
          node.parts.map((part) => this.judge(part, subject, lexical)),
        );
    }
  }

  private wordLeaf(statement: SoughtStatement, subject: Read<Ref>, lexical: readonly LexicalVerdict[]): Leaf<Ref> {
    const at = this.placeOf.get(statement)!;
    const verdict = lexical[at];
    if (verdict?.holds === undefined || verdict.rule === null) return NOTHING;
    const sentence = subject.sentences[at];
    return {
      truth: verdict.holds,
      certainty: verdict.certainty,
      means: 'lexical',
      facts: [],
      isWeak: verdict.rule === 'absent_words',
      sentences: verdict.evidence === null || sentence === null || sentence === undefined ? [] : [sentence],
      reasons: [REASONS[verdict.rule](statement.sought, verdict.holds)],
    };
  }
}

function factLeaf<Ref>(condition: FactCondition, facts: ChunkMetadata): Leaf<Ref> {
  const truth = meets(condition, facts);
  const seen = factsSeen(condition, facts);
  const reasons = seen.map(({ key, value }) => `${key} is ${value.slice(0, 100)}`);
  return truth === undefined
    ? { ...NOTHING, facts: seen }
    : { truth, certainty: 1, means: 'facts', facts: seen, sentences: [], reasons, isWeak: false };
}

/** Three-valued “and” and “or”: one part may decide the whole. */
function join<Ref>(kind: 'and' | 'or', parts: readonly Leaf<Ref>[]): Leaf<Ref> {
  const decisive = kind === 'or';
  const deciding = parts.filter(({ truth }) => truth === decisive);
  if (deciding.length > 0) {
    const best = deciding.reduce((one, other) => (other.certainty > one.certainty ? other : one));
    return best;
  }
  if (parts.some(({ truth }) => truth === undefined)) {
    return { ...NOTHING, facts: parts.flatMap(({ facts }) => facts) };
  }
  return {
    truth: !decisive,
    certainty: Math.min(...parts.map(({ certainty }) => certainty)),
    means: parts.some(({ means }) => means === 'lexical') ? 'lexical' : 'facts',
    facts: parts.flatMap(({ facts }) => facts),
    sentences: parts.flatMap(({ sentences }) => sentences),
    reasons: parts.flatMap(({ reasons }) => reasons),
    isWeak: parts.some(({ isWeak }) => isWeak),
  };
}

function statementsOf(node: Predicate<FactCondition>): SoughtStatement[] {
  if (node.kind === 'statement') return [node.statement];
  if (node.kind === 'condition') return [];
  return node.kind === 'not' ? statementsOf(node.part) : node.parts.flatMap(statementsOf);
}

function conditionsOf(node: Predicate<FactCondition>): FactCondition[] {
  if (node.kind === 'condition') return [node.condition];
  if (node.kind === 'statement') return [];
  return node.kind === 'not' ? conditionsOf(node.part) : node.parts.flatMap(conditionsOf);
}

function hasNegation(node: Predicate<FactCondition>): boolean {
  if (node.kind === 'not') return true;
  return (node.kind === 'and' || node.kind === 'or') && node.parts.some(hasNegation);
}

/** The primary tag of a predicate's language: by its small words, which a few words have already; else as it is guessed of any text. */
function languageOfPredicate(predicate: string): string {
  const count = (words: RegExp): number => predicate.match(words)?.length ?? 0;
  const [english, german, spanish] = [count(ENGLISH), count(GERMAN), count(SPANISH)];
  if (german > english && german >= spanish) return 'de';
  if (spanish > english) return 'es';
  if (english > 0) return 'en';
  const { language, confidence } = detectLanguage(predicate);
  return confidence > 0.3 && language !== 'und' ? language : 'en';
}
