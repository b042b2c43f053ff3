import { newId, type ChunkId, type DatasetId, type DocumentId } from '#libs/common';
import { rowsOf } from '#libs/database';
import { createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { indexRef, type IndexRef, type VectorStore } from '#libs/vector-store';
import { mergePatch } from '../../datasets/index.js';
import type { ExplainRequestDto } from '../request/explain-request.dto.js';
import type { ExplainResponse } from '../explain/explain-response.dto.js';
import type { SearchOptionsDto } from '../request/search-options.dto.js';
import type { RetrievalOutcome } from '../results/retrieval-outcome.js';
import type { SearchRequest } from '../search/retrieval.service.js';
import { createExplain, type ExplainServices } from './explain-services.js';
import { RetrievalLibrary, type NewDocument } from './retrieval-library.js';
import type { RetrievalModels } from './retrieval-services.js';

export interface DocumentInState {
  readonly id: DocumentId;
  readonly dataset: DatasetId;
  /** In the order of the text. */
  readonly chunks: readonly ChunkId[];
}

/** A question about a search, as a case of a test makes it. */
export interface LabQuestion extends SearchOptionsDto {
  readonly query: string;
  readonly dataset_ids: readonly string[];
  readonly top_k?: number;
  readonly expected: ExplainRequestDto['expected'];
  readonly as_account_id?: string;
}

/** Of the canonical text, so that words lie across borders of segments. */
const SEGMENT_UNITS = 33;

/** A tenant with a library, to make misses of every kind in. */
export class ExplainLab {
  readonly services: ExplainServices;
  readonly library: RetrievalLibrary;

  private constructor(
    readonly db: TestDatabase,
    readonly store: VectorStore,
    readonly models: RetrievalModels,
    /** An owner of the tenant. */
    readonly owner: TestMember,
    /** An editor of the same tenant. */
    readonly colleague: TestMember,
    /** Of another tenant. */
    readonly stranger: TestMember,
    postingsBytes: number | undefined,
  ) {
    this.services = createExplain(db.unitOfWork, store, models, postingsBytes);
    this.library = new RetrievalLibrary(db.unitOfWork, store, models.embedder);
  }

  /** Without `postingsBytes` it keeps what `createRetrieval` does. */
  static async open(
    db: TestDatabase,
    store: VectorStore,
    models: RetrievalModels,
    postingsBytes?: number,
  ): Promise<ExplainLab> {
    const owner = await createTestMember(db.unitOfWork, 'owner');
    const colleague = await createTestMember(db.unitOfWork, 'editor', owner.tenantId);
    const stranger = await createTestMember(db.unitOfWork, 'owner');
    return new ExplainLab(db, store, models, owner, colleague, stranger, postingsBytes);
  }

  dataset(acl: 'only_me' | 'all_team_members' = 'all_team_members', of: TestMember = this.owner): Promise<DatasetId> {
    return this.library.addDataset(of, acl);
  }

  /** A completed document; its canonical text is `canonical`, by default its chunks with a blank line between. */
  async document(
    dataset: DatasetId,
    texts: readonly string[],
    more: Omit<NewDocument, 'texts'> & { readonly canonical?: string; readonly of?: TestMember } = {},
  ): Promise<DocumentInState> {
    const { canonical = texts.join('\n\n'), of = this.owner, ...facts } = more;
    const id = await this.library.addDocument(of, dataset, { ...facts, texts });
    await this.library.run(of, async (manager) => {
      await manager.query(
        `DELETE FROM document_segments WHERE revision_id = (SELECT revision_id FROM documents WHERE id = $1)`,
        [id],
      );
      for (let start = 0; start < canonical.length; start += SEGMENT_UNITS) {
        const body = canonical.slice(start, start + SEGMENT_UNITS);
        await manager.query(
          `INSERT INTO document_segments (tenant_id, revision_id, text_start, text_end, body, blocks)
           SELECT tenant_id, revision_id, $2::bigint, $3::bigint, $4, '[]' FROM documents WHERE id = $1`,
          [id, start, start + body.length, body],
        );
      }
    });
    return { id, dataset, chunks: await this.chunksOf(id, of) };
  }

  async chunksOf(document: DocumentId, of: TestMember = this.owner): Promise<ChunkId[]> {
    const rows = await this.sql<{ id: ChunkId }>(
      `SELECT c.id FROM chunks c JOIN documents d ON d.visible_chunk_set_id = c.chunk_set_id WHERE d.id = $1 ORDER BY c.ordinal`,
      [document],
      of,
    );
    return rows.map(({ id }) => id);
  }

  /** Changes a document's row as a change of what its dataset shows. */
  change(document: DocumentInState, assignments: string): Promise<void> {
    return this.library.change(this.owner, document.id, assignments);
  }

  sql<Row>(statement: string, parameters: readonly unknown[], of: TestMember = this.owner): Promise<Row[]> {
    return this.library.run(of, (manager) => rowsOf<Row>(manager, statement, parameters));
  }

  indexOf(dataset: DatasetId): IndexRef {
    return indexRef(this.owner.ctx, dataset, this.models.embedder.descriptor.space);
  }

  search(request: SearchRequest, by: TestMember = this.owner): Promise<RetrievalOutcome> {
    return this.services.retrieval.retrieve(by.ctx, request);
  }

  /** Ids of the chunks that a search returns, best first. */
  async ranking(request: SearchRequest): Promise<ChunkId[]> {
    return (await this.search(request)).results.map(({ chunkId }) => chunkId);
  }

  explain(question: LabQuestion, by: TestMember = this.owner): Promise<ExplainResponse> {
    const ctx = { ...by.ctx, requestId: newId() };
    return this.services.explain.explain(ctx, question as ExplainRequestDto, new AbortController().signal);
  }

  /** The search of a question with a suggestion of its explanation followed. */
  follow(
    { expected: _expected, ...question }: LabQuestion,
    change: ExplainResponse['suggestions'][number]['change'],
  ): Promise<RetrievalOutcome> {
    const request = mergePatch(JSON.parse(JSON.stringify(question)) as never, change) as unknown as SearchRequest;
    return this.search(request);
  }
}
