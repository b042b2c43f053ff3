import { GRAPH_ENTITY_TYPES, type GraphEntityType } from '../../ingestion-policy/index.js';
import { inTurns, type ChunkId, type JsonObject, type Steps } from '#libs/common';
import { EXTRACTOR_VERSION } from '../entity-rules/extracted.js';
import { extractGraphSteps } from '../entity-rules/extract-graph.js';

/** Identifies the way in which rows were made; a document whose rows were made in another way is extracted again. */
export const HEURISTIC_EXTRACTOR = `heuristic-${EXTRACTOR_VERSION}`;
/** Number of characters of chunks that form a unit, within which names are resolved. */
const UNIT_CHARACTERS = 40_000;

/** A chunk, as extraction reads it. */
export interface ExtractedChunk {
  readonly id: ChunkId;
  readonly start: number;
  readonly text: string;
  readonly headingPath: readonly string[];
}

/** Rows of chunks of a document, by column, without tenant, document and generation. */
export interface EvidenceRows {
  readonly mentions: readonly JsonObject[];
  readonly relations: readonly JsonObject[];
}

/** The requested types, or all of them, sorted and without duplicates. */
export function orderedTypes(wanted: readonly GraphEntityType[] | undefined): GraphEntityType[] {
  return GRAPH_ENTITY_TYPES.filter((type) => wanted === undefined || wanted.length === 0 || wanted.includes(type));
}

/**
 * Rows of the chunks of one document, in their order and unit by unit; the same chunks give the same rows. A long document needs the memory of
 * one unit only.
 */
export async function* evidenceOf(
  chunks: AsyncIterable<ExtractedChunk>,
  title: string,
  types: readonly GraphEntityType[],
): AsyncGenerator<EvidenceRows> {
  const counter = { mentions: 0, relations: 0 };
  let unit: ExtractedChunk[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    if (size > 0 && size + chunk.text.length > UNIT_CHARACTERS) {
      yield await inTurns(rowsOf(unit, title, types, counter));
      unit = [];
      size = 0;
    }
    unit.push(chunk);
    size += chunk.text.length;
  }
  if (size > 0) yield await inTurns(rowsOf(unit, title, types, counter));
}

function* rowsOf(
  unit: readonly ExtractedChunk[],
  title: string,
  types: readonly GraphEntityType[],
  counter: { mentions: number; relations: number },
): Steps<EvidenceRows> {
  const passages = unit.map(({ start, text, headingPath }) => ({ start, text, headings: headingPath }));
  const graph = yield* extractGraphSteps(passages, { title });
  const wanted = graph.mentions.filter(({ type }) => types.includes(type));
  const keys = new Set(wanted.map(({ key }) => key));
  const mentions = wanted.map(({ key, label, form, type, start, end, sentence, passage }) => ({
    position: counter.mentions++,
    entity_key: key,
    label,
    form,
    entity_type: type,
    chunk_id: unit[passage]!.id,
    char_start: start,
    char_end: end,
    sentence_start: sentence,
  }));
  const relations = graph.relations
    .filter(({ source, target }) => keys.has(source) && keys.has(target))
    .map(({ source, target, relation, start, end, passage }) => ({
      position: counter.relations++,
      source_key: source,
      target_key: target,
      relation,
      chunk_id: unit[passage]!.id,
      char_start: start,
      char_end: end,
    }));
  return { mentions, relations };
}
