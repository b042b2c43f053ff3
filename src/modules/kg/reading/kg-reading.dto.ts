import { Answer, Choice, Integer, ListQueryDto, PageOf, Text, Uuid } from '#libs/http';
import { GRAPH_ENTITY_TYPES, type GraphEntityType } from '../../ingestion-policy/index.js';

export const GRAPH_FORMATS = ['json', 'graphml', 'csv'] as const;
export type GraphFormat = (typeof GRAPH_FORMATS)[number];
const MOST_NODES = 2_000;
const MOST_DEPTH = 5;
const MOST_STEPS = 8;
const LONGEST_NAME = 200;

/** Filter that selects a part of a graph. */
export class GraphPartQuery {
  /** Only entities with this text in their name or another form of it; case is ignored. */
  @Text({ query: true, length: [1, LONGEST_NAME] })
  q?: string;

  /** Only entities of this kind. */
  @Choice(GRAPH_ENTITY_TYPES, { query: true })
  entity_type?: GraphEntityType;

  /** Identifier or name of an entity: only its neighbourhood is returned. */
  @Text({ query: true, length: [1, LONGEST_NAME] })
  center?: string;

  /** Maximum distance from `center`, in edges; without `center` it has no effect. */
  @Integer({ query: true, min: 0, max: MOST_DEPTH, default: 1 })
  depth: number = 1;
}

/** Filter and form of a graph that is read. */
export class ReadGraphQuery extends GraphPartQuery {
  /** Maximum number of nodes, those with the highest PageRank. The maximum number of edges, those with the highest weight, is ten times as high. */
  @Integer({ query: true, min: 1, max: MOST_NODES, default: 200 })
  limit: number = 200;

  /**
   * Form of the response. `csv`: a row for each node, then one for each edge; a text that a spreadsheet would take for a formula begins with an
   * apostrophe.
   */
  @Choice(GRAPH_FORMATS, { query: true, default: 'json' })
  format: GraphFormat = 'json';
}

/** Filter of a graph that is drawn. */
export class ViewGraphQuery extends GraphPartQuery {
  /** Maximum number of nodes, those with the highest PageRank. The maximum number of edges, those with the highest weight, is ten times as high. */
  @Integer({ query: true, min: 1, max: MOST_NODES, default: 500 })
  limit: number = 500;
}

/** Filter of the entities. */
export class ListEntitiesQuery extends ListQueryDto {
  /** Only entities with this text in their name or another form of it; case is ignored. */
  @Text({ query: true, length: [1, LONGEST_NAME] })
  q?: string;

  /** Only entities of this kind. */
  @Choice(GRAPH_ENTITY_TYPES, { query: true })
  entity_type?: GraphEntityType;

  /** Only entities that the document with this identifier names; none when nothing of the document is in the graph. */
  @Uuid({ query: true })
  document_id?: string;
}

/** Ends and maximum length of a path. */
export class FindPathQuery {
  /** Identifier or name of the first entity; required. */
  @Text({ query: true, length: [1, LONGEST_NAME] })
  from?: string;

  /** Identifier or name of the last entity; required. */
  @Text({ query: true, length: [1, LONGEST_NAME] })
  to?: string;

  /** Maximum length of the path, in edges. */
  @Integer({ query: true, min: 1, max: MOST_STEPS, default: 4 })
  max_length: number = 4;
}

/** A place in a document. */
export class KgPlace {
  /** Identifier of the document. */
  @Answer.Uuid()
  document_id!: string;

  /** Identifier of the chunk. */
  @Answer.Uuid()
  chunk_id!: string;

  /** Start of the place in the canonical text, in UTF-16 code units. */
  @Answer.Count()
  char_start!: number;

  /** End of the place in the canonical text, exclusive, in UTF-16 code units. */
  @Answer.Count()
  char_end!: number;
}

/** An entity as a node of the graph. */
export class KgNode {
  /** Identifier of the entity; it stays the same as long as documents of the dataset name the entity. */
  @Answer.Uuid()
  id!: string;

  /** Most frequent full name of the entity. */
  label!: string;

  /** Kind of the entity, as the documents show it; `term` where none shows a kind. */
  @Answer.Choice(GRAPH_ENTITY_TYPES)
  type!: GraphEntityType;

  /** Number of nodes of the whole graph that the entity is connected to. */
  @Answer.Count()
  degree!: number;

  /** PageRank of the entity in the whole graph, by the weights of edges. */
  @Answer.Share()
  pagerank!: number;

  /** Number of the entity's community in the whole graph (Louvain), from 0, the largest first. */
  @Answer.Count()
  community!: number;

  /** Number of places in visible documents that name the entity. */
  @Answer.Count()
  evidence_count!: number;
}

/** A relation between two entities. */
export class KgEdge {
  /** Identifier of the entity where the relation begins; for `related_to`, which has no direction, the smaller of the two identifiers. */
  @Answer.Uuid()
  source!: string;

  /** Identifier of the other entity. */
  @Answer.Uuid()
  target!: string;

  /**
   * Kind of the relation. `related_to`: both entities are named in the same sentence, in any language. The other kinds are stated by English
   * sentences: `founded`, `created`, `owns`, `leads`, `works_for`, `supplies`, `uses`, `replaces`, `part_of`, `located_in`.
   */
  @Answer.Text({ example: 'located_in' })
  relation!: string;

  /**
   * Number of sentences with the relation. For `related_to` it is multiplied by 1 plus the normalised mutual information of the two entities,
   * which at most doubles it.
   */
  @Answer.Decimal({ min: 0 })
  weight!: number;

  /** Number of places in visible documents that state the relation. */
  @Answer.Count()
  evidence_count!: number;

  /** The first five of these places. */
  @Answer.NestedList(() => KgPlace)
  evidence!: KgPlace[];
}

/** Numbers of nodes and edges. */
export class KgTotal {
  /** Number of nodes. */
  @Answer.Count()
  nodes!: number;

  /** Number of edges. */
  @Answer.Count()
  edges!: number;
}

/** A part of a knowledge graph, as visible documents currently support it. */
export class KgGraphPart {
  /** Identifier of the graph; the identifier of the dataset while no extraction was requested. */
  @Answer.Uuid()
  id!: string;

  /** Identifier of the dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Nodes by descending PageRank; `center` first. */
  @Answer.NestedList(() => KgNode)
  nodes!: KgNode[];

  /** Edges between these nodes, by descending weight. */
  @Answer.NestedList(() => KgEdge)
  edges!: KgEdge[];

  /** Numbers of nodes and edges that match the filters, before `limit`. */
  @Answer.Nested(() => KgTotal)
  total!: KgTotal;

  /** Whether the documents name more entities than a graph can hold; if true, the graph holds the 3,000 entities with the most evidence. */
  @Answer.Flag()
  truncated!: boolean;
}

/** A page of entities. */
export class KgEntityPage extends PageOf(KgNode, {
  items: 'Entities of this page, by descending PageRank.',
  total: 'Number of entities that match the filters.',
}) {}

/** A page of places. */
export class KgPlacePage extends PageOf(KgPlace, {
  items: 'Places of this page, by document, in the order of its text.',
  total: 'Number of places.',
}) {}

/** An entity with its evidence and its edges. */
export class KgEntity extends KgNode {
  /** Other forms of the entity's name in visible documents. */
  @Answer.Texts()
  aliases!: string[];

  /** Places that name the entity. */
  @Answer.Nested(() => KgPlacePage)
  evidence!: KgPlacePage;

  /** Edges of the entity, by descending weight, at most 100. */
  @Answer.NestedList(() => KgEdge)
  edges!: KgEdge[];
}

/** A path from one entity to another. */
export class KgPath {
  /** Entities along the path, both ends included; empty when there is no path. */
  @Answer.NestedList(() => KgNode)
  nodes!: KgNode[];

  /** Edges along the path, one fewer than nodes. Each has the direction of its relation, also where the path follows it backwards. */
  @Answer.NestedList(() => KgEdge)
  edges!: KgEdge[];

  /** Length of the shortest path, in edges; null when there is none within `max_length`. */
  @Answer.Count({ nullable: true })
  length!: number | null;
}
