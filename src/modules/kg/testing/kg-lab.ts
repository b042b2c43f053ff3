import { readFileSync } from 'node:fs';
import { ModelList, type ChatModel, type InstalledModels } from '#libs/ai';
import { newId, type DatasetId, type DocumentId } from '#libs/common';
import type { ModelPrices, Settings } from '#libs/config';
import { AuditLog, type UnitOfWork } from '#libs/database';
import type { TestMember } from '#libs/testing';
import { eventsOver } from '../../../../libs/events/src/testing/events-over.js';
import { inTurns, runningTask, tasksOver } from '../../../../libs/tasks/src/testing/tasks-over.js';
import { DatasetAccess } from '../../datasets/index.js';
import { ShownContentRepository } from '../../content/index.js';
import { DocumentLab } from '../../documents/testing/document-lab.js';
import type { TriggerKgRequest } from '../graphs/kg.dto.js';
import { ModelCosts } from '../../usage/index.js';
import { DocumentExtractors } from '../extraction/document-extractors.service.js';
import { KgDocumentsRepository } from '../graphs/kg-documents.repository.js';
import { KgExtractionRun } from '../extraction/kg-extraction-run.task.js';
import { KgRenames } from '../extraction/kg-renames.service.js';
import { KgRunEnds } from '../extraction/kg-run-ends.service.js';
import { KgStep } from '../extraction/kg.step.js';
import { KgEstimates } from '../building/kg-estimates.service.js';
import { KgGraphsRepository } from '../graphs/kg-graphs.repository.js';
import { KgService } from '../building/kg.service.js';
import { ChunkAnswersRepository } from '../model/chunk-answers.repository.js';
import { GraphModel } from '../model/graph-model.service.js';
import { ModelEstimates } from '../model/model-estimate.service.js';
import { ModelExtraction } from '../model/model-extraction.service.js';
import { PassageReading } from '../model/passage-reading.service.js';
import { KgEvidenceRepository } from '../reading/kg-evidence.repository.js';
import { BuiltGraphs } from '../reading/built-graphs.service.js';
import { KgReadingService } from '../reading/kg-reading.service.js';
import { GraphDouble } from './graph-double.js';

const DOCUMENTS = new URL('../../../../bench/graph/documents.jsonl', import.meta.url);

export interface ToldDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Short documents that tell of the same people, places and organisations. */
export function toldDocuments(): ToldDocument[] {
  const lines = readFileSync(DOCUMENTS, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as ToldDocument);
}

/** Graphs over a database, with documents and chunks as ingestion leaves them. */
export class KgLab {
  readonly documentLab: DocumentLab;
  readonly graphs: KgService;
  readonly reading: KgReadingService;
  readonly handler: KgExtractionRun;
  readonly step: KgStep;
  readonly renames: KgRenames;

  constructor(unitOfWork: UnitOfWork, model: ChatModel = new GraphDouble(), prices: ModelPrices = new Map()) {
    this.documentLab = new DocumentLab(unitOfWork);
    const access = new DatasetAccess(unitOfWork);
    const rows = new KgGraphsRepository(unitOfWork, access, eventsOver(unitOfWork));
    const documents = new KgDocumentsRepository(unitOfWork, new ShownContentRepository(unitOfWork));
    const [tasks, audit] = [tasksOver(unitOfWork), new AuditLog(unitOfWork)];
    const answers = new ChunkAnswersRepository(unitOfWork, access);
    const settings = {
      values: { modelPrices: prices, furtherModels: [], providerPatienceHours: 1 },
    } as unknown as Settings;
    const installed = { chatModels: new ModelList<ChatModel>(model) } as unknown as InstalledModels;
    const models = new GraphModel(installed, new ModelCosts(settings));
    const estimates = new KgEstimates(documents, models, new ModelEstimates(documents, answers, models));
    this.graphs = new KgService(rows, documents, access, tasks, estimates, audit, unitOfWork);
    this.reading = new KgReadingService(this.graphs, new BuiltGraphs(new KgEvidenceRepository(unitOfWork)));
    const extraction = new ModelExtraction(new PassageReading(answers), answers);
    const extractors = new DocumentExtractors(documents, rows, answers, models, extraction);
    this.handler = new KgExtractionRun(rows, documents, access, extractors, new KgRunEnds(rows, documents, settings));
    this.step = new KgStep(documents, models, extraction, answers);
    this.renames = new KgRenames(documents);
  }

  /** A document that is shown, in chunks that each hold this many characters at most. */
  async put(
    owner: TestMember,
    dataset: DatasetId,
    { title, text }: Pick<ToldDocument, 'title' | 'text'>,
  ): Promise<DocumentId> {
    const id = await this.documentLab.put(owner, dataset, { status: 'completed' });
    await this.documentLab.rows(owner, `UPDATE documents SET name = $2 WHERE id = $1`, [id, `${title}.txt`]);
    await this.showText(owner, id, text);
    return id;
  }

  /** The document shows this text from now on, as a new generation. */
  async showText(owner: TestMember, id: DocumentId, text: string): Promise<void> {
    const set = newId();
    await this.documentLab.rows(
      owner,
      `INSERT INTO chunk_sets (id, tenant_id, document_id, revision_id, fingerprint, complete, chunk_count, token_count)
       SELECT $2::uuid, tenant_id, id, revision_id, $2::text, true, 1, 50 FROM documents WHERE id = $1`,
      [id, set],
    );
    await this.documentLab.rows(
      owner,
      `INSERT INTO chunks (id, tenant_id, document_id, chunk_set_id, ordinal, text_start, text_end, body, token_count, terms)
       VALUES ($1, $2, $3, $4, 0, 0, $5, $6, 50, '')`,
      [newId(), owner.tenantId, id, set, text.length, text],
    );
    const shown = `visible_chunk_set_id = $2, visible_generation = visible_generation + 1, chunk_count = 1`;
    await this.documentLab.rows(owner, `UPDATE documents SET ${shown} WHERE id = $1`, [id, set]);
  }

  /** What is asked for, begun; gives the graph's id and the task. */
  async trigger(
    owner: TestMember,
    dataset: DatasetId,
    request: Partial<TriggerKgRequest> = {},
  ): Promise<{ id: string; taskId: string }> {
    const wanted = { mode: 'heuristic' as const, dry_run: false, ...request, dataset_id: dataset };
    const { id } = await this.graphs.trigger(owner.ctx, wanted);
    const [row] = await this.documentLab.rows<{ task_id: string }>(
      owner,
      `SELECT task_id FROM kg_graphs WHERE id = $1`,
      [id],
    );
    return { id, taskId: row!.task_id };
  }

  /** One try of a worker: `signal` ends it early, `onReport` is called when a page is kept. */
  async work(
    owner: TestMember,
    dataset: DatasetId,
    { id, taskId }: { readonly id: string; readonly taskId: string },
    signal = new AbortController().signal,
  ): Promise<void> {
    const task = runningTask(owner.ctx, { datasetId: dataset, graphId: id });
    await this.handler.run({ ...task, id: taskId, signal });
  }

  /** As if another tenant waited all the time. Resolves to the number of turns. */
  async workInTurns(
    owner: TestMember,
    dataset: DatasetId,
    { id, taskId }: { readonly id: string; readonly taskId: string },
  ): Promise<number> {
    const task = { ...runningTask(owner.ctx, { datasetId: dataset, graphId: id }), id: taskId };
    return (await inTurns(this.handler, task)).turns;
  }

  /** A graph that a worker has extracted. */
  async build(owner: TestMember, dataset: DatasetId, request: Partial<TriggerKgRequest> = {}): Promise<string> {
    const triggered = await this.trigger(owner, dataset, request);
    await this.work(owner, dataset, triggered);
    return triggered.id;
  }

  /** All of a graph, in terms that are the same for another dataset with the same documents. */
  async tell(owner: TestMember, dataset: DatasetId): Promise<{ nodes: object[]; edges: object[] }> {
    const part = await this.reading.readPart(owner.ctx, dataset, { depth: 1, limit: 2_000, format: 'json' });
    const named = await this.documentLab.rows<{ id: string; name: string }>(
      owner,
      `SELECT id, name FROM documents`,
      [],
    );
    const nameOf = new Map(named.map(({ id, name }) => [id, name]));
    const labelOf = new Map(part.nodes.map(({ id, label }) => [id, label]));
    const nodes = part.nodes.map(({ label, type, degree, pagerank, evidence_count: count }) => {
      return { label, type, degree, pagerank: pagerank.toFixed(6), count };
    });
    const edges = part.edges.map(({ source, target, relation, weight, evidence_count: count, evidence }) => {
      const ends = [labelOf.get(source)!, labelOf.get(target)!];
      if (relation === 'related_to') ends.sort();
      const places = evidence.map((place) => `${nameOf.get(place.document_id)} ${place.char_start} ${place.char_end}`);
      return { ends, relation, weight, count, places: count > places.length ? [] : places.sort() };
    });
    return { nodes: inOrder(nodes), edges: inOrder(edges) };
  }
}

function inOrder<T extends object>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
