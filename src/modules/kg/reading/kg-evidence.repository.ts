import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { columnsOf, result, rowsOf, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { KgMentionEntity, KgRelationEntity } from '../graphs/kg-evidence.entity.js';
import type { MentionRow, RelationRow } from './knowledge-graph.js';

/** Documents of a dataset that searches show and that are extracted. */
const SHOWN = `SELECT d.id, d.generation, x.xmin::text AS written FROM shown_documents d
  JOIN kg_extractions x ON x.document_id = d.id AND x.generation = d.generation WHERE d.dataset_id = $1`;

/**
 * A stamp of everything that a graph is made of: the shown documents, their generations and the rows that say that they are extracted. Extracting
 * again writes another row (`xmin`), even with the same content.
 */
const FIND_STAMP = statement(
  { stamp: result.text() },
  `SELECT coalesce(md5(string_agg(s.id::text || ' ' || s.generation || ' ' || s.written, ',' ORDER BY s.id)), '') AS stamp
   FROM (${SHOWN}) s`,
);
const LIST_MENTIONS = statement(
  columnsOf(
    KgMentionEntity,
    'document_id',
    'entity_key',
    'label',
    'form',
    'entity_type',
    'chunk_id',
    'char_start',
    'char_end',
    'sentence_start',
  ),
  // Ranked by windows, not by a join with the keys that are named most: without statistics such a join compares each row with each key.
  `SELECT w.document_id, w.entity_key, w.label, w.form, w.entity_type, w.chunk_id, w.char_start, w.char_end, w.sentence_start
   FROM (SELECT n.*, dense_rank() OVER (ORDER BY n.named DESC, n.entity_key) AS place
     FROM (SELECT m.*, count(*) OVER (PARTITION BY m.entity_key) AS named
       FROM kg_mentions m JOIN (${SHOWN}) s ON s.id = m.document_id AND s.generation = m.generation) n) w
   WHERE w.place <= $2 ORDER BY w.document_id, w.position LIMIT $3`,
);
const LIST_RELATIONS = statement(
  columnsOf(
    KgRelationEntity,
    'document_id',
    'source_key',
    'target_key',
    'relation',
    'chunk_id',
    'char_start',
    'char_end',
  ),
  `SELECT r.document_id, r.source_key, r.target_key, r.relation, r.chunk_id, r.char_start, r.char_end
   FROM kg_relations r JOIN (${SHOWN}) s ON s.id = r.document_id AND s.generation = r.generation
   ORDER BY r.document_id, r.position LIMIT $2`,
);

/** Entities of one graph at most, those with most evidence; places of them at most; the same for sentences that say a relation. */
const MOST_ENTITIES = 3_000;
const MOST_MENTIONS = 100_000;
const MOST_RELATIONS = 20_000;

/** The evidence of a graph, at one moment. */
export interface Evidence {
  /** As `stampOf`, of the same moment. */
  readonly stamp: string;
  readonly mentions: readonly MentionRow[];
  readonly relations: readonly RelationRow[];
  /** Whether there is more than one graph may hold. */
  readonly truncated: boolean;
}

/** What documents say that search shows now. The caller has checked that the dataset may be seen. */
@Injectable()
export class KgEvidenceRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Changes whenever the evidence does that documents show; the same evidence has the same stamp. */
  async stampOf(ctx: RequestContext, datasetId: DatasetId): Promise<string> {
    return (await this.queryOne(ctx, FIND_STAMP, [datasetId]))!.stamp;
  }

  async read(ctx: RequestContext, datasetId: DatasetId): Promise<Evidence> {
    const { stamp, mentions, relations } = await this.unitOfWork.run(
      ctx,
      async (manager) => ({
        stamp: (await rowsOf(manager, FIND_STAMP, [datasetId]))[0]!.stamp,
        mentions: await rowsOf(manager, LIST_MENTIONS, [datasetId, MOST_ENTITIES, MOST_MENTIONS]),
        relations: await rowsOf(manager, LIST_RELATIONS, [datasetId, MOST_RELATIONS]),
      }),
      { snapshot: true },
    );
    const entities = new Set(mentions.map(({ entity_key: key }) => key)).size;
    const truncated =
      entities >= MOST_ENTITIES || mentions.length >= MOST_MENTIONS || relations.length >= MOST_RELATIONS;
    return { stamp, mentions, relations, truncated };
  }
}
