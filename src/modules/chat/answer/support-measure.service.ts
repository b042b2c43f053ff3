import { Inject, Injectable } from '@nestjs/common';
import { EntailmentModel, GROUNDING_METHODS, Reranker, type GroundingMethod, type ModelCallOptions } from '#libs/ai';
import { assertNever } from '#libs/common';
import { Settings } from '#libs/config';
import { StatementJudge, type AnswerUnit, SUPPORTED_SCORE } from '#libs/answering';

/**
 * Measures from which a sentence counts as supported. Lexical: the weighted share of its words that a source contains. Reranker: its score of a
 * source with the sentence as query; the threshold is the middle of a cross-encoder's scale. NLI: the probability that a source entails it; above
 * a half, entailment is more probable than all other labels together.
 */
const SUPPORT_THRESHOLDS: Readonly<Record<GroundingMethod, number>> = {
  lexical: SUPPORTED_SCORE,
  reranker: 0.5,
  nli: 0.5,
};

/** Sources that an entailment model reads for one sentence at most. */
const MAX_READ = 12;

/** Measures support by the configured method (`GROUNDING_METHOD`). */
@Injectable()
export class SupportMeasure {
  readonly method: GroundingMethod;
  readonly threshold: number;

  constructor(
    private readonly reranker: Reranker,
    @Inject(EntailmentModel) private readonly entailment: EntailmentModel | null,
    settings: Settings,
  ) {
    this.method = methodOf(settings);
    this.threshold = SUPPORT_THRESHOLDS[this.method];
  }

  /** How far the sources support a unit, 0 to 1: its least supported sentence counts. @throws what the model throws. */
  async score(judge: StatementJudge, unit: AnswerUnit, options: ModelCallOptions): Promise<number> {
    if (this.method === 'lexical') return judge.score(unit);
    let least = 1;
    for (const statement of judge.statementsOf(unit.text)) {
      least = Math.min(least, await this.scoreOf(judge, statement, options));
    }
    return least;
  }

  private scoreOf(judge: StatementJudge, statement: string, options: ModelCallOptions): Promise<number> | number {
    switch (this.method) {
      case 'lexical':
        return judge.score({ kind: 'text', text: statement });
      case 'reranker':
        return this.rerank(judge, statement, options);
      case 'nli':
        return this.entail(judge, statement, options);
      default:
        return assertNever(this.method);
    }
  }

  /**
   * The score of the best source that holds the numbers of the statement: a reranking model tells what a text is about, and has nearly the
   * same score for “27 days” and “31 days”.
   */
  private async rerank(judge: StatementJudge, statement: string, options: ModelCallOptions): Promise<number> {
    const { maxDocuments } = this.reranker.descriptor;
    const documents = judge.evidence.slice(0, maxDocuments).map(({ number, text }) => ({ id: String(number), text }));
    const { documents: ranked } = await this.reranker.rerank(statement, documents, options);
    return ranked.find(({ id }) => judge.holdsNumbers(statement, Number(id)))?.score ?? 0;
  }

  /**
   * The probability that a source entails the statement. Sources are read one after the other, those with the most of its words first,
   * until one supports it: each takes the model time, and mostly the first one does.
   */
  private async entail(judge: StatementJudge, statement: string, options: ModelCallOptions): Promise<number> {
    let best = 0;
    for (const { text } of judge.evidenceFor(statement).slice(0, MAX_READ)) {
      const [probability = 0] = await this.entailment!.entail(statement, [text], options);
      best = Math.max(best, probability);
      if (best >= this.threshold) break;
    }
    return best;
  }
}

function methodOf({ values }: Settings): GroundingMethod {
  const method = GROUNDING_METHODS.find((known) => known === values.groundingMethod);
  if (method === undefined) throw new Error(`GROUNDING_METHOD=${values.groundingMethod} has no measure`);
  return method;
}
