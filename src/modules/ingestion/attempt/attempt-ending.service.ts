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

/** A document whose tries all met a fault is given up after this many. */
const MOST_TRIES = 5;

/** The dataset was moved to another embedding model while an attempt was under way: the attempt goes on from its checkpoints with that one. */
export class EmbeddingSpaceMoved extends Error {
  override readonly name = 'EmbeddingSpaceMoved';
}

/** What a run knows of itself when it ends before its time. */
export interface UnfinishedRun {
  readonly run: BegunRun;
  readonly tries: number;
  readonly stage: IngestionStage;
}

/**
 * What becomes of attempts that met an error. The file's own fault is `failed`; a dependency that asks for time, a fault and a
 * stop of the service all give the document back, to go on from its checkpoints later.
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

  /** True when a document was begun so often without coming to an end that it must be what its workers died of. */
  isPoison(tries: number): boolean {
    return tries > this.settings.values.maxBeginnings;
  }

  async failPoison(run: BegunRun, tries: number): Promise<void> {
    const message = `Its ingestion was begun ${tries - 1} times and the worker died each time. Check the file, and the memory of the worker.`;
    await this.fail(run, { code: 'WORKER_LOST', stage: 'parsing', retryable: true, message });
  }

  /** Ends one attempt that ran by itself. */
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

  /** Nothing that was once accepted is removed without a person: only a first ingestion is rejected. */
  private async refuse({ run, stage }: UnfinishedRun, { action, types }: ContentRefused): Promise<void> {
    const { document, ctx } = run;
    const isFirst = contentOf(document).generation === null && document.revision === 1;
    const found = types.join(', ');
    if (action === 'reject' && isFirst) {
      const message = `The ingestion policy rejects documents with ${found}. Take it out of the file and upload it again; the file is removed after 24 hours.`;
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

  /** Ends attempts that ran together through a fault that is not known to be one of them's: from now on each runs by itself. */
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

  /** Gives documents back that go on by themselves, through no fault of theirs. */
  async sendBack(unfinished: readonly UnfinishedRun[]): Promise<void> {
    const [first] = unfinished;
    if (first === undefined) return;
    const given = unfinished.map((one) => this.undecided(one, { counts: false, alone: !one.run.signal.aborted }));
    await this.lifecycle.giveBack(first.run.ctx, given);
  }

  /** A document has completed: anyone who was full is not. */
  noteWritten(): void {
    this.space.noteWritten();
  }

  async fail(run: BegunRun, failure: DocumentFailure): Promise<void> {
    await this.lifecycle.fail(run.ctx, run.attempt, failure, run.warnings);
    this.metrics.countOutcome('failed', failure.code);
    const { code, stage } = failure;
    this.logger.info({ documentId: run.document.id, stage, code, requestId: run.ctx.requestId }, 'document.failed');
  }

  /** Removes what attempts wrote that are over: their documents are someone else's, or no one's. */
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

  /** Only the call that failed has a cause; those that were not made because of it are no news. */
  private noteWait({ cause, reason, code, retryInMs }: Postponed, documents: number): void {
    if (cause instanceof Error) {
      const message = cause instanceof ModelFailure ? cause.message : (catalogueErrorOf(cause) ?? cause).message;
      this.causes.note({ reason, code, message });
    }
    if (cause instanceof ModelFailure)
      this.logger.warn({ err: cause, reason, documents, retryInMs }, 'ingestion.waits_for_model');
  }

  /** True when the model has been waited for since before the installation's patience began. Budgets and stores are waited for longer. */
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

/** True when the lease was lost, whatever else happened meanwhile. */
export function hasEnded(run: BegunRun): boolean {
  return run.signal.reason instanceof AttemptEnded;
}

function postponed({ run, stage }: UnfinishedRun, error: Postponed): GivenBack {
  const { cause } = error;
  // Who waits is told for what: a wrong length of vectors would be waited for as long as a busy provider.
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
  const said = error.cause instanceof ModelFailure ? ` Last it was: ${error.cause.message}.` : '';
  const why = catalogueErrorOf(error.cause)?.message ?? 'The model does not answer.';
  const message = `${why}${said} It was waited for as long as INGESTION_PROVIDER_PATIENCE_HOURS says. Retry the document once the model answers.`;
  return { code: error.code, stage, retryable: true, message };
}

function refused(stage: IngestionStage, error: ModelFailure): DocumentFailure {
  return { code: error.code, stage, retryable: true, message: error.toCatalogueError().message };
}

function codeOf(error: unknown): string {
  if (error instanceof ParseError) return error.code;
  return catalogueErrorOf(error)?.code ?? 'INTERNAL_ERROR';
}

/** What a document shows when it fails for good; undefined for a fault that another try may not meet. */
function failureOf(error: unknown, stage: IngestionStage, tries: number): DocumentFailure | undefined {
  if (error instanceof StepFailed)
    return { code: error.code, stage, retryable: error.retryable, message: error.detail };
  if (error instanceof ParseError && (!error.retryable || tries >= MOST_TRIES)) {
    return { code: error.code, stage, retryable: error.retryable, message: error.detail };
  }
  // What a provider does not take once it will not take again; its words have no key in them.
  if (error instanceof ModelFailure && !error.isTransient) {
    return refused(stage, error);
  }
  if (tries < MOST_TRIES) return undefined;
  const message =
    catalogueErrorOf(error)?.message ??
    `Ingestion failed ${tries} times at the stage ${stage}. Retry it; if it fails again, report the request_id.`;
  return { code: codeOf(error), stage, retryable: true, message };
}
