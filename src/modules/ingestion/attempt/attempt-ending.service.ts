import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { ModelFailure } from '#libs/ai';
import { catalogueErrorOf, pauseAfter, type JsonObject } from '#libs/common';
import { Settings } from '#libs/config';
import { Metrics } from '#libs/metrics';
import { ParseError } from '#libs/parsing';
import { WaitCauses } from '#libs/tasks';
import { QuarantineService } from '../../governance/index.js';
import type { BegunRun } from './attempt-run.js';
import {
  Postponed,
  spaceWaitOf,
  SpaceWatch,
  AttemptEnded,
  contentOf,
  DocumentLifecycle,
  REJECTED_BY_POLICY,
  type DocumentFailure,
  type GivenBack,
  type IngestionStage,
} from '../../documents/index.js';
import { StepFailed } from '../../content/index.js';
import { ContentRefused } from './content-inspection.service.js';

/** Number of tries after which a document fails if each of them met a fault. */
const MOST_TRIES = 5;

/** The dataset was moved to another embedding model during an attempt, which continues from its checkpoints with that model. */
export class EmbeddingSpaceMoved extends Error {
  override readonly name = 'EmbeddingSpaceMoved';
}

/** State of a run that ends early. */
export interface UnfinishedRun {
  readonly run: BegunRun;
  readonly tries: number;
  readonly stage: IngestionStage;
}

/**
 * Ends attempts that met an error. An error of the file fails the document; a busy dependency, a fault or a stop of the service gives the
 * document back, and it continues from its checkpoints later.
 */
@Injectable()
export class AttemptEnding {
  constructor(
    private readonly lifecycle: DocumentLifecycle,
    private readonly quarantines: QuarantineService,
    private readonly settings: Settings,
    private readonly space: SpaceWatch,
    private readonly metrics: Metrics,
    private readonly logger: PinoLogger,
    private readonly causes: WaitCauses,
  ) {}

  /** True when an attempt was begun so often without an end that the document itself must have killed the workers. */
  isPoison(tries: number): boolean {
    return tries > this.settings.values.maxBeginnings;
  }

  async failPoison(run: BegunRun, tries: number): Promise<void> {
    const message = `The ingestion was begun ${tries - 1} times, and the worker died each time. Check the file and the memory of the worker.`;
    await this.fail(run, { code: 'WORKER_LOST', stage: 'parsing', retryable: true, message });
  }

  /** Ends one attempt that ran alone. */
  async end(unfinished: UnfinishedRun, thrown: unknown): Promise<void> {
    const error = spaceWaitOf(thrown) ?? thrown;
    const { run, tries, stage } = unfinished;
    this.space.note(error);
    if (error instanceof AttemptEnded || hasEnded(run)) return this.disown([run]);
    if (run.signal.aborted || error instanceof EmbeddingSpaceMoved) {
      return this.giveBack(run, this.undecided(unfinished, { counts: false, alone: false }));
    }
    if (error instanceof ContentRefused) return this.refuse(unfinished, error);
    if (error instanceof Postponed) {
      this.noteWait(error, 1);
      if (this.hasWaitedEnough(run, error)) return this.fail(run, outOfPatience(unfinished, error));
      return this.giveBack(run, postponed(unfinished, error));
    }
    const failure = failureOf(error, stage, tries);
    if (failure !== undefined) return this.fail(run, failure);
    const ms = pauseAfter(tries);
    this.logger.warn({ err: error, documentId: run.document.id, tries, retryInMs: ms }, 'document.try_failed');
    await this.giveBack(run, {
      ...this.undecided(unfinished, { counts: true, alone: true }),
      wait: { reason: 'retry_backoff', ms },
      events: [{ event: 'warning', stage, details: { code: 'TRY_FAILED', error: codeOf(error), retry_in_ms: ms } }],
    });
  }

  /** Content that was accepted before is not removed automatically: only a first ingestion is rejected. */
  private async refuse({ run, stage }: UnfinishedRun, { action, types }: ContentRefused): Promise<void> {
    const { document, ctx } = run;
    const isFirst = contentOf(document).generation === null && document.revision === 1;
    const found = types.join(', ');
    if (action === 'reject' && isFirst) {
      const message = `The ingestion policy rejects documents with ${found}. Remove it from the file and upload the file again; the rejected file is removed after 24 hours.`;
      const failure = { code: REJECTED_BY_POLICY, stage, retryable: false, message };
      await this.lifecycle.reject(ctx, run.attempt, failure, run.warnings);
      this.metrics.countOutcome('failed', failure.code);
      this.logger.info(
        { documentId: document.id, stage, code: failure.code, requestId: ctx.requestId },
        'document.failed',
      );
      return;
    }
    const reason = `The ingestion policy ${action === 'reject' ? 'rejects' : 'quarantines'} documents with ${found}.`;
    await this.quarantines.quarantine(ctx, { document_ids: [document.id], reason });
    await this.disown([run]);
    this.metrics.countOutcome('quarantined', 'QUARANTINED_BY_POLICY');
    this.logger.info({ documentId: document.id, types, requestId: ctx.requestId }, 'document.quarantined');
  }

  /** Ends attempts that ran together after a fault that cannot be assigned to one of them; from now on each runs alone. */
  async endTogether(unfinished: readonly UnfinishedRun[], thrown: unknown): Promise<void> {
    const error = spaceWaitOf(thrown) ?? thrown;
    this.space.note(error);
    await this.disown(unfinished.map(({ run }) => run).filter(hasEnded));
    const open = unfinished.filter(({ run }) => !hasEnded(run));
    const [first] = open;
    if (first === undefined) return;
    const stopping = first.run.signal.aborted;
    if (error instanceof Postponed) {
      this.noteWait(error, open.length);
      const spent = open.filter(({ run }) => this.hasWaitedEnough(run, error));
      for (const one of spent) await this.fail(one.run, outOfPatience(one, error));
      const rest = open.filter((one) => !spent.includes(one)).map((one) => postponed(one, error));
      if (rest.length > 0) await this.lifecycle.giveBack(first.run.ctx, rest);
      return;
    }
    if (error instanceof ModelFailure && error.isAboutAccess) {
      for (const { run, stage } of open) await this.fail(run, refused(stage, error));
      return;
    }
    const given = open.map((one) => this.undecided(one, { counts: false, alone: !stopping }));
    if (!stopping) this.logger.warn({ err: error, documents: open.length }, 'ingestion.batch_failed');
    await this.lifecycle.giveBack(first.run.ctx, given);
  }

  /** Gives documents back that continue alone, without a fault of their own. */
  async sendBack(unfinished: readonly UnfinishedRun[]): Promise<void> {
    const [first] = unfinished;
    if (first === undefined) return;
    const given = unfinished.map((one) => this.undecided(one, { counts: false, alone: !one.run.signal.aborted }));
    await this.lifecycle.giveBack(first.run.ctx, given);
  }

  /** A document has completed, so servers that were reported as full no longer are. */
  noteWritten(): void {
    this.space.noteWritten();
  }

  async fail(run: BegunRun, failure: DocumentFailure): Promise<void> {
    await this.lifecycle.fail(run.ctx, run.attempt, failure, run.warnings);
    this.metrics.countOutcome('failed', failure.code);
    const { code, stage } = failure;
    this.logger.info({ documentId: run.document.id, stage, code, requestId: run.ctx.requestId }, 'document.failed');
  }

  /** Removes what ended attempts wrote; their documents belong to another attempt or to none. */
  async disown(runs: readonly BegunRun[]): Promise<void> {
    const [first] = runs;
    if (first === undefined) return;
    await this.lifecycle.disown(
      first.ctx,
      runs.map((run) => ({ row: run.document, attempt: run.attempt })),
    );
  }

  private async giveBack(run: BegunRun, item: GivenBack): Promise<void> {
    await this.lifecycle.giveBack(run.ctx, [item]);
  }

  /** Only the failed call has a cause; calls that were not made because of it are not recorded. */
  private noteWait({ cause, reason, code, retryInMs }: Postponed, documents: number): void {
    if (cause instanceof Error) {
      const message = cause instanceof ModelFailure ? cause.message : (catalogueErrorOf(cause) ?? cause).message;
      this.causes.note({ reason, code, message });
    }
    if (cause instanceof ModelFailure)
      this.logger.warn({ err: cause, reason, documents, retryInMs }, 'ingestion.waits_for_model');
  }

  /**
   * True when the model has been waited for longer than `INGESTION_PROVIDER_PATIENCE_HOURS`. Waits for budgets and stores have no such
   * limit.
   */
  private hasWaitedEnough({ document, clock }: BegunRun, { reason }: Postponed): boolean {
    if (reason !== 'provider_backoff') return false;
    const patienceMs = this.settings.values.providerPatienceHours * 3_600_000;
    const since = document.provider_waiting_since ?? clock.now();
    return clock.now().getTime() - since.getTime() >= patienceMs;
  }

  private undecided({ run }: UnfinishedRun, how: Pick<GivenBack, 'counts' | 'alone'>): GivenBack {
    return { attempt: run.attempt, wait: null, events: [], ...how };
  }
}

/** True when the lease was lost, whatever else happened. */
export function hasEnded(run: BegunRun): boolean {
  return run.signal.reason instanceof AttemptEnded;
}

function postponed({ run, stage }: UnfinishedRun, error: Postponed): GivenBack {
  const { cause } = error;
  // The timeline names the error, because a wrong length of vectors is waited for as long as a busy provider.
  const words: JsonObject = cause instanceof ModelFailure ? { message: cause.message } : {};
  const details = { code: error.code, reason: error.reason, retry_in_ms: error.retryInMs, ...words };
  return {
    attempt: run.attempt,
    wait: { reason: error.reason, ms: error.retryInMs },
    counts: false,
    alone: false,
    events: [{ event: 'provider_backoff', stage, details }],
  };
}

function outOfPatience({ stage }: UnfinishedRun, error: Postponed): DocumentFailure {
  const said = error.cause instanceof ModelFailure ? ` The last error: ${error.cause.message}.` : '';
  const why = catalogueErrorOf(error.cause)?.message ?? 'The model does not answer.';
  const message = `${why}${said} The ingestion has waited for the model for INGESTION_PROVIDER_PATIENCE_HOURS. Retry the document once the model answers.`;
  return { code: error.code, stage, retryable: true, message };
}

function refused(stage: IngestionStage, error: ModelFailure): DocumentFailure {
  return { code: error.code, stage, retryable: true, message: error.toCatalogueError().message };
}

function codeOf(error: unknown): string {
  if (error instanceof ParseError) return error.code;
  return catalogueErrorOf(error)?.code ?? 'INTERNAL_ERROR';
}

/** The failure with which a document ends; undefined for a fault that may not occur in another try. */
function failureOf(error: unknown, stage: IngestionStage, tries: number): DocumentFailure | undefined {
  if (error instanceof StepFailed)
    return { code: error.code, stage, retryable: error.retryable, message: error.detail };
  if (error instanceof ParseError && (!error.retryable || tries >= MOST_TRIES)) {
    return { code: error.code, stage, retryable: error.retryable, message: error.detail };
  }
  // A provider that rejects a request once will reject it again; its message contains no key.
  if (error instanceof ModelFailure && !error.isTransient) {
    return refused(stage, error);
  }
  if (tries < MOST_TRIES) return undefined;
  const message =
    catalogueErrorOf(error)?.message ??
    `The ingestion failed ${tries} times at the stage ${stage}. Retry the document; if it fails again, report the request_id.`;
  return { code: codeOf(error), stage, retryable: true, message };
}
