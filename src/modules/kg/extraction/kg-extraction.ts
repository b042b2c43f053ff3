import type { JsonObject } from '#libs/common';
import { TaskFailed, TaskHandler, type RunningTask } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import { KgGraphsRepository } from '../kg-graphs.repository.js';
import { KgDocumentsRepository, type ShownDocument, type WantedDocuments } from './kg-documents.repository.js';
import { KG_EXTRACTION, type KgExtractionPayload } from './kg-extraction.task.js';
import { evidenceOf, HEURISTIC_EXTRACTOR } from './kg-rows.js';

/** Documents that are listed together. */
const PAGE = 100;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Extracts document by document what is not extracted yet. A try goes on behind the last document of the one before; one that it broke off in
 * is begun anew, and readers see nothing of it until all of it is kept.
 */
@TaskHandler(KG_EXTRACTION)
export class KgExtraction implements TaskHandler<KgExtractionPayload> {
  constructor(
    private readonly graphs: KgGraphsRepository,
    private readonly documents: KgDocumentsRepository,
    private readonly access: DatasetAccess,
  ) {}

  async run(task: RunningTask<KgExtractionPayload>): Promise<JsonObject> {
    const { ctx, payload, signal } = task;
    const [dataset] = await this.access.listVisible(ctx, [payload.datasetId]);
    if (dataset === undefined)
      throw new TaskFailed('datasets.not_found', 'The dataset is gone, or not visible any more.');
    const graph = await this.graphs.begin(ctx, payload.graphId, task.id);
    if (graph === undefined) return {};
    const wanted: WantedDocuments = {
      datasetId: dataset.id,
      documentIds: graph.document_ids,
      extractor: HEURISTIC_EXTRACTOR,
      types: graph.entity_types,
    };
    const { documents } = await this.documents.count(ctx, wanted);
    let { done } = graph;
    for (let after: string = graph.last_document_id ?? BEFORE_ALL; ;) {
      const page = await this.documents.listNext(ctx, wanted, after, PAGE);
      for (const document of page) {
        signal.throwIfAborted();
        if (!document.done) await this.extract(ctx, document, wanted, signal);
        done += 1;
        const progress = { last: document.id, done, total: Math.max(done, documents) };
        if (!(await this.graphs.advance(ctx, payload.graphId, task.id, progress)))
          throw new TaskFailed('kg.superseded', 'Another extraction has begun.');
      }
      await task.report({ done, total: Math.max(done, documents) });
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
    await this.graphs.complete(ctx, payload.graphId, task.id);
    return { done };
  }

  /** A document that is changed or deleted meanwhile is left to what changes it. */
  private async extract(
    ctx: RequestContext,
    document: ShownDocument,
    wanted: WantedDocuments,
    signal: AbortSignal,
  ): Promise<void> {
    if (!(await this.documents.begin(ctx, document))) return;
    const chunks = this.documents.readChunks(ctx, document.chunk_set_id);
    for await (const rows of evidenceOf(chunks, document.name, wanted.types)) {
      signal.throwIfAborted();
      if (!(await this.documents.keep(ctx, document, rows))) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await this.documents.finish(ctx, document, wanted);
  }
}
