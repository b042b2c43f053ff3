import type { ChatMessage, ChatModelDescriptor, ChatSource } from '#libs/ai';
import { dateOfMetadata } from '#libs/answering';
import type { RetrievalOutcome, RetrievedChunk, SearchWarning } from '../../retrieval/index.js';
import type { TableAnswer, TableLookup } from '../../tables/index.js';
import { decideAnswer, likenessOf, type AnswerDecision } from '../turn/answer-decision.js';
import type { ChatTurn, TurnSource } from '../turn/chat-turn.js';
import { chatErrors } from '../chat.errors.js';
import { fitContext } from '../answer/context-budget.js';
import { contextWarnings, packContext, withoutNeighbours } from '../answer/context-packing.js';
import type { ChatTableReading } from '../turn/chat-table-reading.dto.js';
import type { ModelOptions } from '../models/model-options.js';
import { titled } from '../answer/source-titles.js';
import { readBy } from '../turn/request-messages.js';
import { prefersTable } from '../tables/table-decision.js';
import { besideRows, rowSources, rowsForModel, statementOf } from '../tables/table-sources.js';

/** Passages that a refusal shows. */
const NEAREST_MAX = 5;

/** Search results for a question. */
export interface FoundAnswers {
  readonly question: string;
  /** The last message alone, where the question completes it. */
  readonly asked?: string;
  /** With `asked`: earlier answers, oldest first. */
  readonly told?: readonly string[];
  /** What was searched for of it. */
  readonly query: string;
  readonly outcome: RetrievalOutcome;
  readonly lookup: TableLookup;
}

/** What was found, with what fragments are worth, and the table where it answers rather than they. */
type Found = FoundAnswers & { readonly decision: AnswerDecision; readonly table: TableAnswer | undefined };

/** Decision about a turn after its search. */
export type DecidedTurn = Pick<
  ChatTurn,
  'sources' | 'answered' | 'computed' | 'tableDocuments' | 'next' | 'retrieval' | 'measure' | 'found'
>;

type Decided = Pick<ChatTurn, 'sources' | 'answered' | 'computed' | 'next'> & {
  readonly warnings: readonly SearchWarning[];
};

/**
 * Decides whether a model is called, with its sources, a table gives the answer, or the question is refused.
 * @throws `chat.question_too_long`, `chat.fragments_too_long`.
 */
export function decideTurn(
  descriptor: ChatModelDescriptor,
  options: ModelOptions,
  messages: readonly ChatMessage[],
  found: FoundAnswers,
): DecidedTurn {
  const { lookup, outcome } = found;
  const decision = decideAnswer(descriptor, outcome, found.asked);
  const isPreferred =
    lookup.kind === 'answer' && prefersTable(lookup.answer, outcome, decision.refusal !== null || decision.isMeant);
  const table = isPreferred ? lookup.answer : undefined;
  const all = { ...found, decision, table };
  const { warnings, ...decided } = decide(descriptor, options, messages, all);
  const isFromTable = decided.computed !== null;
  const { measure } = decision;
  return {
    ...decided,
    tableDocuments: isFromTable ? documentsOf(table) : [],
    measure,
    found: outcome,
    retrieval: reportOf(all, [...tableWarnings(lookup), ...warnings], isFromTable),
  };
}

function documentsOf(table: TableAnswer | undefined): string[] {
  return [...new Set((table?.places ?? []).map(({ documentId }) => documentId))];
}

function decide(
  descriptor: ChatModelDescriptor,
  options: ModelOptions,
  messages: readonly ChatMessage[],
  { question, asked, told, outcome, decision, table }: Found,
): Decided {
  const { maxTokens } = options;
  if (table !== undefined && descriptor.kind === 'extractive') {
    return {
      sources: rowSources(table),
      answered: table.confidence,
      computed: statementOf(table),
      warnings: [],
      next: { kind: 'table', parts: table.parts, maxTokens },
    };
  }
  const read = readBy(descriptor, messages);
  const { messages: kept, room } = fitContext(descriptor, read, maxTokens);
  const rows = table === undefined ? undefined : rowsForModel(table, room);
  const given = rows?.sources ?? [];
  const { answered, refusal } = decision;
  if (refusal !== null && given.length === 0) return refused(outcome.results, answered, refusal);
  // What has too little to do with the question is no company for rows that answer it.
  const fragments = refusal === null ? besideRows(outcome.results, given) : [];
  const packed = packContext(fragments, room - (rows?.cost ?? 0));
  if (packed.chunks.length + given.length === 0) throw chatErrors.fragments_too_long({ room });
  const passages = packed.chunks.map((chunk, index) => numberSource(chunk, given.length + index + 1));
  const offered = passages.map((passage, index) =>
    offer(passage, packed.chunks[index]!, decision.quotesMeant ? outcome.likeness : undefined),
  );
  const shown = [...given, ...passages];
  const followUp = asked === undefined ? {} : { asked, ...(told === undefined ? {} : { told }) };
  const sources = titled([...(rows?.offered ?? []), ...offered], shown);
  return {
    sources: shown,
    answered: table === undefined || given.length === 0 ? answered : Math.max(answered, table.confidence),
    computed: table === undefined || given.length === 0 ? null : statementOf(table),
    warnings: contextWarnings(packed, { given: read.length, kept: kept.length }),
    next: {
      kind: 'ask',
      request: { messages: kept, sources, question, ...followUp, ...options },
    },
  };
}

/** A passage as a model is given it; with what was compared of it where meaning decides what is quoted. */
function offer(
  { number, text, document_name: title, score }: TurnSource,
  chunk: RetrievedChunk,
  compared: RetrievalOutcome['likeness'],
): ChatSource {
  const date = dateOfMetadata(chunk.metadata);
  const likeness = likenessOf(compared, chunk);
  const known = { ...(date === null ? {} : { date }), ...(likeness === undefined ? {} : { likeness }) };
  return { number, text, title, headings: chunk.headingPath, score, ...known };
}

/** A refusal with the passages that come nearest, each alone. */
function refused(
  results: readonly RetrievedChunk[],
  answered: number,
  code: NonNullable<AnswerDecision['refusal']>,
): Decided {
  const nearest = results.slice(0, NEAREST_MAX);
  const sources = nearest.map((chunk, index) => numberSource(withoutNeighbours(chunk), index + 1));
  return { sources, answered, computed: null, warnings: [], next: { kind: 'refuse', code } };
}

function reportOf(
  { question, query, outcome, table }: Found,
  warnings: readonly SearchWarning[],
  isFromTable: boolean,
): ChatTurn['retrieval'] {
  const { report, evidence } = outcome;
  return {
    ...report,
    warnings: [...report.warnings, ...questionWarnings(question, query), ...warnings],
    query,
    evidence,
    table: table === undefined || !isFromTable ? null : toReading(table),
  };
}

function tableWarnings({ kind }: TableLookup): SearchWarning[] {
  if (kind !== 'failed') return [];
  const detail =
    'The tables of the datasets could not be read in time, so the answer rests only on fragments. Ask again.';
  return [{ code: 'TABLES_NOT_ASKED', detail }];
}

function toReading(table: TableAnswer): ChatTableReading {
  const { datasetId, sql, explanation, reading, assumptions, confidence, rowCount } = table;
  const how = { sql, explanation, reading, assumptions: [...assumptions], confidence };
  return { dataset_id: datasetId, table: table.table, ...how, row_count: rowCount };
}

function questionWarnings(question: string, query: string): SearchWarning[] {
  if (query.length === question.length) return [];
  const detail = `Only the first ${query.length} characters of the question were searched for.`;
  return [{ code: 'QUESTION_CUT', detail }];
}

function numberSource(chunk: RetrievedChunk, number: number): TurnSource {
  return {
    number,
    marker: `[${number}]`,
    chunk_id: chunk.chunkId,
    document_id: chunk.documentId,
    document_name: chunk.documentName,
    path: chunk.documentPath,
    document_created_at: chunk.documentCreatedAt.toISOString(),
    dataset_id: chunk.datasetId,
    score: chunk.score,
    page: chunk.page,
    page_end: chunk.pageEnd,
    char_start: chunk.start,
    char_end: chunk.end,
    text: chunk.text,
    heading_path: [...chunk.headingPath],
    revision: chunk.revision,
  };
}
