import { splitSentences } from '#libs/text';
import type { AnswerUnit } from './answer-units.js';
import { stripMarkers } from './markers.js';
import { withoutOrders } from './orders.js';
import { withoutNotes } from './answerer-notes.js';
import { supportOf, TermBag, type Term } from './overlap.js';
import { lacksQuantity } from './says-otherwise.js';
import { findSupport, indexSources, type IndexedSource } from './source-index.js';
import { statementTerms } from './statement-terms.js';
import { countsOtherwise } from './stated-units.js';

/** What statements are judged by. */
export interface StatementSource {
  readonly number: number;
  readonly text: string;
  /** Offset in the document. */
  readonly start: number;
  readonly documentId: string;
  /** Name of the document, or whatever the model was told of it. */
  readonly title?: string;
}

/**
 * Why a statement is not shown, whatever supports it. `order`: it has a word that is only in orders to anyone who writes the answer.
 * `stray`: a symbol, an identifier, an address or a tag that no source holds. `bare`: a few words without any relation to the question.
 * `wordless`: it says nothing.
 */
export type Objection = 'order' | 'stray' | 'bare' | 'wordless';

/** Up to this many content words a statement says something only together with the question. */
const BARE_WORDS = 3;
const SYMBOL = /[\p{So}\p{Cf}\p{Co}\p{Extended_Pictographic}]/gu;
/** A tag of HTML, an address, or where a link or an image leads. */
const LEADING =
  /<[a-z!?/][^<>]*>?|(?:[a-z][a-z0-9+.-]{0,30}:)?\/\/[^\s<>"'`()[\]]*[^\s<>"'`()[\].,;:!?*_]|www\.[^\s<>"'`()[\]]*[^\s<>"'`()[\].,;:!?*_]|(?<=\]\(\s?<?)[^\s<>()]+/giu;
/** A word with letters and digits, or with a capital letter behind its first one. */
const IDENTIFIER =
  /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}_-]*(?:\p{L}[\p{L}_-]*\p{N}|\p{N}[\p{N}_-]*\p{L}|[\p{L}\p{N}_]\p{Lu}))[\p{L}\p{N}][\p{L}\p{N}_-]*[\p{L}\p{N}]/gu;
/** Sources of one document that are so near follow one another. */
const ADJACENT = 200;

interface Indexed extends IndexedSource {
  readonly bag: TermBag;
}

/**
 * Judges statements of an answer by its sources, without the orders that these give. Compares words, not meanings; a statement that says
 * another number, name, place, day or the contrary is not supported, however many words it shares.
 */
export class StatementJudge {
  /** The sources as evidence: same offsets, spaces where orders are. */
  readonly evidence: readonly { readonly number: number; readonly text: string }[];
  private readonly indexed: readonly Indexed[];
  private readonly ordered: TermBag;
  private readonly question: TermBag;
  private readonly known: string;

  constructor(sources: readonly StatementSource[], question: string) {
    const parts = cleanSources(sources);
    this.evidence = parts.map(({ number, evidence }) => ({ number, text: evidence }));
    const cleaned = sources.map((source, at) => ({ ...source, text: parts[at]!.evidence }));
    this.indexed = indexSources(cleaned, question).map((source) => ({
      ...source,
      bag: new TermBag(source.sentences.flatMap(({ bag }) => bag.terms)),
    }));
    this.question = new TermBag(statementTerms(question));
    this.ordered = new TermBag(
      statementTerms(parts.map(({ orders }) => orders).join('\n')).filter(
        (term) => term.isContent && !this.isKnown(term),
      ),
    );
    this.known = [...this.evidence.map(({ text }) => text), question].join('\n').toLowerCase();
  }

  /** How far one source supports a unit, 0 to 1: of a list item the sentence that is supported least, of code the share of its words. */
  score({ kind, text }: AnswerUnit): number {
    const plain = stripMarkers(text).trim();
    if (kind === 'code') {
      const terms = statementTerms(plain);
      return Math.max(0, ...this.indexed.map(({ bag }) => supportOf(terms, bag)));
    }
    return Math.min(1, ...this.statementsOf(text).map((statement) => this.scoreOf(statement)));
  }

  /** The evidence, that with the most of a statement's words first; equals keep their order. */
  evidenceFor(statement: string): StatementJudge['evidence'] {
    const terms = statementTerms(statement);
    const scored = this.indexed.map((source, at) => ({ at, score: findSupport(statement, terms, source)?.score ?? 0 }));
    return scored.toSorted((a, b) => b.score - a.score).map(({ at }) => this.evidence[at]!);
  }

  /** Whether a source, or its title, holds every number, time and month of a statement, with its unit, in digits or in words of another language. */
  holdsNumbers(statement: string, source: number): boolean {
    const at = this.evidence.findIndex(({ number }) => number === source);
    const { text, title } = this.indexed[at]!;
    return !lacksQuantity(statement, `${title}\n${text}`) && !countsOtherwise(statement, text);
  }

  /** Null when nothing but missing support speaks against showing the unit. */
  objection({ text }: AnswerUnit): Objection | null {
    const plain = stripMarkers(text).trim();
    if ((plain.match(SYMBOL) ?? []).some((symbol) => !this.known.includes(symbol.toLowerCase()))) return 'stray';
    if ((plain.match(LEADING) ?? []).some((part) => !this.known.includes(part.toLowerCase()))) return 'stray';
    const terms = statementTerms(plain).filter((term) => term.isContent);
    if (terms.length === 0) return /[\p{L}\p{N}]/u.test(plain) ? 'wordless' : null;
    if (terms.some((term) => this.ordered.match(term) > 0 && !this.isKnown(term))) return 'order';
    if ((plain.match(IDENTIFIER) ?? []).some((word) => !this.known.includes(word.toLowerCase()))) return 'stray';
    const words = terms.reduce((sum, { sort }) => sum + (sort === 'gram' ? 0.5 : 1), 0);
    return words <= BARE_WORDS && !this.concernsQuestion(terms) ? 'bare' : null;
  }

  /** The sentences of a unit that say something, without markers; a part between markers counts as one. */
  statementsOf(text: string): string[] {
    return splitSentences(text)
      .flatMap(({ start, end }) => text.slice(start, end).split(/(?:\s?\[\d{1,3}\])+[.。!?！？]?/))
      .map((part) => withoutNotes(stripMarkers(part).trim()))
      .filter((part) => statementTerms(part).some((term) => term.isContent));
  }

  private scoreOf(statement: string): number {
    const terms = statementTerms(statement);
    return Math.max(0, ...this.indexed.map((source) => findSupport(statement, terms, source)?.score ?? 0));
  }

  private isKnown(term: Term): boolean {
    return this.question.match(term) > 0 || this.indexed.some(({ bag }) => bag.match(term) > 0);
  }

  /** Whether it shares a word with the question, or a sentence that holds most of it, or one beside that, does. */
  private concernsQuestion(terms: readonly Term[]): boolean {
    if (terms.some((term) => this.question.match(term) > 0)) return true;
    const asked = this.question.terms.filter((term) => term.isContent);
    return this.indexed.some(({ sentences }) => {
      const scores = sentences.map(({ bag }) => supportOf(terms, bag));
      const best = Math.max(0, ...scores);
      return sentences.some((_, index) => {
        const isHolder = scores[index]! > 0 && scores[index] === best;
        const around = sentences.slice(Math.max(0, index - 1), index + 2);
        return isHolder && around.some(({ bag }) => asked.some((term) => bag.match(term) > 0));
      });
    });
  }
}

/** In the order of the documents: an order at the end of one source may have its words at the beginning of the next. */
function cleanSources(sources: readonly StatementSource[]): { number: number; evidence: string; orders: string }[] {
  const cleaned = new Map<number, { number: number; evidence: string; orders: string }>();
  const byPlace = sources.toSorted(
    (a, b) => (a.documentId < b.documentId ? -1 : a.documentId > b.documentId ? 1 : 0) || a.start - b.start,
  );
  let open: { documentId: string; end: number } | undefined;
  for (const { number, text, start, documentId } of byPlace) {
    const follows = open?.documentId === documentId && start - open.end <= ADJACENT;
    const { evidence, orders, endsInOrder } = withoutOrders(text, follows);
    cleaned.set(number, { number, evidence, orders });
    open = endsInOrder ? { documentId, end: start + text.length } : undefined;
  }
  return sources.map(({ number }) => cleaned.get(number)!);
}
