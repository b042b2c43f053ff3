import type { EntityManager } from 'typeorm';
import type { Embedder } from '#libs/ai';
import { newId, type ChunkId, type ChunkSetId, type DatasetId, type DocumentId, type JsonObject } from '#libs/common';
import { rowsOf, type UnitOfWork } from '#libs/database';
import { analyzeChunk, ANALYSIS_VERSION, decodeTerms, encodeTerms, storeTerms, summarizeTerms } from '#libs/ranking';
import type { TestMember } from '#libs/testing';
import { indexRef, type VectorStore } from '#libs/vector-store';
import { filterFactsOf, toFilterFacts, type FilterFactsRow } from '../../documents/index.js';

/** A document to be shelved: one text per chunk, parted by a blank line in the canonical text. */
export interface NewDocument {
  readonly name?: string;
  readonly texts: readonly string[];
  readonly tags?: readonly string[];
  readonly metadata?: JsonObject;
  /** This many chunks, one after the other, have one parent; none have without it. */
  readonly chunksPerParent?: number;
}

/** Of the canonical text, so that chunks lie across borders of segments. */
const SEGMENT_UNITS = 40;

/** Puts datasets and documents into the database and the store as ingestion would leave them. */
export class RetrievalLibrary {
  private generation = 0;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: VectorStore,
    private readonly embedder: Embedder,
  ) {}

  /** `embedding`: what is recorded of its model; by default as of a dataset whose vectors are older than scales. */
  async addDataset(
    member: TestMember,
    acl: 'only_me' | 'all_team_members' = 'all_team_members',
    embedding: JsonObject = {},
  ): Promise<DatasetId> {
    const id = newId<DatasetId>();
    const { space } = this.embedder.descriptor;
    await this.run(member, (manager) =>
      manager.query(
        `INSERT INTO datasets (id, tenant_id, name, name_key, acl, owner_id, embedding_space, embedding) VALUES ($1, $2, $3, $3, $4, $5, $6, $7)`,
        [id, member.tenantId, `Dataset ${id}`, acl, member.accountId, space, JSON.stringify(embedding)],
      ),
    );
    return id;
  }

  /** A completed document whose chunks are visible. */
  async addDocument(member: TestMember, datasetId: DatasetId, document: NewDocument): Promise<DocumentId> {
    const id = newId<DocumentId>();
    const revisionId = newId();
    await this.run(member, async (manager) => {
      await manager.query(
        `INSERT INTO documents (id, tenant_id, dataset_id, name, media_type, size_bytes, sha256, status, current_stage, policy_version,
           revision_id, language, tags, metadata, created_by)
         VALUES ($1, $2, $3, $4, 'text/plain', 1, 'x', 'processing', 'vector_write', 1, $5, 'en', $6, $7, $8)`,
        [
          id,
          member.tenantId,
          datasetId,
          document.name ?? 'note.txt',
          revisionId,
          document.tags ?? [],
          document.metadata ?? {},
          member.accountId,
        ],
      );
      await manager.query(
        `INSERT INTO document_revisions (id, tenant_id, document_id, revision, blob_key, size_bytes, sha256) VALUES ($1, $2, $3, 1, 'k', 1, 'x')`,
        [revisionId, member.tenantId, id],
      );
    });
    await this.showTexts(member, id, document.texts, document.chunksPerParent);
    return id;
  }

  /** Replaces what a document shows, as a reingest does; the rows of the old generation stay in the store. */
  async showTexts(
    member: TestMember,
    documentId: DocumentId,
    texts: readonly string[],
    chunksPerParent?: number,
  ): Promise<ChunkSetId> {
    const setId = newId<ChunkSetId>();
    const generation = String((this.generation += 1));
    const row = await this.run(member, async (manager) => {
      const written = await this.writeSet(manager, member, documentId, setId, texts);
      await writeText(manager, member, written.revision_id, texts);
      if (chunksPerParent !== undefined) await setParents(manager, setId, chunksPerParent);
      return written;
    });
    const index = indexRef(member.ctx, row.dataset_id, this.embedder.descriptor.space);
    const rows = await this.run(member, (manager) =>
      rowsOf<{ id: ChunkId; ordinal: number; terms: Buffer; vector: Buffer }>(
        manager,
        `SELECT c.id, c.ordinal, c.terms, v.vector FROM chunks c JOIN chunk_vectors v ON v.chunk_id = c.id WHERE c.chunk_set_id = $1 ORDER BY c.ordinal`,
        [setId],
      ),
    );
    await this.store.ensureIndex(index, {
      dimensions: this.embedder.descriptor.dimensions,
      analysisVersion: ANALYSIS_VERSION,
    });
    const metadata = toFilterFacts(row);
    const chunks = rows.map(({ id, ordinal, terms, vector }) => ({
      chunkId: id,
      documentId,
      ordinal,
      generation,
      terms: storeTerms(decodeTerms(terms)),
      vector: new Float32Array(Uint8Array.from(vector).buffer),
      metadata,
    }));
    if (chunks.length > 0) await this.store.write(index, chunks);
    await this.change(
      member,
      documentId,
      `status = 'completed', visible_chunk_set_id = '${setId}', visible_generation = ${generation}`,
    );
    return setId;
  }

  /** Changes a document's row and announces it as a change of what the dataset shows. */
  async change(member: TestMember, documentId: DocumentId, assignments: string): Promise<void> {
    await this.run(member, async (manager) => {
      const [dataset] = await rowsOf<{ content_seq: string }>(
        manager,
        `UPDATE datasets SET content_seq = content_seq + 1 WHERE id = (SELECT dataset_id FROM documents WHERE id = $1) RETURNING content_seq`,
        [documentId],
      );
      await manager.query(`UPDATE documents SET ${assignments}, visibility_seq = $2 WHERE id = $1`, [
        documentId,
        dataset!.content_seq,
      ]);
    });
  }

  async run<T>(member: TestMember, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(member.ctx, (manager) => work(manager));
  }

  private async writeSet(
    manager: EntityManager,
    { tenantId }: TestMember,
    documentId: DocumentId,
    setId: ChunkSetId,
    texts: readonly string[],
  ): Promise<FilterFactsRow & { readonly dataset_id: DatasetId; readonly revision_id: string }> {
    const [row] = await rowsOf<FilterFactsRow & { dataset_id: DatasetId; revision_id: string }>(
      manager,
      `SELECT ${filterFactsOf('d')}, d.dataset_id, d.revision_id FROM documents d WHERE d.id = $1`,
      [documentId],
    );
    await manager.query(
      `INSERT INTO chunk_sets (id, tenant_id, document_id, revision_id, fingerprint, complete, chunk_count) VALUES ($1, $2, $3, $4, $5, true, $6)`,
      [setId, tenantId, documentId, row!.revision_id, setId, texts.length],
    );
    const { space } = this.embedder.descriptor;
    const encoded = texts.map((text) => encodeTerms(analyzeChunk({ text, title: row!.name.replace(/\.\w+$/, '') })));
    const { vectors } = await this.embedder.embed(texts, 'document');
    let start = 0;
    for (const [ordinal, text] of texts.entries()) {
      const id = newId();
      await manager.query(
        `INSERT INTO chunks (id, tenant_id, document_id, chunk_set_id, ordinal, text_start, text_end, body, token_count, terms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9)`,
        [id, tenantId, documentId, setId, ordinal, start, start + text.length, text, Buffer.from(encoded[ordinal]!)],
      );
      await manager.query(`INSERT INTO chunk_vectors (tenant_id, chunk_id, space, vector) VALUES ($1, $2, $3, $4)`, [
        tenantId,
        id,
        space,
        Buffer.from(vectors[ordinal]!.buffer, vectors[ordinal]!.byteOffset, vectors[ordinal]!.byteLength),
      ]);
      start += text.length + 2;
    }
    if (texts.length > 0) {
      const summary = Buffer.from(summarizeTerms(encoded.map((terms) => decodeTerms(terms))));
      await manager.query(
        `INSERT INTO chunk_set_terms (tenant_id, chunk_set_id, part, summary) VALUES ($1, $2, 0, $3)`,
        [tenantId, setId, summary],
      );
    }
    return row!;
  }
}

/** The canonical text in short segments. */
async function writeText(
  manager: EntityManager,
  { tenantId }: TestMember,
  revisionId: string,
  texts: readonly string[],
): Promise<void> {
  const text = texts.join('\n\n');
  await manager.query(`DELETE FROM document_segments WHERE revision_id = $1`, [revisionId]);
  for (let start = 0; start < text.length; start += SEGMENT_UNITS) {
    const body = text.slice(start, start + SEGMENT_UNITS);
    await manager.query(
      `INSERT INTO document_segments (tenant_id, revision_id, text_start, text_end, body, blocks) VALUES ($1, $2, $3, $4, $5, '[]')`,
      [tenantId, revisionId, start, start + body.length, body],
    );
  }
}

async function setParents(manager: EntityManager, setId: ChunkSetId, chunksPerParent: number): Promise<void> {
  await manager.query(
    `UPDATE chunks c SET parent_start = p.s, parent_end = p.e
     FROM (SELECT ordinal / $2::int AS n, min(text_start) AS s, max(text_end) AS e FROM chunks WHERE chunk_set_id = $1 GROUP BY 1) p
     WHERE c.chunk_set_id = $1 AND c.ordinal / $2::int = p.n`,
    [setId, chunksPerParent],
  );
}
