import { Global, Injectable, Module } from '@nestjs/common';
import type { ChunkId, DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import {
  GraphNeighbourhood,
  type GraphEntity,
  type LeadingEntity,
  type LinkedEntity,
  type LinkedQuestion,
  type NamingChunk,
} from '../../retrieval/index.js';
import { KgNeighbourhoodRepository, type KnownName } from './kg-neighbourhood.repository.js';
import { possibleNames, withoutOverlap, type PossibleName } from './question-names.js';

/** Maximum number of entities of a dataset that a name may mean; a form that may mean more is an ordinary word. */
const MOST_MEANINGS = 3;
/** Maximum number of entities of a question that are followed, longest names first. */
const MOST_LINKED = 16;
/**
 * Maximum number of chunks that name an entity of the question, and one that is reached from it. An entity in more chunks is everywhere and tells
 * nothing.
 */
const MOST_NAMING_LINKED = 200;
const MOST_NAMING_LEADING = 20;

type Entity = Omit<GraphEntity, 'chunks'>;

/** Reads the neighbourhood of a question in the graphs of datasets, with a few statements. */
@Injectable()
export class KgNeighbourhood extends GraphNeighbourhood {
  constructor(private readonly repository: KgNeighbourhoodRepository) {
    super();
  }

  async link(ctx: RequestContext, datasetIds: readonly DatasetId[], question: string): Promise<LinkedQuestion> {
    const names = possibleNames(question);
    const [withoutGraph, known] = await Promise.all([
      this.repository.listWithoutGraph(ctx, datasetIds),
      names.length === 0
        ? []
        : this.repository.findNames(ctx, datasetIds, {
            keys: [...new Set(names.map(({ key }) => key))],
            forms: [...new Set(names.map(({ form }) => form))],
          }),
    ]);
    const meant = withoutOverlap(names, (name) => unambiguous(known.filter((row) => isMeant(name, row))));
    const linked = new Map<string, Omit<LinkedEntity, 'chunks'>>();
    for (const { name, meant: entities } of meant)
      for (const { weight, ...entity } of entities) {
        const id = `${entity.datasetId} ${entity.key}`;
        if (!linked.has(id)) linked.set(id, { ...entity, weight, form: name.form });
      }
    const entities = await this.withChunks(ctx, [...linked.values()].slice(0, MOST_LINKED), MOST_NAMING_LINKED);
    return { entities, withoutGraph };
  }

  async leadOn(
    ctx: RequestContext,
    datasetIds: readonly DatasetId[],
    chunkIds: readonly ChunkId[],
  ): Promise<readonly LeadingEntity[]> {
    if (chunkIds.length === 0) return [];
    const rows = await this.repository.listNamed(ctx, datasetIds, chunkIds);
    const groups = Map.groupBy(rows, (row) => `${row.dataset_id} ${row.entity_key}`);
    const entities = [...groups.values()].map((group) => {
      const { dataset_id: datasetId, entity_key: key, label } = group[0]!;
      return { datasetId, key, label, from: group.map(({ chunk_id: id }) => id) };
    });
    const leading = await this.withChunks(ctx, entities, MOST_NAMING_LEADING);
    return leading.filter(({ chunks }) => chunks.length > 1);
  }

  /** Without entities that more chunks name than `most`. */
  private async withChunks<T extends Entity>(
    ctx: RequestContext,
    entities: readonly T[],
    most: number,
  ): Promise<(T & { readonly chunks: readonly NamingChunk[] })[]> {
    if (entities.length === 0) return [];
    const rows = await this.repository.listNaming(ctx, entities, most + 1);
    const byPlace = Map.groupBy(rows, ({ place }) => place);
    return entities.flatMap((entity, index) => {
      const naming = byPlace.get(index + 1) ?? [];
      if (naming.length === 0 || naming.length > most) return [];
      const chunks = naming.map(({ chunk_id: chunkId, document_id: documentId, generation }) => {
        return { chunkId, documentId, generation };
      });
      return [{ ...entity, chunks }];
    });
  }
}

/** A word at the start of a sentence counts as a name where documents write it as one, for a kind of thing that has names. */
function isMeant({ key, form, isSure }: PossibleName, row: KnownName): boolean {
  return isSure ? row.entity_key === key || row.form === form : row.form === form && row.is_proper;
}

/**
 * The entities of these rows, each weighted by one over the number of entities that the name may mean in its dataset; empty where it may mean too
 * many.
 */
function unambiguous(rows: readonly KnownName[]): (Entity & { readonly weight: number })[] {
  return [...Map.groupBy(rows, (row) => row.dataset_id)].flatMap(([datasetId, own]) => {
    const labels = new Map(own.map(({ entity_key: key, label }) => [key, label]));
    if (labels.size > MOST_MEANINGS) return [];
    return [...labels].map(([key, label]) => ({ datasetId, key, label, weight: 1 / labels.size }));
  });
}

/** Contributes the knowledge graphs to retrieval. */
@Global()
@Module({
  providers: [KgNeighbourhoodRepository, { provide: GraphNeighbourhood, useClass: KgNeighbourhood }],
  exports: [GraphNeighbourhood],
})
export class KgNeighbourhoodModule {}
