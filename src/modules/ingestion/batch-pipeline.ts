import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { Metrics } from '#libs/metrics';
import type { RequestContext } from '#libs/tenancy';
import { DocumentLifecycle } from '../documents/index.js';
import { IngestionPolicies, type IngestionPolicy } from '../ingestion-policy/index.js';
import { AttemptEnding, hasEnded, type UnfinishedRun } from './attempt-ending.js';
import { begunRun, type BegunRun } from './attempt-run.js';
import { BatchDocument } from './batch-document.js';
import { BatchStages } from './batch-stages.js';
import type { ClaimedTask } from './ingestion-tasks.repository.js';
import { completed } from './stage-events.js';

/** Only documents that were not tried before go together. */
const FIRST_TRY = 1;

/** A document that a run holds. */
export interface HeldTask {
  readonly task: ClaimedTask;
  /** Fires when its lease is lost, or the service stops. */
  readonly signal: AbortSignal;
}

/**
 * Takes small documents of one dataset through the stages together: the same checkpoints and the same rows as one by one, in a
 * few transactions for all of them. A file's own fault ends its document alone; any other fault sends the documents back, to
 * go on one by one.
 */
@Injectable()
export class BatchPipeline {
  constructor(
    private readonly lifecycle: DocumentLifecycle,
    private readonly policies: IngestionPolicies,
    private readonly stages: BatchStages,
    private readonly ending: AttemptEnding,
    private readonly metrics: Metrics,
    private readonly logger: PinoLogger,
  ) {}

  /** Resolves to the tasks whose documents need nothing any more. `stopping` fires when the service stops. */
  async run(ctx: RequestContext, held: readonly HeldTask[], stopping: AbortSignal): Promise<ClaimedTask[]> {
    const begun = await this.lifecycle.begin(
      ctx,
      held.map(({ task }) => ({ documentId: task.documentId, token: task.token })),
    );
    const tasks = new Map<string, HeldTask>(held.map((one) => [one.task.documentId, one]));
    const runs = begun.map((one) => {
      const { task, signal } = tasks.get(one.row.id)!;
      return begunRun({ ...ctx, requestId: task.requestId ?? ctx.requestId }, one, signal);
    });
    let documents: BatchDocument[] = [];
    try {
      documents = await this.documentsOf(ctx, runs);
      await this.goThrough(ctx, documents, stopping);
    } catch (error) {
      const open = runs.map((run) => documents.find((one) => one.run.document === run.document) ?? unread(run));
      await this.ending.endTogether(
        open.filter((one) => !('isOver' in one && one.isOver)),
        error,
      );
    }
    const needed = new Set<string>(begun.map(({ row }) => row.id));
    return held.filter(({ task }) => !needed.has(task.documentId)).map(({ task }) => task);
  }

  private async goThrough(
    ctx: RequestContext,
    documents: readonly BatchDocument[],
    stopping: AbortSignal,
  ): Promise<void> {
    await this.stages.parse(documents);
    const parsed = await this.sortOut(documents);
    stopping.throwIfAborted();
    await this.stages.chunk(ctx, parsed);
    stopping.throwIfAborted();
    await this.stages.embed(parsed, stopping);
    const owned = await this.stages.keep(ctx, await this.stillHeld(parsed));
    await this.disown(parsed, owned);
    await this.stages.store(ctx, owned, stopping);
    await this.complete(ctx, owned);
  }

  /** Documents without a text go on by themselves, now that the others need not wait for them. */
  private async sortOut(documents: readonly BatchDocument[]): Promise<BatchDocument[]> {
    const open = await this.stillHeld(documents);
    const slow = open.filter(({ text }) => text === undefined);
    for (const document of slow) document.isOver = true;
    await this.ending.sendBack(slow);
    return open.filter(({ text }) => text !== undefined);
  }

  /** What was lost meanwhile is taken out of the store and forgotten. */
  private async stillHeld(documents: readonly BatchDocument[]): Promise<BatchDocument[]> {
    const open = documents.filter(({ isOver }) => !isOver);
    const held = open.filter(({ run }) => !hasEnded(run));
    await this.disown(open, held);
    return held;
  }

  private async disown(documents: readonly BatchDocument[], kept: readonly BatchDocument[]): Promise<void> {
    const gone = documents.filter((document) => !document.isOver && !kept.includes(document));
    for (const document of gone) document.isOver = true;
    await this.ending.disown(gone.map(({ run }) => run));
  }

  private async complete(ctx: RequestContext, documents: readonly BatchDocument[]): Promise<void> {
    const [first] = documents;
    if (first === undefined) return;
    const datasetId = first.run.document.dataset_id;
    const results = documents.map((document) => {
      const { run, text } = document;
      const set = document.set!;
      document.storeMs = run.clock.endStage();
      const warnings = [...run.warnings, ...this.stages.findWarnings(document)];
      return {
        attempt: run.attempt,
        chunkSetId: set.id,
        chunkCount: set.chunk_count,
        tokenCount: Number(set.token_count),
        warnings,
        facts: text!.text.facts,
        metadataSeq: run.document.metadata_seq,
        policyVersion: run.document.policy_version,
        events: completed(set, warnings, { ms: document.storeMs, totalMs: run.clock.elapsedMs }),
      };
    });
    const shown = await this.lifecycle.complete(ctx, { datasetId, results });
    const ended = documents.filter(({ run }) => shown.has(run.document.id));
    await this.disown(documents, ended);
    for (const document of ended) this.noteCompleted(document);
  }

  private noteCompleted(document: BatchDocument): void {
    document.isOver = true;
    this.metrics.countOutcome('completed');
    for (const { stage, ms } of document.stageTimes) this.metrics.observeStage(stage, ms / 1000);
    const { run, set } = document;
    const facts = { documentId: run.document.id, chunks: set!.chunk_count, ms: run.clock.elapsedMs };
    this.logger.info({ ...facts, requestId: run.ctx.requestId }, 'document.completed');
  }

  private async documentsOf(ctx: RequestContext, runs: readonly BegunRun[]): Promise<BatchDocument[]> {
    const revisions = await this.stages.revisionsOf(
      ctx,
      runs.map(({ document }) => document.revision_id),
    );
    const policies = new Map<number, IngestionPolicy>();
    const documents: BatchDocument[] = [];
    for (const run of runs) {
      const { dataset_id: datasetId, policy_version: version, revision_id: revisionId } = run.document;
      const policy = policies.get(version) ?? (await this.policies.version(ctx, datasetId, version)).policy;
      policies.set(version, policy);
      const revision = revisions.get(revisionId);
      if (revision === undefined) throw new Error(`Revision ${revisionId} is gone.`);
      documents.push(new BatchDocument({ ...run, policy }, FIRST_TRY, revision));
    }
    return documents;
  }
}

function unread(run: BegunRun): UnfinishedRun {
  return { run, tries: FIRST_TRY, stage: 'parsing' };
}
