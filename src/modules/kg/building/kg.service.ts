import { Injectable } from '@nestjs/common';
import { isUuid, type DatasetId, type DocumentId } from '#libs/common';
import { AuditLog, UnitOfWork } from '#libs/database';
import { Tasks } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import type { KgGraph, KgTriggered, TriggerKgRequest } from '../graphs/kg.dto.js';
import { KgDocumentsRepository, type WantedDocuments } from '../graphs/kg-documents.repository.js';
import { KG_EXTRACTION } from '../extraction/kg-extraction.task.js';
import { HEURISTIC_EXTRACTOR, orderedTypes } from '../graphs/kg-rows.js';
import type { ExtractionFailure } from '../graphs/kg-graph.entity.js';
import { KgGraphsRepository, type GraphRow } from '../graphs/kg-graphs.repository.js';
import { KgEstimates } from './kg-estimates.service.js';
import { kgErrors } from '../kg.errors.js';
import { toGraph } from '../graphs/kg-views.js';
import type { GraphReader } from '../model/graph-model.service.js';

const LOST: ExtractionFailure = {
  code: 'kg.lost',
  message: 'The extraction ended without a result. Start it again; what is extracted already is not extracted again.',
};

/** Extractions: asked for and read here, done by a worker. */
@Injectable()
export class KgService {
  constructor(
    private readonly graphs: KgGraphsRepository,
    private readonly documents: KgDocumentsRepository,
    private readonly access: DatasetAccess,
    private readonly tasks: Tasks,
    private readonly estimates: KgEstimates,
    private readonly audit: AuditLog,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws `datasets.not_found`, `kg.document_not_found`, `kg.mode_not_available`, `kg.running` */
  async trigger(ctx: RequestContext, request: TriggerKgRequest): Promise<KgTriggered> {
    // The estimate is made before the dataset is locked, since it may read many chunks.
    const seen = await this.access.requireVisible(ctx, request.dataset_id);
    const reader = this.estimates.readerOf(request.mode);
    const wanted = await this.wantedOf(ctx, seen.id, request, reader);
    const estimate = await this.estimates.of(ctx, wanted, reader);
    if (request.dry_run) {
      const former = await this.find(ctx, seen.id);
      return { id: former?.id ?? seen.id, status: 'dry_run', estimate };
    }
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const dataset = await this.access.lockVisible(inner, request.dataset_id);
      const former = await this.find(inner, dataset.id);
      if (former !== undefined && isOpen(former)) throw kgErrors.running({ graphId: former.id });
      const { types, documentIds } = wanted;
      const budgetTokens = reader === null ? null : (request.budget?.max_tokens ?? null);
      const extraction = { types, documentIds, mode: request.mode, model: reader?.name ?? null, budgetTokens };
      const graph = await this.graphs.trigger(inner, dataset.id, extraction);
      const payload = { datasetId: dataset.id, graphId: graph.id };
      const taskId = await this.tasks.promise(inner, KG_EXTRACTION, payload, { subject: graph.id });
      await this.graphs.keepTask(inner, graph.id, taskId);
      const entry = { event: 'dataset.kg_triggered', subject: `dataset:${dataset.id}` };
      await this.audit.append(inner, { ...entry, details: { kg_id: graph.id } });
      return { id: graph.id, status: 'pending' as const, estimate };
    });
  }

  /** @throws `kg.not_found` */
  async read(ctx: RequestContext, id: string): Promise<KgGraph> {
    const { datasetId, graph } = await this.require(ctx, id);
    return toGraph(datasetId, graph, await this.documents.countExtracted(ctx, datasetId));
  }

  /** The dataset of a graph, and what was asked for of it. `id` is the graph's or the dataset's. @throws `kg.not_found` */
  async require(
    ctx: RequestContext,
    id: string,
  ): Promise<{ readonly datasetId: DatasetId; readonly graph: GraphRow | undefined }> {
    if (!isUuid(id)) throw kgErrors.not_found({});
    const graph = await this.find(ctx, id);
    if (graph !== undefined) return { datasetId: graph.dataset_id, graph };
    const [dataset] = await this.access.listVisible(ctx, [id]);
    if (dataset === undefined) throw kgErrors.not_found({});
    return { datasetId: dataset.id, graph };
  }

  private async wantedOf(
    ctx: RequestContext,
    datasetId: DatasetId,
    { document_ids: ids, entity_types: types }: TriggerKgRequest,
    reader: GraphReader | null,
  ): Promise<WantedDocuments> {
    const documentIds = ids === undefined ? null : [...new Set(ids.map((id) => id.toLowerCase() as DocumentId))];
    const missing = documentIds === null ? undefined : await this.documents.findMissing(ctx, datasetId, documentIds);
    if (missing !== undefined) throw kgErrors.document_not_found({ document: missing });
    const extractor = reader?.extractor ?? HEURISTIC_EXTRACTOR;
    return { datasetId, documentIds, extractor, types: orderedTypes(types) };
  }

  /** The graph after its task was checked: a task that failed outside of its handler has not updated the graph. */
  private async find(ctx: RequestContext, id: string): Promise<GraphRow | undefined> {
    const graph = await this.graphs.findVisible(ctx, id);
    if (graph === undefined || !isOpen(graph)) return graph;
    const task = graph.task_id === null ? undefined : await this.tasks.find(ctx, graph.task_id);
    if (task?.status === 'pending' || task?.status === 'running') return graph;
    // The task may have completed between the two reads.
    await this.graphs.fail(ctx, graph.id, failureOf(task?.error ?? LOST), graph.task_id);
    return this.graphs.findVisible(ctx, id);
  }
}

function isOpen({ status }: Pick<GraphRow, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}

/** Unexpected errors are logged, not shown to callers. */
function failureOf({ code, message }: ExtractionFailure): ExtractionFailure {
  return code === 'INTERNAL_ERROR' ? { code, message: LOST.message } : { code, message };
}
