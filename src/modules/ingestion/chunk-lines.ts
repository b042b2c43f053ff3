import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ChatModel, writeText, type ModelCaller } from '#libs/ai';
import { catalogueErrorOf, mapBounded } from '#libs/common';
import type { Chunk } from '#libs/text';
import type { BegunRun } from './attempt-run.js';
import type { EnrichmentPolicy } from '../ingestion-policy/index.js';
import { ChunkLinesRepository } from './chunk-lines.repository.js';
import { LINE_VERSION, lineTask, OPENING_CHARS } from './line-prompt.js';

/** Lines that are written at the same time for one document; over all documents the model's turns decide. */
const AT_ONCE = 4;
/** After so many failures one after the other the model is not asked about this document any more. */
const FAILURES_MOST = 3;
const BUDGET = 429;

/** The chunks of one document for which lines are written, piece by piece. */
export interface LineWriter {
  /** A line for each chunk, in their order; null where none could be had. Chunks before came with the calls before. */
  write(chunks: readonly Chunk[]): Promise<readonly (string | null)[]>;
  /** Why some have none; null: all have one. */
  readonly failure: string | null;
}

/** Has the chat model write where chunks stand in their documents. What was written once for a document is not asked for again. */
@Injectable()
export class ChunkLines {
  constructor(
    private readonly model: ChatModel,
    private readonly rows: ChunkLinesRepository,
  ) {}

  /** What decides lines beside the texts; undefined where the policy wants none. */
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

  async write(chunks: readonly Chunk[]): Promise<readonly (string | null)[]> {
    const { run, writer } = this.order;
    this.opening ??= openingOf(chunks);
    const hashes = chunks.map(hashOf);
    const known = await this.rows.find(run.ctx, run.document.id, writer, hashes);
    const before = [this.before, ...chunks.map(({ text }) => text)];
    this.before = before.at(-1)!;
    return mapBounded(chunks, AT_ONCE, async (chunk, at) => {
      const hash = hashes[at]!;
      const kept = known.get(hash.toString('hex'));
      if (kept !== undefined) return kept;
      return this.ask(chunk, hash, { before: before[at]!, after: chunks[at + 1]?.text ?? '' });
    });
  }

  /** A fault of our own is thrown; what the model, or what stands around it, says is a line that is missing. */
  private async ask(
    { text, headingPath: headings }: Chunk,
    hash: Buffer,
    beside: { readonly before: string; readonly after: string },
  ): Promise<string | null> {
    if (this.isGivenUp) return null;
    const { run, title, writer, maxTokens } = this.order;
    const { ctx, document, signal } = run;
    signal.throwIfAborted();
    const caller: ModelCaller = { tenantId: ctx.tenantId, datasetIds: [document.dataset_id], purpose: 'enrichment' };
    const task = lineTask({ title, headings, text, opening: this.opening ?? '', ...beside }, maxTokens);
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

  /** A budget that is used up stays so; a model that failed several times is busy or away. */
  private note(error: unknown): void {
    const known = catalogueErrorOf(error);
    if (known === undefined) throw error;
    this.failure = known.code;
    this.failuresInARow += 1;
    this.isGivenUp ||= known.status === BUDGET || this.failuresInARow >= FAILURES_MOST;
  }
}

/** The beginning of a document, of which its first chunks are given. */
function openingOf(chunks: readonly Chunk[]): string {
  let opening = '';
  for (const { text } of chunks) {
    if (opening.length >= OPENING_CHARS) break;
    opening += opening === '' ? text : `\n\n${text}`;
  }
  return opening.slice(0, OPENING_CHARS);
}

function hashOf({ headingPath, text }: Chunk): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([headingPath, text]))
    .digest();
}
