import { Injectable } from '@nestjs/common';
import { mapBounded } from '#libs/common';
import type { ExtractedChunk } from '../graphs/kg-rows.js';
import type { AnsweredPassage } from './answer-rows.js';
import { ChunkAnswersRepository, type HashedAnswer } from './chunk-answers.repository.js';
import { errorOf, ExtractionStopped } from './extraction-stop.js';
import { answerKeyOf } from './graph-model.service.js';
import { PassageReading, type ReadingOrder } from './passage-reading.service.js';
import { passagesOf, type Passage } from './passages.js';

/** Passages of one document that are asked about at the same time; over all documents the model's turns decide. */
const AT_ONCE = 4;
/** Passages that are looked up together. */
const PAGE = 32;

/** How a document is read. */
export interface ExtractionOrder extends ReadingOrder {
  /** False: only what is known already, whatever it is. */
  readonly mayAsk: boolean;
  /** Passages that were skipped before that are asked about again; null: none. */
  readonly skippedSince: Date | null;
}

/** Passages in the order of their document. */
export interface AnsweredPage {
  readonly answered: readonly AnsweredPassage[];
  /** How many of them no one had to be asked about. */
  readonly cached: number;
}

/** Has a document read by the chat model, page by page. What was read once of a text is not asked for again. */
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
    // Under this document too: what another one has goes with that.
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
        // Those that are under way come to their end first: what they give is paid for.
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
