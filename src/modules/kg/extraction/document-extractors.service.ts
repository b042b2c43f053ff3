import { Injectable } from '@nestjs/common';
import { TaskFailed, type RunningTask, yieldToRequests } from '#libs/tasks';
import { KgGraphsRepository, type GraphRow } from '../graphs/kg-graphs.repository.js';
import { kgErrors } from '../kg.errors.js';
import { AnswerRows } from '../model/answer-rows.js';
import { ChunkAnswersRepository } from '../model/chunk-answers.repository.js';
import { ExtractionStopped } from '../model/extraction-stop.js';
import { GraphModel } from '../model/graph-model.service.js';
import { ModelExtraction, type ExtractionOrder } from '../model/model-extraction.service.js';
import { RunAccount } from '../model/run-account.js';
import { SkippedTally } from '../model/skipped-tally.js';
import { KgDocumentsRepository, type ShownDocument } from '../graphs/kg-documents.repository.js';
import type { KgExtractionPayload } from './kg-extraction.task.js';
import { evidenceOf, HEURISTIC_EXTRACTOR } from '../graphs/kg-rows.js';

/** Omissions of a document, and the number of its passages that were stored before. */
export interface ExtractedDocument {
  readonly tally: SkippedTally;
  readonly cached: number;
}

/** Extracts documents by rules or by a model. */
export interface DocumentExtractor {
  readonly name: string;
  /** Number of documents extracted at the same time. */
  readonly atOnce: number;
  /**
   * A document that is changed or deleted meanwhile is skipped; the change itself takes care of its part.
   * @throws ExtractionStopped when no model can be asked now
   */
  extract(document: ShownDocument): Promise<ExtractedDocument>;
}

const TOGETHER = 4;
const NOTHING: ExtractedDocument = { tally: new SkippedTally(), cached: 0 };

/** The extractors for documents that are ingested already. */
@Injectable()
export class DocumentExtractors {
  constructor(
    private readonly documents: KgDocumentsRepository,
    private readonly graphs: KgGraphsRepository,
    private readonly answers: ChunkAnswersRepository,
    private readonly models: GraphModel,
    private readonly extraction: ModelExtraction,
  ) {}

  /** The extractor of a run's mode. @throws TaskFailed when its model is gone */
  of(task: RunningTask<KgExtractionPayload>, graph: GraphRow): DocumentExtractor {
    return graph.mode === 'llm' ? this.byModel(task, graph) : this.byRules(task, graph);
  }

  private byRules({ ctx, signal }: RunningTask<KgExtractionPayload>, graph: GraphRow): DocumentExtractor {
    const wanted = { extractor: HEURISTIC_EXTRACTOR, types: graph.entity_types };
    const extract = async (document: ShownDocument): Promise<ExtractedDocument> => {
      if (!(await this.documents.begin(ctx, document))) return NOTHING;
      const chunks = this.documents.readChunks(ctx, document.chunk_set_id);
      for await (const rows of evidenceOf(chunks, document.name, wanted.types)) {
        signal.throwIfAborted();
        if (!(await this.documents.keep(ctx, document, rows))) return NOTHING;
        await yieldToRequests();
      }
      await this.documents.finish(ctx, document, wanted);
      return NOTHING;
    };
    return { name: HEURISTIC_EXTRACTOR, atOnce: TOGETHER, extract };
  }

  private byModel(task: RunningTask<KgExtractionPayload>, graph: GraphRow): DocumentExtractor {
    const { id, ctx, signal } = task;
    const reader = this.models.find();
    if (reader === undefined) {
      const { code, message } = kgErrors.mode_not_available({});
      throw new TaskFailed(code, message);
    }
    const costOf = (usage: Parameters<GraphModel['costOf']>[1]): number => this.models.costOf(reader, usage) ?? 0;
    const account = new RunAccount({ graphId: graph.id, taskId: id }, this.graphs, this.answers, costOf);
    const order: Omit<ExtractionOrder, 'documentId'> = {
      ctx,
      signal,
      reader,
      account,
      datasetId: graph.dataset_id,
      types: graph.entity_types,
      mayAsk: true,
      skippedSince: graph.triggered_at,
    };
    const wanted = { extractor: reader.extractor, types: graph.entity_types };
    const extract = (document: ShownDocument): Promise<ExtractedDocument> =>
      this.readDocument(document, order, wanted, () => task.giveWay());
    return { name: reader.extractor, atOnce: TOGETHER, extract };
  }

  /**
   * First the model reads the whole document, and each answer is stored; then rows are made from the answers. Readers see the former part of the
   * document until the new one is complete.
   */
  private async readDocument(
    document: ShownDocument,
    order: Omit<ExtractionOrder, 'documentId'>,
    wanted: Parameters<KgDocumentsRepository['finish']>[2],
    giveWay: () => Promise<void>,
  ): Promise<ExtractedDocument> {
    const { ctx, signal } = order;
    const chunks = () => this.documents.readChunks(ctx, document.chunk_set_id);
    const mine: ExtractionOrder = { ...order, documentId: document.id };
    const tally = new SkippedTally();
    let cached = 0;
    try {
      for await (const page of this.extraction.read(mine, chunks())) {
        signal.throwIfAborted();
        tally.add(page.answered);
        cached += page.cached;
        // Passages that were only looked up would be looked up again in the next turn, so they must not end this one.
        if (page.cached < page.answered.length) await giveWay();
      }
      if (!(await this.documents.begin(ctx, document))) return NOTHING;
      const rows = new AnswerRows();
      for await (const { answered } of this.extraction.read(mine, chunks())) {
        signal.throwIfAborted();
        if (!(await this.documents.keep(ctx, document, rows.rowsOf(answered)))) return NOTHING;
      }
    } catch (error) {
      if (error instanceof ExtractionStopped && error.stop.kind === 'closed') return NOTHING;
      throw error;
    }
    await this.documents.finish(ctx, document, wanted, tally.chunks);
    return { tally, cached };
  }
}
