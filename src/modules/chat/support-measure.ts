import { Injectable } from '@nestjs/common';
import { Reranker, type ModelCallOptions } from '#libs/ai';
import { Settings } from '#libs/config';
import { StatementJudge, type AnswerUnit } from '#libs/text';
import { SUPPORT_THRESHOLDS, type GroundingMethod } from './support-threshold.js';

/** Measures support by the method that the installation has chosen (`GROUNDING_METHOD`). */
@Injectable()
export class SupportMeasure {
  readonly method: GroundingMethod;
  readonly threshold: number;

  constructor(
    private readonly reranker: Reranker,
    settings: Settings,
  ) {
    this.method = settings.values.groundingMethod;
    this.threshold = SUPPORT_THRESHOLDS[this.method];
  }

  /** How far the best source supports a unit, 0 to 1: its least supported sentence counts. @throws what the reranker throws. */
  async score(judge: StatementJudge, unit: AnswerUnit, options: ModelCallOptions): Promise<number> {
    const lexical = judge.score(unit);
    if (this.method === 'lexical') return lexical;
    const { maxDocuments } = this.reranker.descriptor;
    const documents = judge.evidence.slice(0, maxDocuments).map(({ number, text }) => ({ id: String(number), text }));
    let least = 1;
    for (const statement of judge.statementsOf(unit.text)) {
      const [best] = await this.bestOf(statement, documents, options);
      least = Math.min(least, best ?? 0);
    }
    return least;
  }

  private async bestOf(
    statement: string,
    documents: readonly { id: string; text: string }[],
    options: ModelCallOptions,
  ): Promise<readonly number[]> {
    const { documents: best } = await this.reranker.rerank(statement, documents, { ...options, topN: 1 });
    return best.map(({ score }) => score);
  }
}
