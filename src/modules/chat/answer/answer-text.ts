import type { ModelCallOptions } from '#libs/ai';
import { GrowingText } from '#libs/common';
import type { AnswerMarkup, AnswerRewriter } from '../markup/answer-markup.js';
import type { Marker } from '#libs/answering';
import type { ChatTurn } from '../turn/chat-turn.js';
import { StopSequences } from './stop-sequences.js';
import { StrictRelease } from './strict-release.js';
import type { SupportMeasure } from './support-measure.service.js';

/** A model that does not keep to its limit of tokens is cut here; UTF-16 code units. */
const MAX_ANSWER = 256 * 1024;

/**
 * Turns the text of a model into the answer while it comes: up to a stop text, with strict grounding only what is supported, without markers that
 * name no source, and rewritten as Markdown without links to other places and without content to load. The rewriting comes last, so that nothing
 * changes its result.
 */
export class AnswerText {
  /** Why no more is wanted of the model. */
  ended: 'stop' | 'length' | null = null;
  private readonly wrote = new GrowingText();
  private readonly given = new GrowingText();
  private readonly stops: StopSequences;
  private readonly rewriter: AnswerRewriter;
  private readonly strict: StrictRelease | null;

  constructor(turn: ChatTurn, measure: SupportMeasure, markup: AnswerMarkup) {
    this.stops = new StopSequences(turn.stop);
    this.strict = turn.grounding === 'strict' ? new StrictRelease(measure, turn) : null;
    this.rewriter = markup.open(turn.sources.map(({ number }) => number));
  }

  /** All that the model wrote, up to a stop text. */
  get written(): string {
    return this.wrote.toString();
  }

  /** The answer, as it was given out. */
  get delivered(): string {
    return this.given.toString();
  }

  /** The markers of the answer. */
  get markers(): readonly Marker[] {
    return this.rewriter.markers;
  }

  /** Markers that named no source and were taken out, and links, images, addresses and tags that are shown as text. */
  get removed(): { readonly removedMarkers: number; readonly removedLinks: number } {
    return { removedMarkers: this.rewriter.removedMarkers, removedLinks: this.rewriter.shownAsText };
  }

  /** Sentences that strict grounding has left out. */
  get withheld(): number {
    return this.strict?.withheld ?? 0;
  }

  /** Whether there is anything that strict grounding has let through, or there is no strict grounding. */
  get hasReleased(): boolean {
    return this.strict?.hasReleased ?? true;
  }

  /** Takes the next piece and gives out the text that is certain; it may be empty. */
  async push(piece: string, options: ModelCallOptions): Promise<string> {
    const { text, stopped } = this.stops.push(piece);
    this.wrote.push(text);
    if (stopped) this.ended = 'stop';
    else if (this.wrote.length > MAX_ANSWER) this.ended = 'length';
    return this.give(this.rewriter.push(await this.supported(text, options)));
  }

  /** The rest, when no more pieces come. */
  async flush(options: ModelCallOptions): Promise<string> {
    const held = this.ended === 'stop' ? '' : this.stops.flush();
    this.wrote.push(held);
    const released = (await this.supported(held, options)) + ((await this.strict?.flush(options)) ?? '');
    return this.give(this.rewriter.push(released) + this.rewriter.flush());
  }

  private async supported(text: string, options: ModelCallOptions): Promise<string> {
    return this.strict === null ? text : this.strict.push(text, options);
  }

  private give(text: string): string {
    this.given.push(text);
    return text;
  }
}
