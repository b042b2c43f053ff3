import { Injectable } from '@nestjs/common';
import type { ChunkId, DatasetId, DocumentId } from '#libs/common';
import { result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';

/** Places of documents that search shows and that are extracted. */
const SHOWN = `JOIN shown_documents d ON d.id = m.document_id AND d.generation = m.generation
  JOIN kg_extractions x ON x.document_id = d.id AND x.generation = d.generation`;

const FIND_NAMES = statement(
  {
    dataset_id: result.uuid<DatasetId>(),
    entity_key: result.text(),
    form: result.text(),
    label: result.present(result.text()),
    is_proper: result.present(result.boolean),
  },
  `SELECT d.dataset_id, m.entity_key, m.form, min(m.label) AS label,
     bool_or(m.entity_type IN ('person', 'organisation', 'place', 'product')) AS is_proper FROM kg_mentions m ${SHOWN}
   WHERE d.dataset_id = ANY ($1::uuid[]) AND (m.entity_key = ANY ($2::text[]) OR m.form = ANY ($3::text[]))
   GROUP BY d.dataset_id, m.entity_key, m.form ORDER BY d.dataset_id, m.entity_key, m.form LIMIT $4`,
);
const LIST_NAMING = statement(
  {
    place: result.integer,
    chunk_id: result.uuid<ChunkId>(),
    document_id: result.uuid<DocumentId>(),
    generation: result.bigint,
  },
  `SELECT w.n::int AS place, c.chunk_id, c.document_id, c.generation
   FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS w(dataset_id, entity_key, n)
   CROSS JOIN LATERAL (SELECT DISTINCT m.document_id, m.generation, m.chunk_id FROM kg_mentions m ${SHOWN}
     WHERE m.entity_key = w.entity_key AND d.dataset_id = w.dataset_id
     ORDER BY m.document_id, m.generation, m.chunk_id LIMIT $3) c
   ORDER BY w.n, c.document_id, c.chunk_id`,
);
const LIST_NAMED = statement(
  {
    dataset_id: result.uuid<DatasetId>(),
    chunk_id: result.uuid<ChunkId>(),
    entity_key: result.text(),
    label: result.present(result.text()),
  },
  `SELECT n.dataset_id, n.chunk_id, n.entity_key, n.label FROM (
     SELECT d.dataset_id, m.chunk_id, m.entity_key, min(m.label) AS label,
       row_number() OVER (PARTITION BY m.chunk_id ORDER BY min(m.position)) AS place
     FROM kg_mentions m ${SHOWN}
     WHERE m.chunk_id = ANY ($2::uuid[]) AND d.dataset_id = ANY ($1::uuid[])
     GROUP BY d.dataset_id, m.chunk_id, m.entity_key) n
   WHERE n.place <= $3 ORDER BY n.dataset_id, n.entity_key, n.chunk_id`,
);
const LIST_WITHOUT_GRAPH = statement(
  { id: result.uuid<DatasetId>() },
  `SELECT w.id FROM unnest($1::uuid[]) WITH ORDINALITY AS w(id, n)
   WHERE NOT EXISTS (SELECT 1 FROM kg_extractions x JOIN shown_documents d ON d.id = x.document_id AND d.generation = x.generation
     WHERE d.dataset_id = w.id)
   ORDER BY w.n`,
);

const MOST_NAMES = 1_000;
/** Entities of one chunk that are followed, in the order of its text. */
const MOST_OF_CHUNK = 32;

/** A name under which documents know an entity. */
export type KnownName = NonNullable<(typeof FIND_NAMES)['row']>;
/** An entity that a chunk names. */
export type NamedEntity = NonNullable<(typeof LIST_NAMED)['row']>;
/** A chunk that names the requested entity number `place`, from 1. */
export type NamingRow = NonNullable<(typeof LIST_NAMING)['row']>;

/** Reads the neighbourhood of names in the documents that searches currently show. The caller has checked that the datasets may be seen. */
@Injectable()
export class KgNeighbourhoodRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** By key, or by one of its forms as documents write it. */
  async findNames(
    ctx: RequestContext,
    datasetIds: readonly DatasetId[],
    { keys, forms }: { readonly keys: readonly string[]; readonly forms: readonly string[] },
  ): Promise<KnownName[]> {
    return this.query(ctx, FIND_NAMES, [datasetIds, keys, forms, MOST_NAMES]);
  }

  /** At most `limit` chunks of each entity. */
  async listNaming(
    ctx: RequestContext,
    entities: readonly { readonly datasetId: DatasetId; readonly key: string }[],
    limit: number,
  ): Promise<NamingRow[]> {
    const datasets = entities.map(({ datasetId }) => datasetId);
    return this.query(ctx, LIST_NAMING, [datasets, entities.map(({ key }) => key), limit]);
  }

  async listNamed(
    ctx: RequestContext,
    datasetIds: readonly DatasetId[],
    chunkIds: readonly ChunkId[],
  ): Promise<NamedEntity[]> {
    return this.query(ctx, LIST_NAMED, [datasetIds, chunkIds, MOST_OF_CHUNK]);
  }

  async listWithoutGraph(ctx: RequestContext, datasetIds: readonly DatasetId[]): Promise<DatasetId[]> {
    return (await this.query(ctx, LIST_WITHOUT_GRAPH, [datasetIds])).map(({ id }) => id);
  }
}
