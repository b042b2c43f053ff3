import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { CatalogueError } from '#libs/common';
import { ParseError } from '#libs/parsing';
import type { RequestContext } from '#libs/tenancy';
import {
  AttemptEnded,
  DocumentLifecycle,
  type Attempt,
  type DocumentFailure,
  type IngestionStage,
} from '../documents/index.js';
import { IngestionPolicies } from '../ingestion-policy/index.js';
import type { AttemptRun } from './attempt-run.js';
import { ChunkStage } from './chunk.stage.js';
import { EmbedStage } from './embed.stage.js';
import { ParseStage } from './parse.stage.js';
import { WriteStage } from './write.stage.js';

/** A document whose tries all ended without a result is given up after so many. */
const MOST_TRIES = 5;
/** A document that was begun so often and never came to an end takes its worker down with it. */
const MOST_BEGINNINGS = 20;

/** Takes one document through its stages. What the file itself is to blame for ends in `failed`; anything else is thrown, to be tried again. */
@Injectable()
export class IngestionPipeline {
  constructor(
    private readonly lifecycle: DocumentLifecycle,
    private readonly policies: IngestionPolicies,
    private readonly parse: ParseStage,
    private readonly chunk: ChunkStage,
    private readonly embed: EmbedStage,
    private readonly write: WriteStage,
    private readonly logger: PinoLogger,
  ) {}

  /** Resolves false when the document needs nothing any more. */
  async run(ctx: RequestContext, attempt: Attempt, tries: number, signal: AbortSignal): Promise<boolean> {
    const document = await this.lifecycle.begin(ctx, attempt);
    if (document === undefined) return false;
    if (tries > MOST_BEGINNINGS) {
      await this.lifecycle.fail(ctx, attempt, interrupted(tries), []);
      return true;
    }
    const { policy } = await this.policies.version(ctx, document.dataset_id, document.policy_version);
    const run: AttemptRun = { ctx, attempt, document, policy, signal, warnings: [] };
    const started = Date.now();
    let stage: IngestionStage = 'parsing';
    try {
      const text = await this.parse.run(run);
      stage = 'chunking';
      const set = await this.chunk.run(run, text);
      stage = 'embedding';
      await this.embed.run(run, set);
      stage = 'vector_write';
      await this.write.run(run, set);
      await this.complete(run, set, started);
    } catch (error) {
      const ended = error instanceof AttemptEnded || signal.reason instanceof AttemptEnded;
      if (ended) await this.lifecycle.disown(ctx, attempt, document);
      if (ended || signal.aborted) throw error;
      const failure = failureOf(error, stage, tries);
      if (failure === undefined) throw error;
      await this.lifecycle.fail(ctx, attempt, failure, run.warnings);
      this.logger.info(
        { documentId: document.id, stage, code: failure.code, requestId: ctx.requestId },
        'document.failed',
      );
    }
    return true;
  }

  private async complete(run: AttemptRun, set: Awaited<ReturnType<ChunkStage['run']>>, started: number): Promise<void> {
    if (set.chunk_count === 0) {
      run.warnings.push({
        code: 'ZERO_CHUNKS',
        detail: 'The document holds no text that could be indexed, so no search can find it.',
      });
    }
    const durationMs = Date.now() - started;
    await this.lifecycle.complete(run.ctx, run.attempt, {
      datasetId: run.document.dataset_id,
      stage: 'vector_write',
      progress: 100,
      details: { rows: set.chunk_count },
      chunkSetId: set.id,
      chunkCount: set.chunk_count,
      tokenCount: Number(set.token_count),
      warnings: run.warnings,
      durationMs,
    });
    const facts = {
      documentId: run.document.id,
      chunks: set.chunk_count,
      ms: durationMs,
      requestId: run.ctx.requestId,
    };
    this.logger.info(facts, 'document.completed');
  }
}

function interrupted(tries: number): DocumentFailure {
  const message = `Its ingestion was begun ${tries - 1} times and the worker died each time. Check the file, and the memory of the worker.`;
  return { code: 'WORKER_LOST', stage: 'parsing', retryable: true, message };
}

/** What a document shows when it fails for good; undefined for a fault that another try may not meet. */
function failureOf(error: unknown, stage: IngestionStage, tries: number): DocumentFailure | undefined {
  if (error instanceof ParseError && (!error.retryable || tries >= MOST_TRIES)) {
    return { code: error.code, stage, retryable: error.retryable, message: error.detail };
  }
  if (tries < MOST_TRIES) return undefined;
  const code = error instanceof CatalogueError ? error.code : 'INTERNAL_ERROR';
  const message =
    error instanceof CatalogueError
      ? error.message
      : `Ingestion failed ${tries} times at the stage ${stage}. Retry it; if it fails again, report the request_id.`;
  return { code, stage, retryable: true, message };
}
