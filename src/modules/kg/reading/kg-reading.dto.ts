import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, IsUUID, Length, Max, Min } from 'class-validator';
import { GRAPH_ENTITY_TYPES, type GraphEntityType } from '#libs/graph-extraction';
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
  /** Nodes with this in a name or another form of it; case makes no difference. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: LONGEST_NAME })
  @IsOptional()
  @IsString()
  @Length(1, LONGEST_NAME)
  q?: string;

  /** Nodes of this kind. */
  @ApiPropertyOptional({ enum: GRAPH_ENTITY_TYPES })
  @IsOptional()
  @IsIn(GRAPH_ENTITY_TYPES)
  entity_type?: GraphEntityType;

  /** An entity, by its id or a name that it has: only what is near to it. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: LONGEST_NAME })
  @IsOptional()
  @IsString()
  @Length(1, LONGEST_NAME)
  center?: string;

  /** How many steps from `center`; without one it changes nothing. */
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
  /** Nodes at most, those with the highest PageRank; ten times as many edges at most, those with the highest weight. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MOST_NODES, default: 200 })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(1)
  @Max(MOST_NODES)
  limit: number = 200;

  /** `csv`: a row for each node, then one for each edge; a text that a spreadsheet would take for a formula begins with an apostrophe. */
  @ApiPropertyOptional({ enum: GRAPH_FORMATS, default: 'json' })
  @IsOptional()
  @IsIn(GRAPH_FORMATS)
  format: GraphFormat = 'json';
}

/** Which part of a graph is drawn. */
export class ViewGraphQuery extends GraphPartQuery {
  /** Nodes at most, those with the highest PageRank; ten times as many edges at most, those with the highest weight. */
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
  /** Part of a name or of another form of it; case makes no difference. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: LONGEST_NAME })
  @IsOptional()
  @IsString()
  @Length(1, LONGEST_NAME)
  q?: string;

  /** Entities of this kind. */
  @ApiPropertyOptional({ enum: GRAPH_ENTITY_TYPES })
  @IsOptional()
  @IsIn(GRAPH_ENTITY_TYPES)
  entity_type?: GraphEntityType;

  /** Entities that this document names; none when the graph has nothing of it. */
  @ApiPropertyOptional({ type: String, format: 'uuid' })
  @IsOptional()
  @IsUUID()
  document_id?: string;
}

/** Between which entities a way is looked for. */
export class FindPathQuery {
  /** An entity, by its id or a name that it has; needed. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: LONGEST_NAME })
  @IsOptional()
  @IsString()
  @Length(1, LONGEST_NAME)
  from?: string;

  /** Another entity, likewise; needed. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: LONGEST_NAME })
  @IsOptional()
  @IsString()
  @Length(1, LONGEST_NAME)
  to?: string;

  /** Longest way in edges. */
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
  /** The document. */
  @ApiProperty({ type: String, format: 'uuid' })
  document_id!: string;

  /** The chunk. */
  @ApiProperty({ type: String, format: 'uuid' })
  chunk_id!: string;

  /** Where it begins in the canonical text, in UTF-16 code units. */
  @ApiProperty(COUNT)
  char_start!: number;

  /** Where it ends. */
  @ApiProperty(COUNT)
  char_end!: number;
}

/** An entity as a node of the graph. */
export class KgNode {
  /** The entity; the same as long as documents of the dataset name it. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Its most frequent full name. */
  label!: string;

  /** What kind of thing it is, as far as documents tell; `term` where nothing does. */
  @ApiProperty({ enum: GRAPH_ENTITY_TYPES })
  type!: GraphEntityType;

  /** How many nodes of the whole graph it is joined with. */
  @ApiProperty(COUNT)
  degree!: number;

  /** Its PageRank in the whole graph, by the weights of edges. */
  @ApiProperty({ type: Number, minimum: 0, maximum: 1 })
  pagerank!: number;

  /** Number of its community in the whole graph (Louvain), from 0, the largest first. */
  @ApiProperty(COUNT)
  community!: number;

  /** How many places of visible documents name it. */
  @ApiProperty(COUNT)
  evidence_count!: number;
}

/** How two entities belong together. */
export class KgEdge {
  /** Entity that the relation begins at; of `related_to`, which has no direction, the one with the smaller id. */
  @ApiProperty({ type: String, format: 'uuid' })
  source!: string;

  /** The other entity. */
  @ApiProperty({ type: String, format: 'uuid' })
  target!: string;

  /**
   * `related_to`: named in the same sentence, in any language. Others are said by English sentences: `founded`, `created`, `owns`, `leads`, `works_for`,
   * `supplies`, `uses`, `replaces`, `part_of`, `located_in`.
   */
  @ApiProperty({ type: String, example: 'located_in' })
  relation!: string;

  /** Number of sentences; of `related_to` times 1 plus the normalised mutual information of both, so up to twice as much. */
  @ApiProperty({ type: Number, minimum: 0 })
  weight!: number;

  /** How many places of visible documents say it. */
  @ApiProperty(COUNT)
  evidence_count!: number;

  /** The first five of these places. */
  @ApiProperty({ type: () => [KgPlace] })
  evidence!: KgPlace[];
}

/** How much there is. */
export class KgTotal {
  /** Nodes. */
  @ApiProperty(COUNT)
  nodes!: number;

  /** Edges. */
  @ApiProperty(COUNT)
  edges!: number;
}

/** A part of a knowledge graph: what visible documents support at this moment. */
export class KgGraphPart {
  /** The graph, or the dataset where nobody has asked for an extraction. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Its dataset. */
  @ApiProperty({ type: String, format: 'uuid' })
  dataset_id!: string;

  /** By falling PageRank; the centre first. */
  @ApiProperty({ type: () => [KgNode] })
  nodes!: KgNode[];

  /** Edges between these nodes, by falling weight. */
  @ApiProperty({ type: () => [KgEdge] })
  edges!: KgEdge[];

  /** What fits the filters, before `limit`. */
  @ApiProperty({ type: () => KgTotal })
  total!: KgTotal;

  /** Whether the documents name more entities than a graph holds; it then holds the 3,000 with most evidence. */
  @ApiProperty({ type: Boolean })
  truncated!: boolean;
}

/** A page of entities. */
export class KgEntityPage {
  /** By falling PageRank. */
  @ApiProperty({ type: () => [KgNode] })
  items!: KgNode[];

  /** How many fit the filters. */
  @ApiProperty(COUNT)
  total!: number;

  /** How many were left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** How many there are at most. */
  @ApiProperty(COUNT)
  limit!: number;
}

/** A page of places. */
export class KgPlacePage {
  /** By document, in the order of its text. */
  @ApiProperty({ type: () => [KgPlace] })
  items!: KgPlace[];

  /** How many there are. */
  @ApiProperty(COUNT)
  total!: number;

  /** How many were left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** How many there are at most. */
  @ApiProperty(COUNT)
  limit!: number;
}

/** An entity with what supports it. */
export class KgEntity extends KgNode {
  /** Other forms of its name in visible documents. */
  @ApiProperty({ type: [String] })
  aliases!: string[];

  /** Places that name it. */
  @ApiProperty({ type: () => KgPlacePage })
  evidence!: KgPlacePage;

  /** Its edges, by falling weight, at most 100. */
  @ApiProperty({ type: () => [KgEdge] })
  edges!: KgEdge[];
}

/** A way from one entity to another. */
export class KgPath {
  /** Entities along it, both ends included; empty when there is no way. */
  @ApiProperty({ type: () => [KgNode] })
  nodes!: KgNode[];

  /** Edges along it, one less than nodes; each as it is told, whichever way it is gone. */
  @ApiProperty({ type: () => [KgEdge] })
  edges!: KgEdge[];

  /** Edges of the shortest way; null when there is none of at most `max_length`. */
  @ApiProperty({ ...COUNT, nullable: true })
  length!: number | null;
}
