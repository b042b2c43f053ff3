import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { catalogueErrorOf, mapBounded, pauseAfter } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import {
  budgetWaitOf,
  laterErrorOf,
  Postponed,
  DocumentLifecycle,
  type DocumentWarning,
} from '../../documents/index.js';
import {
  StepFailed,
  type StepOutput,
  type StepPosition,
  IngestionSteps,
  type FoundStep,
  StepRowsRepository,
  type StepRows,
} from '../../content/index.js';
import {
  done,
  type Chunked,
  type Embedded,
  type Outcome,
  type Parsed,
  type Stored,
} from '../attempt/document-states.js';
import { StepViews } from './step-views.service.js';

/** Number of documents that a step gets at once. */
const LANES = 4;
/** Number of rows that are written in one transaction. */
const ROWS_PER_WRITE = 500;

/** The documents that have reached a position. */
export interface DocumentsAt {
  readonly after_parsing: Parsed;
  readonly after_chunking: Chunked;
  readonly before_switch: Stored;
}

type AnyDocument = Parsed | Chunked | Embedded | Stored;

/** Runs the contributed steps, and writes their rows under the generations of the attempts. */
@Injectable()
export class StepRunner {
  constructor(
    private readonly steps: IngestionSteps,
    private readonly views: StepViews,
    private readonly rows: StepRowsRepository,
    private readonly lifecycle: DocumentLifecycle,
    private readonly logger: PinoLogger,
  ) {}

  hasSteps(at: StepPosition): boolean {
    return this.steps.at(at).length > 0;
  }

  /**
   * Runs all steps of a position, one after another. A document for which a step fails, waits or meets a fault ends with that outcome; a
   * fault while rows of several documents are written is thrown, because it cannot be assigned to one of them.
   */
  async run<At extends StepPosition>(
    ctx: RequestContext,
    at: At,
    documents: readonly DocumentsAt[At][],
  ): Promise<Outcome<DocumentsAt[At]>[]> {
    let open = [...documents];
    const over: Outcome<DocumentsAt[At]>[] = [];
    for (const step of this.steps.at(at)) {
      const outcomes = await this.runStep(ctx, step, open);
      open = outcomes.flatMap((outcome) => (outcome.kind === 'done' ? [outcome.document] : []));
      over.push(...outcomes.filter(({ kind }) => kind !== 'done'));
    }
    return [...over, ...open.map(done)];
  }

  private async runStep<At extends StepPosition>(
    ctx: RequestContext,
    step: FoundStep<At>,
    documents: readonly DocumentsAt[At][],
  ): Promise<Outcome<DocumentsAt[At]>[]> {
    const writer = new RowWriter(ctx, this.rows, this.lifecycle);
    const outcomes = await mapBounded(documents, LANES, async (document): Promise<Outcome<DocumentsAt[At]>> => {
      const { journal } = document;
      journal.beginWork();
      try {
        const warnings = await this.runOn(step, document, writer);
        // Rows of a single document are written here, so that a fault counts as one of the step.
        if (documents.length === 1) await writer.flush();
        journal.run.warnings.push(...warnings);
        return done(document);
      } catch (error) {
        if (error instanceof SharedFault) throw error.cause;
        if (journal.run.signal.aborted) return { kind: 'alone', journal };
        if (step.onFailure === 'fail') return { kind: 'failed', journal, error: asFailure(error) };
        await this.goOnWithout(ctx, step, document, writer, error);
        return done(document);
      } finally {
        journal.endStep(step.name);
      }
    });
    await writer.flush();
    return outcomes;
  }

  private async runOn<At extends StepPosition>(
    { step, tables, name, at }: FoundStep<At>,
    document: DocumentsAt[At],
    writer: RowWriter,
  ): Promise<DocumentWarning[]> {
    const { run } = document.journal;
    const generation = { documentId: run.document.id, generation: run.attempt.token };
    const warnings: DocumentWarning[] = [];
    const outputs = step.run(this.views.attemptOf(document), this.views.stateOf(at, document));
    for await (const output of untilAborted(outputs, run.signal)) {
      if (output.kind === 'warning') {
        warnings.push({ code: output.code, detail: output.detail });
        continue;
      }
      if (!tables.includes(output.table)) {
        throw new TypeError(`The step ${name} yields rows for ${output.table}, which it has not declared.`);
      }
      await writer.add({ ...generation, table: output.table, rows: output.rows });
    }
    return warnings;
  }

  /** Removes the rows of a step that failed for a document. */
  private async goOnWithout<At extends StepPosition>(
    ctx: RequestContext,
    { name, tables }: FoundStep<At>,
    { journal }: AnyDocument,
    writer: RowWriter,
    error: unknown,
  ): Promise<void> {
    const { attempt, document, warnings } = journal.run;
    writer.discard(document.id);
    await this.lifecycle.guardedAll(ctx, [attempt], async (manager, _inner, owned) => {
      const generations = owned.map(({ id }) => ({ documentId: id, generation: attempt.token }));
      await this.rows.remove(manager, tables, generations);
    });
    this.logger.warn({ err: error, step: name, documentId: document.id }, 'ingestion.step_failed');
    warnings.push(warningOf(name, error));
  }
}

/** A fault while rows of several documents were written. */
class SharedFault extends Error {
  constructor(cause: unknown) {
    super('Rows of several documents could not be written.', { cause });
  }
}

/** Collects rows of several documents, and writes those of documents whose attempts are still valid. */
class RowWriter {
  private gathered: StepRows[] = [];
  private count = 0;

  constructor(
    private readonly ctx: RequestContext,
    private readonly rows: StepRowsRepository,
    private readonly lifecycle: DocumentLifecycle,
  ) {}

  async add(piece: StepRows): Promise<void> {
    this.gathered.push(piece);
    this.count += piece.rows.length;
    if (this.count >= ROWS_PER_WRITE) await this.flush();
  }

  /** Drops the collected rows of a document. */
  discard(documentId: string): void {
    this.gathered = this.gathered.filter((piece) => piece.documentId !== documentId);
  }

  async flush(): Promise<void> {
    const pieces = this.gathered;
    this.gathered = [];
    this.count = 0;
    if (pieces.length === 0) return;
    const attempts = [...new Map(pieces.map((piece) => [piece.documentId, piece])).values()].map(
      ({ documentId, generation: token }) => ({ documentId, token }),
    );
    try {
      await this.lifecycle.guardedAll(this.ctx, attempts, async (manager, inner, owned) => {
        const own = new Set<string>(owned.map(({ id }) => id));
        await this.rows.insert(
          manager,
          inner,
          pieces.filter(({ documentId }) => own.has(documentId)),
        );
      });
    } catch (error) {
      throw attempts.length > 1 ? new SharedFault(error) : error;
    }
  }
}

/** The values of a source until the signal is aborted; after that the source is no longer awaited. */
async function* untilAborted(source: AsyncIterable<StepOutput>, signal: AbortSignal): AsyncGenerator<StepOutput> {
  const iterator = source[Symbol.asyncIterator]();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  aborted.catch(() => undefined);
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await Promise.race([iterator.next(), aborted]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Converts a busy dependency into a wait of the document. */
function asFailure(error: unknown): unknown {
  const budget = budgetWaitOf(error);
  if (budget !== undefined) return budget;
  const later = laterErrorOf(error);
  if (later === undefined) return error;
  return new Postponed('provider_backoff', later.code, pauseAfter(1, later.retryAfter), error);
}

function warningOf(step: string, error: unknown): DocumentWarning {
  if (error instanceof StepFailed) return { code: error.code, detail: error.detail };
  const why = catalogueErrorOf(error)?.message ?? 'An unexpected error occurred; the log of the service has details.';
  return { code: 'STEP_FAILED', detail: `The step ${step} has failed, so its results are missing. ${why}` };
}
