import { Injectable } from '@nestjs/common';
import { mapBounded } from '#libs/common';
import type { ExtractedChunk } from '../graphs/kg-rows.js';
import type { AnsweredPassage } from './answer-rows.js';
import { ChunkAnswersRepository, type HashedAnswer } from './chunk-answers.repository.js';
import { errorOf, ExtractionStopped } from './extraction-stop.js';
import { answerKeyOf } from './graph-model.service.js';
import { PassageReading, type ReadingOrder } from './passage-reading.service.js';
import { passagesOf, type Passage } from './passages.js';

/** Number of passages of one document that the model is asked about at the same time; over all documents the model's own queue limits the calls. */
const AT_ONCE = 4;
/** Passages that are looked up together. */
const PAGE = 32;

/** How a document is read. */
export interface ExtractionOrder extends ReadingOrder {
  /** False: only stored answers are used, and no model is called. */
  readonly mayAsk: boolean;
  /** Passages that were skipped before this time are asked about again; null: none are. */
  readonly skippedSince: Date | null;
}

/** Passages in the order of their document. */
export interface AnsweredPage {
  readonly answered: readonly AnsweredPassage[];
  /** Number of passages whose answer was stored already. */
  readonly cached: number;
}

/** Has a document read by the chat model, page by page. A text that was read once is not read again. */
@Injectable()
export class ModelExtraction {
  constructor(
    private readonly reading: PassageReading,
    private readonly answers: ChunkAnswersRepository,
  ) {}

  /** @throws ExtractionStopped when it cannot be read to its end now; nothing of it is under way then */
  async *read(order: ExtractionOrder, chunks: AsyncIterable<ExtractedChunk>): AsyncGenerator<AnsweredPage> {
    let page: Passage[] = [];
    for await (const chunk of chunks) {
      for (const passage of passagesOf(chunk)) {
        page.push(passage);
        if (page.length < PAGE) continue;
        yield await this.answer(order, page);
        page = [];
      }
    }
    if (page.length > 0) yield await this.answer(order, page);
  }

  private async answer(order: ExtractionOrder, page: readonly Passage[]): Promise<AnsweredPage> {
    const { ctx, documentId, reader, types } = order;
    const key = answerKeyOf(reader, types);
    const known = new Map(
      await this.answers.find(
        ctx,
        key,
        page.map(({ hash }) => hash),
        order.skippedSince,
      ),
    );
    const hits = page.filter(({ hash }) => known.has(hash.toString('hex')));
    // Stored under this document too: the answer of another document is removed with that document.
    const kept = hits.map(({ hash }): HashedAnswer => ({ hash, answer: known.get(hash.toString('hex'))! }));
    await this.answers.keep(ctx, documentId, key, kept);
    const open = [...new Map(page.map((passage) => [passage.hash.toString('hex'), passage]))].filter(
      ([hash]) => !known.has(hash),
    );
    if (open.length > 0 && !order.mayAsk) throw new ExtractionStopped({ kind: 'not_asked' });
    const failures: Error[] = [];
    await mapBounded(open, AT_ONCE, async ([hash, passage]) => {
      if (failures.length > 0) return;
      try {
        known.set(hash, await this.reading.read(order, passage));
      } catch (error) {
        // Calls under way end first, since their answers are paid for.
        failures.push(errorOf(error));
      }
    });
    const [failure] = failures;
    if (failure !== undefined) throw failure;
    return {
      answered: page.map((passage) => ({ passage, answer: known.get(passage.hash.toString('hex'))! })),
      cached: page.length - open.length,
    };
  }
}
