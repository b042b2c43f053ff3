import type { ChatSource } from '#libs/ai';
import type { RetrievedChunk } from '../../retrieval/index.js';
import type { AnswerRow, TableAnswer } from '../../tables/index.js';
import type { TurnSource } from '../turn/chat-turn.js';
import { costOfSource } from '../answer/context-budget.js';
import { SOURCES_MAX } from '../answer/context-packing.js';

/** Maximum number of rows that a model is given beside fragments. */
const ROWS_GIVEN = 10;

/** The rows of an answer from a table as sources. */
export function rowSources({ rows, labels, confidence }: TableAnswer): TurnSource[] {
  const columns = labels.join(' | ');
  return rows.map((row, index) => ({ ...toSource(row, index + 1, confidence), heading_path: [columns] }));
}

/** The answer of a table as one text without markers. */
export function statementOf({ parts }: TableAnswer): string {
  return parts.map(({ text }) => text).join('');
}

/** The parts of a table that a model that writes is given. */
export interface GivenRows {
  readonly sources: readonly TurnSource[];
  readonly offered: readonly ChatSource[];
  /** Tokens that they take. */
  readonly cost: number;
}

/**
 * The rows for a model, each with the headers above it, and before the first one the result of the statement over the table. As many as fit.
 * @param room tokens.
 */
export function rowsForModel(answer: TableAnswer, room: number): GivenRows {
  const header = answer.labels.join(' | ');
  const computed = `Computed from the rows of the table: ${statementOf(answer)}`;
  const sources: TurnSource[] = [];
  const offered: ChatSource[] = [];
  let cost = 0;
  for (const source of rowSources(answer).slice(0, ROWS_GIVEN)) {
    const lead = sources.length === 0 ? `${computed}\n` : '';
    const offer = {
      number: source.number,
      text: `${lead}${header}\n${source.text}`,
      title: source.document_name,
      score: source.score,
    };
    const next = cost + costOfSource(offer);
    if (next > room) break;
    cost = next;
    sources.push(source);
    offered.push(offer);
  }
  return { sources, offered, cost };
}

/** The fragments beside the rows: as many as fit, and none from a state of a document before the rows were read. */
export function besideRows(results: readonly RetrievedChunk[], rows: readonly TurnSource[]): readonly RetrievedChunk[] {
  const revisions = new Map(rows.map(({ document_id: id, revision }) => [id, revision]));
  const present = results.filter(({ documentId, revision }) => (revisions.get(documentId) ?? revision) === revision);
  return present.slice(0, SOURCES_MAX - rows.length);
}

function toSource(row: AnswerRow, number: number, score: number): TurnSource {
  return {
    number,
    marker: `[${number}]`,
    chunk_id: row.chunkId,
    document_id: row.documentId,
    document_name: row.documentName,
    path: row.documentPath,
    document_created_at: row.documentCreatedAt.toISOString(),
    dataset_id: row.datasetId,
    score,
    page: row.page,
    page_end: row.page,
    char_start: row.start,
    char_end: row.end,
    text: row.text,
    revision: row.revision,
    tableRow: { table_id: row.tableId, sheet: row.sheet, row: row.row },
  };
}
