import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { Metrics } from '#libs/metrics';
import type { RequestContext } from '#libs/tenancy';
import { AttemptEnded, DocumentLifecycle, type IngestionStage } from '../documents/index.js';
import { IngestionPolicies } from '../ingestion-policy/index.js';
import { AttemptEnding } from './attempt-ending.js';
import { IngestionStages } from './ingestion-stages.js';
import { begunRun, type AttemptRun, type BegunRun } from './attempt-run.js';
import type { ChunkSet } from './chunk-sets.js';
import type { ClaimedTask } from './ingestion-tasks.repository.js';
import type { ParsedText } from './parsed-text.js';
import { completed } from './stage-events.js';

/** Takes one document through its stages. Whatever happens to it is decided here or by `AttemptEnding`; only a database that is away is thrown. */
@Injectable()
export class IngestionPipeline {
  constructor(
    private readonly lifecycle: DocumentLifecycle,
    private readonly policies: IngestionPolicies,
    private readonly stages: IngestionStages,
    private readonly ending: AttemptEnding,
    private readonly metrics: Metrics,
    private readonly logger: PinoLogger,
  ) {}

  /** Resolves to false when the document needs nothing any more. */
  async run(ctx: RequestContext, task: ClaimedTask, signal: AbortSignal): Promise<boolean> {
    const { documentId, token, tries } = task;
    const [begun] = await this.lifecycle.begin(ctx, [{ documentId, token }]);
    if (begun === undefined) return false;
    const run = begunRun(ctx, begun, signal);
    if (this.ending.isPoison(tries)) await this.ending.failPoison(run, tries);
    else await this.goThrough(run, tries);
    return true;
  }

  private async goThrough(begun: BegunRun, tries: number): Promise<void> {
    let stage: IngestionStage = 'parsing';
    const timed = async <T>(name: IngestionStage, work: () => Promise<T>): Promise<T> => {
      stage = name;
      const began = performance.now();
      const result = await work();
      this.metrics.observeStage(name, (performance.now() - began) / 1000);
      return result;
    };
    try {
      const { dataset_id: datasetId, policy_version: version } = begun.document;
      const { policy } = await this.policies.version(begun.ctx, datasetId, version);
      const run = { ...begun, policy };
      const text = await timed('parsing', () => this.stages.parse.run(run));
      const set = await timed('chunking', () => this.stages.chunk.run(run, text));
      await timed('embedding', () => this.stages.embed.run(run, set));
      await timed('vector_write', () => this.stages.write.run(run, set, text));
      await this.complete(run, set, text);
    } catch (error) {
      await this.ending.end({ run: begun, tries, stage }, error);
    }
  }

  private async complete(run: AttemptRun, set: ChunkSet, text: ParsedText): Promise<void> {
    const { ctx, attempt, document, warnings, clock } = run;
    run.warnings.push(...(await this.stages.findWarnings(run, set)));
    const totalMs = clock.elapsedMs;
    const result = {
      attempt,
      chunkSetId: set.id,
      chunkCount: set.chunk_count,
      tokenCount: Number(set.token_count),
      warnings,
      facts: text.facts,
      metadataSeq: document.metadata_seq,
      policyVersion: document.policy_version,
      events: completed(set, warnings, { ms: clock.endStage(), totalMs }),
    };
    const ended = await this.lifecycle.complete(
      ctx,
      { datasetId: document.dataset_id, results: [result] },
      async (manager, rows) => {
        if (rows.length > 0 && text.staged) await this.stages.texts.publish(manager, document.revision_id);
      },
    );
    if (ended.size === 0) throw new AttemptEnded(document.id);
    this.metrics.countOutcome('completed');
    const facts = { documentId: document.id, chunks: set.chunk_count, ms: totalMs, requestId: ctx.requestId };
    this.logger.info(facts, 'document.completed');
  }
}
