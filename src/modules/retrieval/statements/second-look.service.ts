import { Injectable } from '@nestjs/common';
import { InstalledModels, type ModelCallOptions } from '#libs/ai';
import type { RequestContext } from '#libs/tenancy';
import { splitStatements, statementText } from '#libs/answering';
import type { ScopedCandidate } from '../ranking/candidate-scorer.service.js';
import type { Ranked } from '../ranking/ranking.js';
import { refusalOf } from '../request/model-refusal.js';
import { DEADLINE_MS } from '../request/search-deadline.js';
import type { LookFailure, SentenceLikeness, StrangeOfText } from '../results/retrieval-outcome.js';
import { RetrievalRepository } from '../rows/retrieval.repository.js';
import { EmbeddingScales } from '../scales/embedding-scales.service.js';
import type { Scoring } from '../candidates/scoring.js';
import type { SearchPlan } from '../results/search-plan.js';
import { languageOf, likenessTo, type Look, type LookedText } from './look.js';
import { StatementVectors } from './statement-vectors.service.js';
import { StrangeWords } from './strange-words.service.js';

/** Number of first results whose statements are compared, regardless of `top_k`, so that fewer results are a prefix of more. */
const LOOKED_AT = 10;
/** Statements of one chunk that are compared, and how long they are at most. */
const MOST_STATEMENTS = 16;
const MOST_CHARS = 600;
/** Where words say as much as this of the question, they order better. */
export const ENOUGH_WORDS = 0.12;
/** What is quoted is compared up to here, where the order stays: to tell a near miss whose words are shared. */
const ENOUGH_TO_QUOTE = 0.3;
/** A model below this trust knows too little of the language. */
const LEAST_TRUST = 0.8;
/** What the place in the list counts beside the likeness of the best statement, both in their own deviations. */
const PLACE = 0.5;
/** What stood among the first three stays among the first eight, which a chat is given. */
const KEPT = 3;
const GIVEN = 8;

/** The list in its order after the second look, and what was compared for it. */
export interface LookedAgain {
  readonly ranked: readonly Ranked<ScopedCandidate>[];
  readonly likeness?: SentenceLikeness;
  /** Undefined: all was compared, or nothing was to be. */
  readonly failure?: LookFailure;
}

/**
 * Compares the statements of the first results with the question one by one, where few words of the question occur: the vector of a whole chunk
 * is the mean of all its statements, in which the one that answers gets lost.
 */
@Injectable()
export class SecondLook {
  constructor(
    private readonly models: InstalledModels,
    private readonly repository: RetrievalRepository,
    private readonly scales: EmbeddingScales,
    private readonly vectors: StatementVectors,
    private readonly strangeWords: StrangeWords,
  ) {}

  /** When the model fails, the search continues with what was compared before. @throws the signal's reason after an abort */
  async look(
    ctx: RequestContext,
    plan: SearchPlan,
    scoring: Scoring,
    ranked: readonly Ranked<ScopedCandidate>[],
  ): Promise<LookedAgain> {
    const first = ranked.slice(0, LOOKED_AT);
    const words = Math.max(0, ...first.map(({ item }) => item.keyword ?? 0));
    const isOrdered = words < ENOUGH_WORDS;
    const isLooked = first.length > 0 && (isOrdered || plan.isQuoted === true);
    const how = isLooked ? await this.lookOf(plan, scoring) : null;
    if (how === null) return { ranked };
    const texts = await this.read(ctx, first);
    // What comes after it takes its time, too.
    const limit = AbortSignal.timeout(DEADLINE_MS / 2);
    const call = callOf(ctx, plan, AbortSignal.any([plan.signal, limit]));
    const failureOf = (of: LookFailure['of'], error: unknown): LookFailure => {
      plan.signal.throwIfAborted();
      const code = limit.aborted ? 'ai.provider_unavailable' : refusalOf(error);
      if (code === undefined) throw error;
      return { code, of };
    };
    let failure: LookFailure | undefined;
    let alike: readonly (readonly number[])[] = texts.map(nothingCompared);
    try {
      if (words < ENOUGH_TO_QUOTE) alike = await this.compare(how, texts, call);
    } catch (error) {
      return { ranked, failure: failureOf('statements', error) };
    }
    // The vector of an expanded question is not that of its words, and words of earlier questions lead away from most answers.
    const isAsked = plan.isQuoted === true && plan.isFollowUp !== true && plan.expanded.texts.length === 0;
    let strange: readonly StrangeOfText[] = texts.map(() => []);
    try {
      if (isAsked) strange = await this.strangeWords.find(plan.query, how, texts, call);
    } catch (error) {
      failure = failureOf('words', error);
    }
    const failed = failure === undefined ? {} : { failure };
    const likeness: SentenceLikeness = new Map(
      texts.map(({ id, body }, at) => [
        id,
        { text: body, of: alike[at]!, answersFrom: how.answersFrom, strange: strange[at]! },
      ]),
    );
    if (!isOrdered) return { ranked, likeness, ...failed };
    const best = first.map(({ item }) => Math.max(0, ...(likeness.get(item.id)?.of ?? [])));
    // They share out the scores that they had: what is first has the greatest.
    const looked = inNewOrder(first, best).map((entry, at) => ({ ...entry, score: first[at]!.score }));
    return { ranked: [...looked, ...ranked.slice(LOOKED_AT)], likeness, ...failed };
  }

  /** Null where nothing is to be looked at again: other methods, several models, a share that the request names, a model that is not trusted. */
  private async lookOf({ options }: SearchPlan, scoring: Scoring): Promise<Look | null> {
    const { searchMethod, fusion, mmr } = options;
    const [space, ...others] = new Set(scoring.spaces.values());
    if (searchMethod !== 'hybrid' || !fusion.byTrust || mmr !== null) return null;
    if (space === undefined || others.length > 0) return null;
    const read = scoring.calibrations.get(space);
    const embedder = this.models.embedderOf(space);
    const question = scoring.vectors.get(space);
    if (read === undefined || read.calibration === null || embedder === undefined || question === undefined)
      return null;
    const { answersFrom } = embedder.descriptor;
    if (read.trust < LEAST_TRUST || answersFrom === undefined) return null;
    const centre = await this.scales.centreOf(embedder);
    if (centre === null) return null;
    const look = { embedder, centre, answersFrom, language: read.language ?? 'und' };
    return { ...look, likeness: likenessTo(question, look) };
  }

  private async read(ctx: RequestContext, first: readonly Ranked<ScopedCandidate>[]): Promise<LookedText[]> {
    const ids = first.map(({ item }) => item.id);
    const rows = new Map((await this.repository.listTexts(ctx, ids)).map((row) => [row.id, row]));
    // In the order of the list: what comes first is looked at, whatever order the database has.
    const ordered = ids.flatMap((id) => rows.get(id) ?? []);
    return ordered.map(({ id, heading_path: headings, body }) => {
      const statements = splitStatements(body, headings.at(-1) ?? null);
      const texts = statements.map((one) =>
        one.kind === 'heading' || one.isHead ? null : statementText(body, one).slice(0, MOST_CHARS),
      );
      return {
        id,
        body,
        title: headings.join('\n'),
        texts: texts.map((text, at) => (at < MOST_STATEMENTS ? text : null)),
      };
    });
  }

  /** How alike each statement of each text is to the question. */
  private async compare(how: Look, texts: readonly LookedText[], call: ModelCallOptions): Promise<number[][]> {
    const wanted = texts.flatMap((one) => one.texts.filter((text) => text !== null));
    const vectors = await this.vectors.of(how.embedder, wanted, call);
    return texts.map((one) => {
      const own = languageOf(one, how);
      return one.texts.map((text) => (text === null ? 0 : how.likeness.of(vectors.get(text)!, own)));
    });
  }
}

function callOf(
  { tenantId }: RequestContext,
  { datasets, purpose = 'search' }: SearchPlan,
  signal: AbortSignal,
): ModelCallOptions {
  return { signal, caller: { tenantId, datasetIds: datasets.map(({ id }) => id), purpose } };
}

function nothingCompared({ texts }: LookedText): number[] {
  return texts.map(() => 0);
}

/** By their places and how alike they are; what stood among the first three stays among those that a chat is given. */
function inNewOrder<T extends { readonly score: number }>(first: readonly T[], alike: readonly number[]): T[] {
  const [byPlace, byLikeness] = [inDeviations(first.map(({ score }) => score)), inDeviations(alike)];
  const values = byPlace.map((value, at) => PLACE * value + byLikeness[at]!);
  const order = first.map((_, at) => at).sort((a, b) => values[b]! - values[a]!);
  const lost = order.slice(GIVEN).filter((at) => at < KEPT);
  const kept = order.filter((at) => !lost.includes(at));
  return [...kept.slice(0, GIVEN - lost.length), ...lost, ...kept.slice(GIVEN - lost.length)].map((at) => first[at]!);
}

/** How many standard deviations each value lies above their mean; all 0 where they are the same. */
function inDeviations(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return values.map((value) => (deviation === 0 ? 0 : (value - mean) / deviation));
}
