import type { ModelCallOptions } from '#libs/ai';
import { GrowingText } from '#libs/common';
import { LinkFilter } from '#libs/text';
import type { ChatTurn } from './chat-turn.js';
import { MarkerFilter } from './marker-filter.js';
import { StopSequences } from './stop-sequences.js';
import { StrictRelease } from './strict-release.js';
import type { SupportMeasure } from './support-measure.js';

/** A model that does not keep to its limit of tokens is cut here; UTF-16 code units. */
const MAX_ANSWER = 256 * 1024;

/**
 * What of a model's text becomes the answer, as it comes: up to a stop text, without links that stand in no source, with strict
 * grounding only what is supported, without markers that point nowhere.
 */
export class AnswerText {
  /** Why no more is wanted of the model. */
  ended: 'stop' | 'length' | null = null;
  private readonly wrote = new GrowingText();
  private readonly passed = new GrowingText();
  private readonly stops: StopSequences;
  private readonly links: LinkFilter;
  private readonly markers: MarkerFilter;
  private readonly strict: StrictRelease | null;

  constructor(turn: ChatTurn, measure: SupportMeasure) {
    this.stops = new StopSequences(turn.stop);
    this.strict = turn.grounding === 'strict' ? new StrictRelease(measure, turn) : null;
    this.links = new LinkFilter((this.strict?.evidence ?? turn.sources).map(({ text }) => text));
    this.markers = new MarkerFilter(turn.sources.map(({ number }) => number));
  }

  /** All that the model wrote, up to a stop text. */
  get written(): string {
    return this.wrote.toString();
  }

  /** What is kept of it, with the markers as the model wrote them. */
  get kept(): string {
    return this.passed.toString();
  }

  /** Links and images that were taken out. */
  get removedLinks(): number {
    return this.links.removed;
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
    return this.pass(this.links.push(text), options);
  }

  /** The rest, when no more pieces come. */
  async flush(options: ModelCallOptions): Promise<string> {
    const held = this.ended === 'stop' ? '' : this.stops.flush();
    this.wrote.push(held);
    const shown = await this.pass(this.links.push(held) + this.links.flush(), options);
    const released = (await this.strict?.flush(options)) ?? '';
    this.passed.push(released);
    return shown + this.markers.push(released) + this.markers.flush();
  }

  private async pass(text: string, options: ModelCallOptions): Promise<string> {
    const released = this.strict === null ? text : await this.strict.push(text, options);
    this.passed.push(released);
    return this.markers.push(released);
  }
}
