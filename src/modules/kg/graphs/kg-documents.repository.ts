import type { GraphEntityType } from '../../ingestion-policy/index.js';
import { Injectable } from '@nestjs/common';
import { Batcher, type ChunkId, type ChunkSetId, type DatasetId, type DocumentId } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { ShownContentRepository } from '../../content/index.js';
import { DocumentEntity } from '../../documents/index.js';
import { KgExtractionEntity, KgMentionEntity, KgRelationEntity } from './kg-evidence.entity.js';
import type { EvidenceRows, ExtractedChunk } from './kg-rows.js';

const WANTED = `d.dataset_id = $1 AND ($2::uuid[] IS NULL OR d.id = ANY ($2::uuid[]) OR d.archive_id = ANY ($2::uuid[]))`;
/** Whether all of the shown generation was extracted in the requested mode. */
const DONE = `EXISTS (SELECT 1 FROM kg_extractions x WHERE x.document_id = d.id AND x.generation = d.generation
  AND x.extractor = $3 AND x.entity_types = $4::text[] AND x.skipped = 0)`;

const COUNT = statement(
  { documents: result.integer, open: result.integer, chunks: result.integer, tokens: result.bigint },
  `SELECT count(*)::int AS documents, count(*) FILTER (WHERE NOT w.done)::int AS open,
     coalesce(sum(s.chunk_count) FILTER (WHERE NOT w.done), 0)::int AS chunks,
     coalesce(sum(s.token_count) FILTER (WHERE NOT w.done), 0)::bigint AS tokens
   FROM (SELECT d.chunk_set_id, ${DONE} AS done FROM shown_documents d WHERE ${WANTED}) w
   LEFT JOIN chunk_sets s ON s.id = w.chunk_set_id`,
);
const LIST_NEXT = statement(
  {
    ...columnsOf(DocumentEntity, 'id', 'name'),
    generation: result.present(result.text()),
    chunk_set_id: result.present(result.uuid<ChunkSetId>()),
    done: result.boolean,
  },
  `SELECT d.id, d.name, d.generation::text AS generation, d.chunk_set_id, ${DONE} AS done
   FROM shown_documents d WHERE ${WANTED} AND d.id > $5 ORDER BY d.id LIMIT $6`,
);
const COUNT_EXTRACTED = statement(
  { extracted: result.integer, not_extracted: result.integer },
  `SELECT count(x.document_id)::int AS extracted, (count(*) - count(x.document_id))::int AS not_extracted
   FROM shown_documents d LEFT JOIN kg_extractions x ON x.document_id = d.id AND x.generation = d.generation
   WHERE d.dataset_id = $1`,
);
const FIND_MISSING = statement(
  { id: result.uuid() },
  `SELECT w.id FROM unnest($2::uuid[]) AS w(id)
   WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.id = w.id AND d.dataset_id = $1 AND d.deleted_at IS NULL) LIMIT 1`,
);
const LIST_CHUNKS = statement(
  {
    id: result.uuid<ChunkId>(),
    ordinal: result.integer,
    text_start: result.bigint,
    body: result.text(),
    heading_path: result.texts(),
  },
  `SELECT id, ordinal, text_start, body, heading_path FROM chunks WHERE chunk_set_id = $1 AND ordinal > $2 ORDER BY ordinal LIMIT $3`,
);
const FIND_EXTRACTIONS = statement(
  columnsOf(KgExtractionEntity, 'document_id', 'extractor', 'entity_types'),
  `SELECT DISTINCT ON (document_id) document_id, extractor, entity_types FROM kg_extractions WHERE document_id = ANY ($1::uuid[])
   ORDER BY document_id, generation DESC`,
);
/** Only rows made by rules, which read the title. */
const FIND_TYPES = statement(
  columnsOf(KgExtractionEntity, 'entity_types'),
  `SELECT entity_types FROM kg_extractions WHERE document_id = $1 AND generation = $2::bigint AND extractor = $3`,
);
const INSERT_MENTIONS = statement(
  {},
  `INSERT INTO kg_mentions (tenant_id, document_id, generation, position, entity_key, label, form, entity_type, chunk_id, char_start, char_end, sentence_start)
   SELECT $1, $2, $3::bigint, r.position, r.entity_key, r.label, r.form, r.entity_type, r.chunk_id, r.char_start, r.char_end, r.sentence_start
   FROM jsonb_populate_recordset(NULL::kg_mentions, $4::jsonb) AS r ON CONFLICT DO NOTHING`,
);
const INSERT_RELATIONS = statement(
  {},
  `INSERT INTO kg_relations (tenant_id, document_id, generation, position, source_key, target_key, relation, chunk_id, char_start, char_end)
   SELECT $1, $2, $3::bigint, r.position, r.source_key, r.target_key, r.relation, r.chunk_id, r.char_start, r.char_end
   FROM jsonb_populate_recordset(NULL::kg_relations, $4::jsonb) AS r ON CONFLICT DO NOTHING`,
);
const CHUNKS_PER_PAGE = 64;

/** Which documents are to be extracted, and how. */
export interface WantedDocuments {
  readonly datasetId: DatasetId;
  /** Null: all. */
  readonly documentIds: readonly DocumentId[] | null;
  readonly extractor: string;
  readonly types: readonly GraphEntityType[];
}

/** How a document was extracted. */
export interface FormerExtraction {
  readonly extractor: string;
  readonly types: readonly GraphEntityType[];
}

interface DocumentLookup {
  readonly ctx: RequestContext;
  readonly id: DocumentId;
}

/** A document that searches show. */
export interface ShownDocument {
  readonly id: DocumentId;
  readonly name: string;
  readonly generation: string;
  readonly chunk_set_id: ChunkSetId;
  /** Whether nothing is left to extract. */
  readonly done: boolean;
}

/** Reads documents that searches show, and stores what was extracted from them. The caller has checked that they may be seen. */
@Injectable()
export class KgDocumentsRepository extends TenantRepository {
  /** One statement for all documents of a tenant that are ingested at the same time. */
  private readonly former = new Batcher<DocumentLookup, FormerExtraction | undefined>((lookups) =>
    this.findExtractions(lookups),
  );

  constructor(
    unitOfWork: UnitOfWork,
    private readonly shown: ShownContentRepository,
  ) {
    super(unitOfWork);
  }

  async count(
    ctx: RequestContext,
    wanted: WantedDocuments,
  ): Promise<{ documents: number; open: number; chunks: number; tokens: number }> {
    const row = (await this.queryOne(ctx, COUNT, parametersOf(wanted)))!;
    return { ...row, tokens: Number(row.tokens) };
  }

  /** Numbers of shown documents with and without a part in the graph. */
  async countExtracted(
    ctx: RequestContext,
    datasetId: DatasetId,
  ): Promise<{ extracted: number; not_extracted: number }> {
    return (await this.queryOne(ctx, COUNT_EXTRACTED, [datasetId]))!;
  }

  /** The first of these ids that is not a document of the dataset; undefined when all are. */
  async findMissing(
    ctx: RequestContext,
    datasetId: DatasetId,
    ids: readonly DocumentId[],
  ): Promise<string | undefined> {
    return (await this.queryOne(ctx, FIND_MISSING, [datasetId, ids]))?.id;
  }

  /** Documents behind `after` in the order of their ids. */
  async listNext(ctx: RequestContext, wanted: WantedDocuments, after: string, limit: number): Promise<ShownDocument[]> {
    return this.query(ctx, LIST_NEXT, [...parametersOf(wanted), after, limit]);
  }

  async *readChunks(ctx: RequestContext, chunkSetId: ChunkSetId): AsyncGenerator<ExtractedChunk> {
    for (let after = -1; ;) {
      const page = await this.query(ctx, LIST_CHUNKS, [chunkSetId, after, CHUNKS_PER_PAGE]);
      for (const { id, text_start: start, body, heading_path: headingPath } of page) {
        yield { id, start: Number(start), text: body, headingPath };
      }
      if (page.length < CHUNKS_PER_PAGE) return;
      after = page.at(-1)!.ordinal;
    }
  }

  /** How the newest extracted generation of the document was extracted; undefined when none was. Read in a transaction of its own. */
  async findExtraction(ctx: RequestContext, id: DocumentId): Promise<FormerExtraction | undefined> {
    const { tx: _, ...own } = ctx;
    return this.former.submit(ctx.tenantId, { ctx: own, id });
  }

  private async findExtractions(lookups: readonly DocumentLookup[]): Promise<(FormerExtraction | undefined)[]> {
    const rows = await this.query(lookups[0]!.ctx, FIND_EXTRACTIONS, [lookups.map(({ id }) => id)]);
    const byDocument = new Map(rows.map((row) => [row.document_id, row]));
    return lookups.map(({ id }) => {
      const row = byDocument.get(id);
      return row === undefined ? undefined : { extractor: row.extractor, types: row.entity_types };
    });
  }

  /**
   * Replaces a document's part that `extractor` made, in one transaction, so that readers see either the former or the new part. Does nothing
   * where the document has no such part.
   */
  async renew(
    ctx: RequestContext,
    id: DocumentId,
    extractor: string,
    extract: (
      chunks: AsyncIterable<ExtractedChunk>,
      title: string,
      types: readonly GraphEntityType[],
    ) => AsyncIterable<EvidenceRows>,
  ): Promise<void> {
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      // Also while the document is in quarantine, so that its part is right when it is released.
      const kept = await this.shown.findKept(inner, id);
      const found = kept && (await this.queryOne(inner, FIND_TYPES, [id, kept.generation, extractor]));
      if (kept === undefined || found === undefined) return;
      const document: ShownDocument = { ...kept, done: false };
      const [types, chunks] = [found.entity_types, this.readChunks(inner, document.chunk_set_id)];
      if (!(await this.begin(inner, document))) return;
      for await (const rows of extract(chunks, document.name, types)) await this.keep(inner, document, rows);
      await this.finish(inner, document, { extractor, types });
    });
  }

  /** Removes the rows of the generation; false when the document no longer shows it. */
  async begin(ctx: RequestContext, document: ShownDocument): Promise<boolean> {
    return this.whileShown(ctx, document, async (inner) => {
      const rows = { document_id: document.id, generation: document.generation };
      await this.repository(inner, KgExtractionEntity).delete(rows);
      await this.repository(inner, KgMentionEntity).delete(rows);
      await this.repository(inner, KgRelationEntity).delete(rows);
    });
  }

  async keep(ctx: RequestContext, document: ShownDocument, { mentions, relations }: EvidenceRows): Promise<boolean> {
    return this.whileShown(ctx, document, async (inner) => {
      const of = [ctx.tenantId, document.id, document.generation];
      await this.query(inner, INSERT_MENTIONS, [...of, JSON.stringify(mentions)]);
      await this.query(inner, INSERT_RELATIONS, [...of, JSON.stringify(relations)]);
    });
  }

  /** Marks the generation as complete; from then on readers see it. */
  async finish(
    ctx: RequestContext,
    document: ShownDocument,
    { extractor, types }: Pick<WantedDocuments, 'extractor' | 'types'>,
    skipped = 0,
  ): Promise<boolean> {
    return this.whileShown(ctx, document, async (inner) => {
      await this.repository(inner, KgExtractionEntity).insert({
        tenant_id: ctx.tenantId,
        document_id: document.id,
        generation: document.generation,
        extractor,
        entity_types: [...types],
        skipped,
      });
    });
  }

  private async whileShown(
    ctx: RequestContext,
    { id, generation }: ShownDocument,
    write: (inner: Parameters<Parameters<UnitOfWork['run']>[1]>[1]) => Promise<void>,
  ): Promise<boolean> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      if (!(await this.shown.holdKept(inner, id, generation))) return false;
      await write(inner);
      return true;
    });
  }
}

function parametersOf({ datasetId, documentIds, extractor, types }: WantedDocuments): readonly unknown[] {
  return [datasetId, documentIds, extractor, types];
}
