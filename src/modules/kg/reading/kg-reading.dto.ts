import { GRAPH_ENTITY_TYPES, type GraphEntityType } from '../../ingestion-policy/index.js';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, IsUUID, Length, Max, Min } from 'class-validator';
import { ListQueryDto, QueryInteger } from '#libs/http';

const COUNT = { type: 'integer', minimum: 0 } as const;
export const GRAPH_FORMATS = ['json', 'graphml', 'csv'] as const;
export type GraphFormat = (typeof GRAPH_FORMATS)[number];
const MOST_NODES = 2_000;
const MOST_DEPTH = 5;
const MOST_STEPS = 8;
const LONGEST_NAME = 200;

/** Which part of a graph is meant. */
export class GraphPartQuery {
  /** Only entities with this text in their name or another form of it; case is ignored. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: LONGEST_NAME })
  @IsOptional()
  @IsString()
  @Length(1, LONGEST_NAME)
  q?: string;

  /** Only entities of this kind. */
  @ApiPropertyOptional({ enum: GRAPH_ENTITY_TYPES })
  @IsOptional()
  @IsIn(GRAPH_ENTITY_TYPES)
  entity_type?: GraphEntityType;

  /** Identifier or name of an entity: only its neighbourhood is returned. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: LONGEST_NAME })
  @IsOptional()
  @IsString()
  @Length(1, LONGEST_NAME)
  center?: string;

  /** Maximum distance from `center`, in edges; without `center` it has no effect. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MOST_DEPTH, default: 1 })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(0)
  @Max(MOST_DEPTH)
  depth: number = 1;
}

/** Which part of a graph is read, and in which form. */
export class ReadGraphQuery extends GraphPartQuery {
  /** Maximum number of nodes, those with the highest PageRank. The maximum number of edges, those with the highest weight, is ten times as high. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MOST_NODES, default: 200 })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(1)
  @Max(MOST_NODES)
  limit: number = 200;

  /**
   * Form of the response. `csv`: a row for each node, then one for each edge; a text that a spreadsheet would take for a formula begins with an
   * apostrophe.
   */
  @ApiPropertyOptional({ enum: GRAPH_FORMATS, default: 'json' })
  @IsOptional()
  @IsIn(GRAPH_FORMATS)
  format: GraphFormat = 'json';
}

/** Which part of a graph is drawn. */
export class ViewGraphQuery extends GraphPartQuery {
  /** Maximum number of nodes, those with the highest PageRank. The maximum number of edges, those with the highest weight, is ten times as high. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MOST_NODES, default: 500 })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(1)
  @Max(MOST_NODES)
  limit: number = 500;
}

/** Which entities are listed. */
export class ListEntitiesQuery extends ListQueryDto {
  /** Only entities with this text in their name or another form of it; case is ignored. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: LONGEST_NAME })
  @IsOptional()
  @IsString()
  @Length(1, LONGEST_NAME)
  q?: string;

  /** Only entities of this kind. */
  @ApiPropertyOptional({ enum: GRAPH_ENTITY_TYPES })
  @IsOptional()
  @IsIn(GRAPH_ENTITY_TYPES)
  entity_type?: GraphEntityType;

  /** Identifier of a document: only entities that it names; none when the graph has nothing from the document. */
  @ApiPropertyOptional({ type: String, format: 'uuid' })
  @IsOptional()
  @IsUUID()
  document_id?: string;
}

/** Between which entities a way is looked for. */
export class FindPathQuery {
  /** Identifier or name of the first entity; required. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: LONGEST_NAME })
  @IsOptional()
  @IsString()
  @Length(1, LONGEST_NAME)
  from?: string;

  /** Identifier or name of the last entity; required. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: LONGEST_NAME })
  @IsOptional()
  @IsString()
  @Length(1, LONGEST_NAME)
  to?: string;

  /** Maximum length of the path, in edges. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MOST_STEPS, default: 4 })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(1)
  @Max(MOST_STEPS)
  max_length: number = 4;
}

/** Where a document says something. */
export class KgPlace {
  /** Identifier of the document. */
  @ApiProperty({ type: String, format: 'uuid' })
  document_id!: string;

  /** Identifier of the chunk. */
  @ApiProperty({ type: String, format: 'uuid' })
  chunk_id!: string;

  /** Start of the place in the canonical text, in UTF-16 code units. */
  @ApiProperty(COUNT)
  char_start!: number;

  /** End of the place in the canonical text, exclusive, in UTF-16 code units. */
  @ApiProperty(COUNT)
  char_end!: number;
}

/** An entity as a node of the graph. */
export class KgNode {
  /** Identifier of the entity; constant as long as documents of the dataset name the entity. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Most frequent full name of the entity. */
  label!: string;

  /** Kind of the entity, as far as documents tell; `term` where none does. */
  @ApiProperty({ enum: GRAPH_ENTITY_TYPES })
  type!: GraphEntityType;

  /** Number of nodes of the whole graph that the entity is connected to. */
  @ApiProperty(COUNT)
  degree!: number;

  /** PageRank of the entity in the whole graph, by the weights of edges. */
  @ApiProperty({ type: Number, minimum: 0, maximum: 1 })
  pagerank!: number;

  /** Number of the entity's community in the whole graph (Louvain), from 0, the largest first. */
  @ApiProperty(COUNT)
  community!: number;

  /** Number of places in visible documents that name the entity. */
  @ApiProperty(COUNT)
  evidence_count!: number;
}

/** How two entities belong together. */
export class KgEdge {
  /** Identifier of the entity where the relation begins; for `related_to`, which has no direction, the smaller of both identifiers. */
  @ApiProperty({ type: String, format: 'uuid' })
  source!: string;

  /** Identifier of the other entity. */
  @ApiProperty({ type: String, format: 'uuid' })
  target!: string;

  /**
   * Kind of the relation. `related_to`: both are named in the same sentence, in any language. The others are stated by English sentences:
   * `founded`, `created`, `owns`, `leads`, `works_for`, `supplies`, `uses`, `replaces`, `part_of`, `located_in`.
   */
  @ApiProperty({ type: String, example: 'located_in' })
  relation!: string;

  /**
   * Number of sentences with the relation; for `related_to` multiplied by 1 plus the normalised mutual information of both entities, so at most
   * doubled.
   */
  @ApiProperty({ type: Number, minimum: 0 })
  weight!: number;

  /** Number of places in visible documents that state the relation. */
  @ApiProperty(COUNT)
  evidence_count!: number;

  /** The first five of these places. */
  @ApiProperty({ type: () => [KgPlace] })
  evidence!: KgPlace[];
}

/** How much there is. */
export class KgTotal {
  /** Number of nodes. */
  @ApiProperty(COUNT)
  nodes!: number;

  /** Number of edges. */
  @ApiProperty(COUNT)
  edges!: number;
}

/** A part of a knowledge graph: what visible documents support at this moment. */
export class KgGraphPart {
  /** Identifier of the graph; without an extraction so far, the identifier of the dataset. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Identifier of the dataset. */
  @ApiProperty({ type: String, format: 'uuid' })
  dataset_id!: string;

  /** Nodes by descending PageRank; `center` first. */
  @ApiProperty({ type: () => [KgNode] })
  nodes!: KgNode[];

  /** Edges between these nodes, by descending weight. */
  @ApiProperty({ type: () => [KgEdge] })
  edges!: KgEdge[];

  /** Numbers of nodes and edges that match the filters, before `limit`. */
  @ApiProperty({ type: () => KgTotal })
  total!: KgTotal;

  /** Whether the documents name more entities than a graph can hold; the graph then holds the 3,000 with most evidence. */
  @ApiProperty({ type: Boolean })
  truncated!: boolean;
}

/** A page of entities. */
export class KgEntityPage {
  /** Entities of this page, by descending PageRank. */
  @ApiProperty({ type: () => [KgNode] })
  items!: KgNode[];

  /** Number of entities that match the filters. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of rows in a page. */
  @ApiProperty(COUNT)
  limit!: number;
}

/** A page of places. */
export class KgPlacePage {
  /** Places of this page, by document, in the order of its text. */
  @ApiProperty({ type: () => [KgPlace] })
  items!: KgPlace[];

  /** Number of places. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of rows in a page. */
  @ApiProperty(COUNT)
  limit!: number;
}

/** An entity with what supports it. */
export class KgEntity extends KgNode {
  /** Other forms of the entity's name in visible documents. */
  @ApiProperty({ type: [String] })
  aliases!: string[];

  /** Places that name the entity. */
  @ApiProperty({ type: () => KgPlacePage })
  evidence!: KgPlacePage;

  /** Edges of the entity, by descending weight, at most 100. */
  @ApiProperty({ type: () => [KgEdge] })
  edges!: KgEdge[];
}

/** A way from one entity to another. */
export class KgPath {
  /** Entities along the path, both ends included; empty when there is no path. */
  @ApiProperty({ type: () => [KgNode] })
  nodes!: KgNode[];

  /** Edges along the path, one fewer than nodes; each with the direction of its relation, whichever way the path follows it. */
  @ApiProperty({ type: () => [KgEdge] })
  edges!: KgEdge[];

  /** Length of the shortest path, in edges; null when there is none within `max_length`. */
  @ApiProperty({ ...COUNT, nullable: true })
  length!: number | null;
}
