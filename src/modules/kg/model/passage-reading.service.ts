import type { GraphEntityType } from '../../ingestion-policy/index.js';
import { Injectable } from '@nestjs/common';
import { ModelFailure, mostTokensOf, writeRaw, type ModelCaller, type WrittenText } from '#libs/ai';
import { catalogueErrorOf, type DatasetId, type DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { CallAccount } from './call-account.js';
import { ChunkAnswersRepository } from './chunk-answers.repository.js';
import { ExtractionStopped, type ExtractionStop } from './extraction-stop.js';
import { answerKeyOf, type GraphReader } from './graph-model.service.js';
import { graphTask, type BrokenAnswer } from './graph-prompt.js';
import { readAnswer, type PassageAnswer, type SkippedReason } from './passage-answer.js';
import type { Passage } from './passages.js';

/** After the first answer that cannot be read. */
const REPAIRS = 1;
const TOO_MANY_REQUESTS = 429;
const BUDGET_USED_UP = {
  kind: 'ended',
  code: 'kg.budget_used_up',
  message:
    'The next call of the model may take more tokens than the budget has left. Start the extraction again; what is extracted already is not paid for again.',
} as const;

/** Document, model and account of the passages that are read. */
export interface ReadingOrder {
  readonly ctx: RequestContext;
  readonly documentId: DocumentId;
  readonly datasetId: DatasetId;
  readonly reader: GraphReader;
  readonly types: readonly GraphEntityType[];
  readonly account: CallAccount;
  readonly signal: AbortSignal;
}

/** Asks the chat model about one passage, and stores the checked part of its answer. */
@Injectable()
export class PassageReading {
  constructor(private readonly answers: ChunkAnswersRepository) {}

  /**
   * An answer that cannot be read is asked for once more, with what is wrong; then the passage is skipped with its reason.
   * @throws ExtractionStopped when no model can be asked now
   */
  async read(order: ReadingOrder, passage: Passage): Promise<PassageAnswer> {
    let broken: BrokenAnswer | undefined;
    for (let repairs = 0; ; repairs++) {
      const read = await this.ask(order, passage, { broken, isLast: repairs === REPAIRS });
      if (!('problem' in read)) return read;
      broken = read;
    }
  }

  private async ask(
    order: ReadingOrder,
    passage: Passage,
    { broken, isLast }: { readonly broken: BrokenAnswer | undefined; readonly isLast: boolean },
  ): Promise<PassageAnswer | BrokenAnswer> {
    const { ctx, documentId, datasetId, reader, types, account, signal } = order;
    const task = graphTask(passage, types, broken);
    const reserved = mostTokensOf([task.instructions, task.prompt]) + task.maxTokens;
    const kept = (answer: PassageAnswer) => ({
      documentId,
      key: answerKeyOf(reader, types),
      hash: passage.hash,
      answer,
    });
    signal.throwIfAborted();
    if (!(await account.reserve(ctx, reserved))) throw new ExtractionStopped(BUDGET_USED_UP);
    const caller: ModelCaller = { tenantId: ctx.tenantId, datasetIds: [datasetId], purpose: 'knowledge_graph' };
    let written: WrittenText;
    try {
      // Checked last, so that nothing of a document that was closed meanwhile is sent.
      if (!(await this.answers.isOpen(ctx, documentId))) throw new ExtractionStopped({ kind: 'closed' });
      written = await writeRaw(reader.model, task, { signal, caller });
    } catch (error) {
      const spent = error instanceof ModelFailure ? (error.spent ?? null) : null;
      const reason = signal.aborted ? undefined : skipReasonOf(error);
      await account.settle(ctx, reserved, spent, reason === undefined ? null : kept({ skipped: reason }));
      signal.throwIfAborted();
      if (reason !== undefined) return { skipped: reason };
      throw stoppedBy(error);
    }
    const read = readAnswer(written.text, passage.text, types);
    const answer = 'unreadable' in read ? null : read;
    if (answer === null && !isLast) {
      await account.settle(ctx, reserved, written.usage, null);
      const problem = 'unreadable' in read && !written.isCut ? read.unreadable : 'It was cut: it is too long.';
      return { written: written.text, problem };
    }
    const final = answer ?? { skipped: 'malformed' as const };
    await account.settle(ctx, reserved, written.usage, kept(final));
    return final;
  }
}

/** Failures of this passage alone: another passage may be answered. */
function skipReasonOf(error: unknown): SkippedReason | undefined {
  if (!(error instanceof ModelFailure)) return undefined;
  if (error.kind === 'content_filter') return 'refused';
  if (error.kind === 'malformed') return 'malformed';
  return error.kind === 'rejected' && !error.isAboutAccess ? 'rejected' : undefined;
}

/** Failures of the model or its provider; any other error is thrown as it is. */
function stoppedBy(error: unknown): unknown {
  if (error instanceof ExtractionStopped) return error;
  const known = catalogueErrorOf(error);
  if (known === undefined) return error;
  const told = { code: known.code, message: known.message };
  const isLater = error instanceof ModelFailure ? error.isTransient : known.status >= 500;
  const stop: ExtractionStop = isLater
    ? { kind: 'later', ...told, retryAfter: known.retryAfter ?? 0 }
    : { kind: 'ended', ...told };
  return isLater || known.status === TOO_MANY_REQUESTS || error instanceof ModelFailure
    ? new ExtractionStopped(stop)
    : error;
}
