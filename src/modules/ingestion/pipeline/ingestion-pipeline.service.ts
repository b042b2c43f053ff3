import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { Metrics } from '#libs/metrics';
import type { RequestContext } from '#libs/tenancy';
import {
  DocumentLifecycle,
  type CompletedAttempt,
  type FinishedStage,
  type IngestionStage,
} from '../../documents/index.js';
import { AttemptEnding, EmbeddingSpaceMoved } from '../attempt/attempt-ending.service.js';
import { begunRun } from '../attempt/attempt-run.js';
import { Checkpoints } from './checkpoints.service.js';
import { DocumentGroup } from '../attempt/document-group.js';
import type { AnyState, Planned, Stored } from '../attempt/document-states.js';
import { IngestionStages } from './ingestion-stages.service.js';
import type { ClaimedTask } from '../claiming/ingestion-tasks.repository.js';
import type { StepPosition } from '../../content/index.js';
import { Journal, type StageTime } from '../attempt/journal.js';
import { StepRunner, type DocumentsAt } from '../steps/step-runner.service.js';
import {
  chunked as chunkedEvent,
  completed,
  embedded as embeddedEvent,
  parsed as parsedEvent,
} from '../attempt/stage-events.js';

/** A document of a run. */
export interface HeldTask {
  readonly task: ClaimedTask;
  /** Aborted when its lease is lost or the service stops. */
  readonly signal: AbortSignal;
}

/**
 * Takes documents of one dataset through the stages: one that is streamed, or several small ones that are held in memory and written
 * together in few transactions. The resulting rows are the same. All outcomes are handled here or by `AttemptEnding`; only an unavailable
 * database is thrown.
 */
@Injectable()
export class IngestionPipeline {
  constructor(
    private readonly lifecycle: DocumentLifecycle,
    private readonly stages: IngestionStages,
    private readonly steps: StepRunner,
    private readonly checkpoints: Checkpoints,
    private readonly ending: AttemptEnding,
    private readonly metrics: Metrics,
    private readonly logger: PinoLogger,
  ) {}

  /** Resolves to the tasks whose documents no longer need ingestion. `stopping` is aborted when the service stops. */
  async run(ctx: RequestContext, held: readonly HeldTask[], stopping: AbortSignal): Promise<ClaimedTask[]> {
    const begun = await this.lifecycle.begin(
      ctx,
      held.map(({ task }) => ({ documentId: task.documentId, token: task.token })),
    );
    const tasks = new Map<string, HeldTask>(held.map((one) => [one.task.documentId, one]));
    const journals = begun.map((one) => {
      const { task, signal } = tasks.get(one.row.id)!;
      return new Journal(begunRun({ ...ctx, requestId: task.requestId ?? ctx.requestId }, one, signal), task.tries);
    });
    const way = held.length === 1 ? 'streamed' : 'held';
    const group = new DocumentGroup(ctx, way, journals, stopping, this.ending);
    try {
      await this.goThrough(group, await this.withoutPoison(group, journals));
    } catch (error) {
      await group.end(error);
    }
    const needed = new Set<string>(begun.map(({ row }) => row.id));
    return held.filter(({ task }) => !needed.has(task.documentId)).map(({ task }) => task);
  }

  private async withoutPoison(group: DocumentGroup, journals: readonly Journal[]): Promise<Journal[]> {
    const poison = journals.filter(({ tries }) => this.ending.isPoison(tries));
    for (const journal of poison) {
      group.close(journal);
      await this.ending.failPoison(journal.run, journal.tries);
    }
    return journals.filter((journal) => !poison.includes(journal));
  }

  private async goThrough(group: DocumentGroup, journals: readonly Journal[]): Promise<void> {
    const { ctx, way, signal } = group;
    const planned = await this.stages.plan.run(ctx, journals);
    const taken = await this.split(group, planned);
    const read = await group.settle(await this.stages.parse.run(way, taken));
    const withText = await this.contribute(group, 'after_parsing', read);
    const parsed = await this.leave(group, withText, 'chunking', parsedEvent);
    const cut = await this.stages.chunk.run(ctx, parsed);
    const withChunks = await this.contribute(group, 'after_chunking', cut);
    const chunked = await this.leave(group, withChunks, 'embedding', ({ set }, time) =>
      chunkedEvent(set.chunk_count, time),
    );
    const made = await this.stages.embed.run(chunked, signal);
    const embedded = await this.leave(group, made, 'vector_write', (one, time) =>
      embeddedEvent(one.embedded, one.space, time),
    );
    const kept = await this.keep(group, embedded);
    const stored = await group.stillHeld(await this.stages.write.run(ctx, kept, signal));
    await this.complete(group, await this.contribute(group, 'before_switch', stored));
  }

  /** Ends archives that are split into documents; returns the others. */
  private async split(group: DocumentGroup, documents: readonly Planned[]): Promise<Planned[]> {
    const rest: Planned[] = [];
    for (const document of documents) {
      const outcome = await this.stages.split.run(document);
      if (outcome.kind === 'split') this.noteSplit(group, document);
      else rest.push(...(await group.settle([outcome])));
    }
    return rest;
  }

  private noteSplit(group: DocumentGroup, { journal }: Planned): void {
    group.close(journal);
    this.ending.noteWritten();
    const { document, clock, ctx } = journal.run;
    const facts = { documentId: document.id, ms: clock.elapsedMs, requestId: ctx.requestId };
    this.logger.info(facts, 'document.split');
  }

  /** Runs the steps of other modules. Their input is written before, so it is kept when they fail. */
  private async contribute<At extends StepPosition>(
    group: DocumentGroup,
    at: At,
    documents: readonly DocumentsAt[At][],
  ): Promise<DocumentsAt[At][]> {
    if (documents.length === 0 || !this.steps.hasSteps(at)) return [...documents];
    const kept = await this.write(group, documents);
    return group.settle(await this.steps.run(group.ctx, at, kept));
  }

  /** Ends a stage, with a checkpoint for a streamed document; held documents have one checkpoint for all stages. */
  private async leave<State extends AnyState>(
    group: DocumentGroup,
    documents: readonly State[],
    next: IngestionStage,
    finish: (document: State, time: StageTime) => FinishedStage,
  ): Promise<State[]> {
    for (const document of documents) {
      const time = document.journal.takeTime();
      const finished = finish(document, time);
      this.metrics.observeStage(finished.stage, time.ms / 1000);
      document.journal.moveOn(finished, next);
    }
    const held = await group.stillHeld(documents);
    group.signal.throwIfAborted();
    if (group.way === 'streamed') for (const { journal } of held) await this.checkpoints.writeOne(journal);
    return held;
  }

  /** The checkpoint of all stages before the store. */
  private async keep<State extends AnyState>(group: DocumentGroup, documents: readonly State[]): Promise<State[]> {
    return group.way === 'streamed' ? [...documents] : this.write(group, documents);
  }

  private async write<State extends AnyState>(group: DocumentGroup, documents: readonly State[]): Promise<State[]> {
    const owned = await this.checkpoints.write(
      group.ctx,
      documents.map(({ journal }) => journal),
    );
    return group.owned(documents, (journal) => owned.has(journal));
  }

  private async complete(group: DocumentGroup, documents: readonly Stored[]): Promise<void> {
    const [first] = documents;
    if (first === undefined) return;
    const results: CompletedAttempt[] = [];
    for (const document of documents) results.push(await this.resultOf(document));
    const datasetId = first.journal.run.document.dataset_id;
    const shown = await this.lifecycle.complete(group.ctx, { datasetId, results }, async (manager, rows, inner) => {
      // A re-embedding may have moved the dataset since; vectors of the former model are then not shown but made again.
      if (!(await this.stages.plan.isSpaceKept(inner, first.journal))) throw new EmbeddingSpaceMoved();
      const owned = new Set<string>(rows.map(({ id }) => id));
      const own = documents.filter(({ journal }) => owned.has(journal.run.document.id));
      await this.checkpoints.showTexts(manager, own);
      await this.stages.split.join(inner, manager, rows);
    });
    const ended = await group.owned(documents, ({ run }) => shown.has(run.document.id));
    for (const document of ended) this.noteCompleted(group, document);
  }

  private async resultOf(document: Stored): Promise<CompletedAttempt> {
    const { journal, set, text } = document;
    const { attempt, clock, document: row, warnings } = journal.run;
    warnings.push(...(await this.stages.findWarnings(document)));
    const time = journal.takeTime();
    this.metrics.observeStage('vector_write', time.ms / 1000);
    return {
      attempt,
      chunkSetId: set.id,
      chunkCount: set.chunk_count,
      tokenCount: Number(set.token_count),
      warnings,
      facts: text.facts,
      metadataSeq: row.metadata_seq,
      policyVersion: row.policy_version,
      events: completed(set, warnings, { ...time, totalMs: clock.elapsedMs }),
    };
  }

  private noteCompleted(group: DocumentGroup, { journal, set }: Stored): void {
    group.close(journal);
    this.ending.noteWritten();
    this.metrics.countOutcome('completed');
    const { document, clock, ctx } = journal.run;
    const facts = { documentId: document.id, chunks: set.chunk_count, ms: clock.elapsedMs, requestId: ctx.requestId };
    this.logger.info(facts, 'document.completed');
  }
}
