import { Injectable } from '@nestjs/common';
import { ChatModel, writeText, type ModelCaller } from '#libs/ai';
import { catalogueErrorOf, mapBounded } from '#libs/common';
import type { Chunk } from '#libs/text';
import type { BegunRun } from '../attempt/attempt-run.js';
import type { EnrichmentPolicy } from '../../ingestion-policy/index.js';
import { ChunkLinesRepository } from '../../content/index.js';
import { LINE_VERSION, lineKey, lineTask, OPENING_CHARS, type ChunkInDocument } from './line-prompt.js';

/** Number of lines that are written at the same time for one document; the total is limited by the model's turns. */
const AT_ONCE = 4;
/** Number of chunks from which the beginning of a document is taken: the size of the first piece of a long document. */
const OPENING_CHUNKS = 64;
/** Number of consecutive failures after which the model is no longer called for this document. */
const FAILURES_MOST = 3;
const BUDGET = 429;

/** Writes lines for the chunks of one document, piece by piece. */
export interface LineWriter {
  /**
   * A line for each chunk, in order; null: none could be written. Earlier chunks came with the previous calls; `next` is the chunk after
   * them.
   */
  write(chunks: readonly Chunk[], next: Chunk | undefined): Promise<readonly (string | null)[]>;
  /** Why some chunks have no line; null: all have one. */
  readonly failure: string | null;
}

/**
 * Lets the chat model write lines about the place of chunks in their documents. A line is identified by the whole input of the model: a
 * line that was written for a document is not requested again, and it is never given to a chunk with other surroundings.
 */
@Injectable()
export class ChunkLines {
  constructor(
    private readonly model: ChatModel,
    private readonly rows: ChunkLinesRepository,
  ) {}

  /** Model, version and length, which determine lines besides the texts; undefined if the policy wants no lines. */
  writerOf({ context, max_tokens: maxTokens }: EnrichmentPolicy): string | undefined {
    const { provider, model } = this.model.descriptor;
    return context === 'llm' ? `${provider}/${model}/${LINE_VERSION}/${maxTokens}` : undefined;
  }

  open(run: BegunRun, title: string, policy: EnrichmentPolicy): LineWriter | null {
    const writer = this.writerOf(policy);
    return writer === undefined
      ? null
      : new DocumentLines(this.model, this.rows, { run, title, writer, maxTokens: policy.max_tokens });
  }
}

interface Order {
  readonly run: BegunRun;
  readonly title: string;
  readonly writer: string;
  readonly maxTokens: number;
}

class DocumentLines implements LineWriter {
  failure: string | null = null;
  private opening: string | undefined;
  private before = '';
  private failuresInARow = 0;
  private isGivenUp = false;

  constructor(
    private readonly model: ChatModel,
    private readonly rows: ChunkLinesRepository,
    private readonly order: Order,
  ) {
    if (model.descriptor.kind === 'generative') return;
    this.isGivenUp = true;
    this.failure = 'no chat model that writes text of its own is configured (CHAT_PROVIDER)';
  }

  async write(chunks: readonly Chunk[], next: Chunk | undefined): Promise<readonly (string | null)[]> {
    const { run, writer } = this.order;
    const shown = this.placesOf(chunks, next);
    const keys = shown.map((place) => lineKey(place).toString('hex'));
    // Chunks with the same input for the model share one line.
    const places = new Map(keys.map((key, at) => [key, shown[at]!]));
    const hashes = [...places.keys()].map((key) => Buffer.from(key, 'hex'));
    const lines = new Map<string, string | null>(await this.rows.find(run.ctx, run.document.id, writer, hashes));
    const missing = [...places].filter(([key]) => !lines.has(key));
    await mapBounded(missing, AT_ONCE, async ([key, place]) => {
      lines.set(key, await this.ask(place, Buffer.from(key, 'hex')));
    });
    return keys.map((key) => lines.get(key) ?? null);
  }

  private placesOf(chunks: readonly Chunk[], next: Chunk | undefined): ChunkInDocument[] {
    const { title } = this.order;
    this.opening ??= openingOf(chunks);
    const { opening } = this;
    const before = [this.before, ...chunks.map(({ text }) => text)];
    this.before = before.at(-1)!;
    return chunks.map(({ text, headingPath: headings }, at) => {
      const after = (chunks[at + 1] ?? next)?.text ?? '';
      return { title, headings, opening, before: before[at]!, text, after };
    });
  }

  /** Faults of the service are thrown; errors of the model or its connection only leave the line out. */
  private async ask(place: ChunkInDocument, hash: Buffer): Promise<string | null> {
    if (this.isGivenUp) return null;
    const { run, writer, maxTokens } = this.order;
    const { ctx, document, signal } = run;
    signal.throwIfAborted();
    const caller: ModelCaller = { tenantId: ctx.tenantId, datasetIds: [document.dataset_id], purpose: 'enrichment' };
    const task = lineTask(place, maxTokens);
    let line: string;
    try {
      line = await writeText(this.model, task, { signal, caller });
    } catch (error) {
      signal.throwIfAborted();
      this.note(error);
      return null;
    }
    this.failuresInARow = 0;
    await this.rows.keep(ctx, document.id, writer, hash, line);
    return line;
  }

  /** Whether to stop: a used-up budget stays so, and a model that failed several times is busy or unavailable. */
  private note(error: unknown): void {
    const known = catalogueErrorOf(error);
    if (known === undefined) throw error;
    this.failure = known.code;
    this.failuresInARow += 1;
    this.isGivenUp ||= known.status === BUDGET || this.failuresInARow >= FAILURES_MOST;
  }
}

/** The beginning of a document, from its first chunks. */
function openingOf(chunks: readonly Chunk[]): string {
  let opening = '';
  for (const { text } of chunks.slice(0, OPENING_CHUNKS)) {
    if (opening.length >= OPENING_CHARS) break;
    opening += opening === '' ? text : `\n\n${text}`;
  }
  return opening.slice(0, OPENING_CHARS);
}
