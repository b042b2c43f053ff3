import { createModels } from '#libs/ai';
import { newId, type DatasetId, type DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore } from '#libs/vector-store';
import { BUILTIN_MODELS } from '#libs/testing';
import { ReembeddingsService, Reembedding } from '../../indexing/index.js';
import { systemContext } from '../../documents/index.js';
import { createRetrieval } from '../../retrieval/testing/retrieval-services.js';
import { IngestionLab } from './ingestion-lab.js';
import { SwitchableEmbedder } from './switchable-embedder.js';
import { uninterruptedTask } from './uninterrupted-task.js';

type Retrieval = ReturnType<typeof createRetrieval>;
export type SearchReply = Awaited<ReturnType<Retrieval['retrieve']>>;

/** Ingestion and search with an embedder that can be switched. */
export class ReembeddingLab {
  private constructor(
    readonly lab: IngestionLab,
    readonly embedder: SwitchableEmbedder,
    private readonly retrieval: Retrieval,
  ) {}

  static async open(): Promise<ReembeddingLab> {
    const models = await createModels(BUILTIN_MODELS);
    const embedder = new SwitchableEmbedder(models.embedder);
    const lab = await IngestionLab.open({ embedder: () => embedder });
    const retrieval = createRetrieval(lab.db.unitOfWork, lab.get(VectorStore), { ...models, embedder });
    return new ReembeddingLab(lab, embedder, retrieval);
  }

  get ctx(): RequestContext {
    return this.lab.owner.ctx;
  }

  get service(): ReembeddingsService {
    return this.lab.get(ReembeddingsService);
  }

  /** Uploads texts of one chunk each and ingests them. */
  async shelve(dataset: DatasetId, texts: readonly string[]): Promise<DocumentId[]> {
    const ids = await this.lab.upload(
      dataset,
      texts.map((content, n) => ({ name: `note-${n}.txt`, content })),
    );
    await this.lab.work();
    return ids;
  }

  search(dataset: DatasetId, query: string, options: Record<string, unknown> = {}): Promise<SearchReply> {
    return this.retrieval.retrieve(this.ctx, { query, dataset_ids: [dataset], ...options });
  }

  /** Carries out a re-embedding, like a worker with its task. */
  work(dataset: DatasetId, id: string, worker: Reembedding = this.lab.get(Reembedding)): Promise<void> {
    return worker.run(systemContext(this.lab.owner.tenantId, newId()), dataset, id, uninterruptedTask());
  }

  /** Starts a re-embedding and carries it out. */
  async reembed(dataset: DatasetId): Promise<string> {
    const { reembedding_id: id } = await this.service.start(this.ctx, dataset);
    await this.work(dataset, id);
    return id;
  }

  /** `document:generation` of every row in the index of a space. */
  async rowsIn(dataset: DatasetId, space: string): Promise<string[]> {
    const rows: string[] = [];
    for await (const row of this.lab.get(VectorStore).listIds(indexRef(this.ctx, dataset, space), { all: true })) {
      rows.push(`${row.documentId}:${row.generation}`);
    }
    return rows.toSorted();
  }

  /** `document:generation` for every shown chunk. */
  async shown(dataset: DatasetId): Promise<string[]> {
    const rows = await this.lab.query<{ key: string; n: number }>(
      `SELECT id || ':' || visible_generation AS key, chunk_count AS n FROM documents
       WHERE dataset_id = $1 AND visible_generation IS NOT NULL AND deleted_at IS NULL`,
      [dataset],
    );
    return rows.flatMap(({ key, n }) => Array.from({ length: n }, () => key)).toSorted();
  }

  async spaceOf(dataset: DatasetId): Promise<string> {
    const [row] = await this.lab.query<{ space: string }>(
      `SELECT embedding_space AS space FROM datasets WHERE id = $1`,
      [dataset],
    );
    return row!.space;
  }
}
