import { mapBounded, type DocumentId, type JsonObject } from '#libs/common';
import { TaskFailed, TaskHandler, type RunningTask } from '#libs/tasks';
import { DatasetAccess } from '../../datasets/index.js';
import type { GraphRow } from '../graphs/kg-graphs.repository.js';
import { KgGraphsRepository } from '../graphs/kg-graphs.repository.js';
import { errorOf, ExtractionStopped } from '../model/extraction-stop.js';
import { SkippedTally } from '../model/skipped-tally.js';
import { DocumentExtractors, type DocumentExtractor, type ExtractedDocument } from './document-extractors.service.js';
import { KgDocumentsRepository, type ShownDocument, type WantedDocuments } from '../graphs/kg-documents.repository.js';
import { KG_EXTRACTION, type KgExtractionPayload } from './kg-extraction.task.js';
import { KgRunEnds } from './kg-run-ends.service.js';

/** Number of documents read at once. */
const PAGE = 100;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000' as DocumentId;

/**
 * Extracts document by document what is not extracted yet. A try continues behind the last document of the previous try; a document in which that
 * one broke off is begun again, and readers see nothing of it until all of it is stored.
 */
@TaskHandler(KG_EXTRACTION)
export class KgExtractionRun implements TaskHandler<KgExtractionPayload> {
  constructor(
    private readonly graphs: KgGraphsRepository,
    private readonly documents: KgDocumentsRepository,
    private readonly access: DatasetAccess,
    private readonly extractors: DocumentExtractors,
    private readonly ends: KgRunEnds,
  ) {}

  async run(task: RunningTask<KgExtractionPayload>): Promise<JsonObject> {
    const { ctx, payload } = task;
    const [dataset] = await this.access.listVisible(ctx, [payload.datasetId]);
    if (dataset === undefined)
      throw new TaskFailed('datasets.not_found', 'The dataset is deleted, or no longer visible.');
    const graph = await this.graphs.begin(ctx, payload.graphId, task.id);
    if (graph === undefined) return {};
    const extractor = this.extractors.of(task, graph);
    const wanted: WantedDocuments = {
      datasetId: dataset.id,
      documentIds: graph.document_ids,
      extractor: extractor.name,
      types: graph.entity_types,
    };
    try {
      const done = await this.extractAll(task, graph, wanted, extractor);
      await this.graphs.end(ctx, payload.graphId, task.id);
      return { done };
    } catch (error) {
      if (!(error instanceof ExtractionStopped)) throw error;
      return this.ends.endEarly(task, wanted, error.stop);
    }
  }

  private async extractAll(
    task: RunningTask<KgExtractionPayload>,
    graph: GraphRow,
    wanted: WantedDocuments,
    extractor: DocumentExtractor,
  ): Promise<number> {
    const { ctx } = task;
    const { documents } = await this.documents.count(ctx, wanted);
    let { done } = graph;
    for (let after = graph.last_document_id ?? BEFORE_ALL; ;) {
      const page = await this.documents.listNext(ctx, wanted, after, PAGE);
      for (let at = 0; at < page.length; at += extractor.atOnce) {
        const together = page.slice(at, at + extractor.atOnce);
        const { tally, cached } = await extractTogether(together, extractor, task.signal);
        done += together.length;
        const total = Math.max(done, documents);
        const progress = { last: together.at(-1)!.id, done, total, cached, skipped: tally.all };
        if (!(await this.graphs.advance(ctx, task.payload.graphId, task.id, progress)))
          throw new TaskFailed('kg.superseded', 'Another extraction has begun.');
        await task.giveWay();
      }
      await task.report({ done, total: Math.max(done, documents) });
      const last = page.at(-1);
      if (last === undefined) return done;
      after = last.id;
    }
  }
}

/** All documents end or stop before the first stop is thrown, so that nothing is under way then. */
async function extractTogether(
  documents: readonly ShownDocument[],
  extractor: DocumentExtractor,
  signal: AbortSignal,
): Promise<{ readonly tally: SkippedTally; readonly cached: number }> {
  const tally = new SkippedTally();
  const failures: Error[] = [];
  let cached = 0;
  await mapBounded(documents, extractor.atOnce, async (document) => {
    if (document.done || failures.length > 0) return;
    try {
      signal.throwIfAborted();
      const extracted: ExtractedDocument = await extractor.extract(document);
      tally.join(extracted.tally);
      cached += extracted.cached;
    } catch (error) {
      failures.push(errorOf(error));
    }
  });
  const [failure] = failures;
  if (failure !== undefined) throw failure;
  return { tally, cached };
}
