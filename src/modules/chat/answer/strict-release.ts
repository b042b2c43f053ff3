import type { ModelCallOptions } from '#libs/ai';
import { AnswerUnits, StatementJudge, type AnswerUnit } from '#libs/answering';
import type { ChatTurn } from '../turn/chat-turn.js';
import type { SupportMeasure } from './support-measure.service.js';
import { evidenceOf } from '../turn/turn-evidence.js';

/** Passes on the parts of an answer that its sources support, each when it is complete; the others are left out and counted. */
export class StrictRelease {
  /** Parts that were left out although they say something. */
  withheld = 0;
  /** Whether anything that says something was let through. */
  hasReleased = false;
  private readonly units = new AnswerUnits();
  private readonly judge: StatementJudge;

  constructor(
    private readonly measure: SupportMeasure,
    turn: Pick<ChatTurn, 'sources' | 'computed' | 'asked' | 'retrieval'>,
  ) {
    this.judge = new StatementJudge(evidenceOf(turn), `${turn.asked}\n${turn.retrieval.query}`);
  }

  /** The sources without the orders that they give: what links and sentences are compared with. */
  get evidence(): StatementJudge['evidence'] {
    return this.judge.evidence;
  }

  /** Takes the next piece and gives out what is whole and supported. */
  push(piece: string, options: ModelCallOptions): Promise<string> {
    return this.release(this.units.push(piece), options);
  }

  /** What is left, when no more pieces come. */
  flush(options: ModelCallOptions): Promise<string> {
    return this.release(this.units.flush(), options);
  }

  /** Whether a text can be shown as it is. */
  private async supports(unit: AnswerUnit, options: ModelCallOptions): Promise<boolean> {
    if (this.judge.objection(unit) !== null) return false;
    return (await this.measure.score(this.judge, unit, options)) >= this.measure.threshold;
  }

  /**
   * Whether a value of a JSON answer can be shown: as a sentence can, but it need not concern the question by itself, since the name under
   * which it is says what it is. The name must hold no word that only an order holds.
   */
  async supportsValue(key: string, text: string, options: ModelCallOptions): Promise<boolean> {
    const name: AnswerUnit = { kind: 'text', text: key.replace(/[_-]+/g, ' ') };
    if (this.judge.objection(name) === 'order') return false;
    const unit: AnswerUnit = { kind: 'text', text };
    const objection = this.judge.objection(unit);
    if (objection !== null && objection !== 'bare') return false;
    return (await this.measure.score(this.judge, unit, options)) >= this.measure.threshold;
  }

  private async release(units: readonly AnswerUnit[], options: ModelCallOptions): Promise<string> {
    let out = '';
    for (const unit of units) {
      const isSupported = await this.supports(unit, options);
      const says = /[\p{L}\p{N}\p{S}]/u.test(unit.text);
      if (!isSupported) {
        if (says) this.withheld += 1;
        continue;
      }
      this.hasReleased ||= says;
      out += unit.text;
    }
    return out;
  }
}
