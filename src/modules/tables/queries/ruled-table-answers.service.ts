import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { catalogueErrorOf, type DatasetId } from '#libs/common';
import { languageOfQuestion } from '#libs/text';
import { calibrate } from '../question-rules/calibration.js';
import { describeAnswer } from '../question-rules/describe-answer.js';
import { phrasesOf } from '../question-rules/phrases/phrases-of.js';
import type { TablePhrases } from '../question-rules/phrases/table-phrases.js';
import { isAboutTable } from '../question-rules/is-about-table.js';
import { partsOfQuery } from '../question-rules/query-parts.js';
import { rankTables } from '../question-rules/rank-tables.js';
import { writeEvidence } from '../question-rules/write-evidence.js';
import type { Reading } from '../question-rules/read-question.js';
import { frameInEnglish } from '../question-rules/languages/frame-in-english.js';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import { DocumentTextReader } from '../../documents/index.js';
import { combineTables } from '../catalogue/combine-tables.js';
import { DocumentTablesRepository, type ShownTable } from '../catalogue/document-tables.repository.js';
import { MAX_QUESTION_LENGTH } from '../questions/query-natural-language.dto.js';
import { candidatesOf } from '../questions/question-tables.js';
import { RuleReadings } from '../questions/rule-readings.service.js';
import { RowEvidence, type PlacedValues } from '../sql/row-evidence.repository.js';
import { mayQuery } from '../catalogue/may-query.js';
import { RowPlacesRepository } from '../sql/row-places.repository.js';
import { TableAnswers, type AnswerRow, type TableAnswer, type TableLookup } from '../sql/table-answers.port.js';

/** Datasets whose tables are looked into for one question. */
const MAX_DATASETS = 3;
/** No one who asks for an answer from documents waits longer for tables. */
const MAX_WAIT_MS = 10_000;
/** What met a change of the documents is read again, so often at most. */
const ROUNDS = 3;
const NONE: TableLookup = { kind: 'none' };

/** A question as the rules read it, and how its answer is said. */
interface Asked {
  readonly question: string;
  readonly phrases: TablePhrases;
}

/** Asks tables by the rules of questions over tables. */
@Injectable()
export class RuledTableAnswers extends TableAnswers {
  constructor(
    private readonly access: DatasetAccess,
    private readonly tables: DocumentTablesRepository,
    private readonly rules: RuleReadings,
    private readonly evidence: RowEvidence,
    private readonly places: RowPlacesRepository,
    private readonly texts: DocumentTextReader,
    private readonly logger: PinoLogger,
  ) {
    super();
  }

  override async find(
    ctx: RequestContext,
    datasetIds: readonly DatasetId[],
    question: string,
    signal: AbortSignal,
  ): Promise<TableLookup> {
    if (!mayQuery(ctx) || question.length > MAX_QUESTION_LENGTH || !/\S/u.test(question)) return NONE;
    try {
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]);
      const asked = { question: frameInEnglish(question), phrases: phrasesOf(languageOfQuestion(question)) };
      const answer = await this.best(ctx, datasetIds, asked, bounded);
      return answer === undefined ? NONE : { kind: 'answer', answer };
    } catch (error) {
      signal.throwIfAborted();
      // The dataset went meanwhile; anyone who searches it is told.
      if (catalogueErrorOf(error)?.code === 'datasets.not_found') return NONE;
      this.logger.warn({ err: error, requestId: ctx.requestId }, 'tables.not_asked');
      return { kind: 'failed' };
    }
  }

  private async best(
    ctx: RequestContext,
    datasetIds: readonly DatasetId[],
    asked: Asked,
    signal: AbortSignal,
  ): Promise<TableAnswer | undefined> {
    const visible = await this.access.listVisible(ctx, datasetIds);
    const having = await this.places.datasetsWithTables(
      ctx,
      visible.map(({ id }) => id),
    );
    const chosen = having.length <= 1 ? having : await this.likeliest(ctx, having, asked.question);
    const answers: TableAnswer[] = [];
    for (const id of chosen) {
      const answer = await this.ofDataset(ctx, id, asked, signal);
      if (answer !== undefined) answers.push(answer);
    }
    return answers.toSorted((a, b) => b.confidence - a.confidence)[0];
  }

  /** The datasets whose tables have most words of the question. */
  private async likeliest(ctx: RequestContext, ids: readonly DatasetId[], question: string): Promise<DatasetId[]> {
    const owners = new Map<object, DatasetId>();
    for (const id of ids) {
      const candidates = candidatesOf(await this.tables.listShown(ctx, id), []);
      for (const candidate of rankTables(question, candidates, 1)) owners.set(candidate, id);
    }
    const ranked = rankTables(question, [...owners.keys()] as ReturnType<typeof candidatesOf>, MAX_DATASETS);
    return ranked.map((candidate) => owners.get(candidate)!);
  }

  private async ofDataset(
    ctx: RequestContext,
    id: DatasetId,
    asked: Asked,
    signal: AbortSignal,
  ): Promise<TableAnswer | undefined> {
    let shown = await this.tables.listShown(ctx, id);
    for (let round = 1; round <= ROUNDS; round += 1) {
      const answer = await this.atOneMoment(ctx, id, asked, shown, signal);
      const after = await this.tables.listShown(ctx, id);
      if (keysOf(shown) === keysOf(after)) return answer;
      shown = after;
    }
    return undefined;
  }

  private async atOneMoment(
    ctx: RequestContext,
    id: DatasetId,
    { question, phrases }: Asked,
    shown: readonly ShownTable[],
    signal: AbortSignal,
  ): Promise<TableAnswer | undefined> {
    const read = await this.rules.read(ctx, id, question, shown, signal);
    const judged = await this.rules.answer(ctx, id, { question, dryRun: false }, read, signal);
    const { result } = judged;
    const reading = read.chosen?.reading;
    if (reading === undefined || result === undefined || !isAboutTable(question, reading.query)) return undefined;
    const place = { dataset: id, signal };
    const { rows: statements, count } = writeEvidence(reading.query);
    const evidence = await this.evidence.list(ctx, place, statements);
    const rows = evidence === undefined ? undefined : await this.citable(ctx, id, reading, shown, evidence);
    if (evidence === undefined || rows === undefined) return undefined;
    const rowCount = await this.evidence.count(ctx, place, count);
    const { rows: found, truncated } = result;
    const values = evidence.map((each) => each.values);
    const answer = { rows: found, truncated, evidence: values, counted: rowCount };
    const parts = describeAnswer(reading.query, answer, phrases);
    if (parts === undefined) return undefined;
    const { table, sql, explanation, assumptions, unexplained, query } = reading;
    const confidence = judged.reading?.confidence ?? calibrate(reading.confidence);
    const how = { table, sql, explanation, reading: partsOfQuery(query), assumptions, confidence, unexplained };
    const labels = query.table.columns.map(({ label }) => label);
    const places = await this.evidence.listSpans(ctx, place, table);
    return { datasetId: id, ...how, parts, rows, rowCount, labels, places };
  }

  /** The rows with their lines; undefined unless all of them are shown. */
  private async citable(
    ctx: RequestContext,
    id: DatasetId,
    { table }: Reading,
    shown: readonly ShownTable[],
    evidence: readonly PlacedValues[],
  ): Promise<AnswerRow[] | undefined> {
    const found = await this.places.findPlaces(ctx, id, evidence);
    if (evidence.length === 0 || found.length !== evidence.length) return undefined;
    const rows: AnswerRow[] = [];
    for (const [index, { documentId, start, end, sheet, row }] of evidence.entries()) {
      const place = found[index]!;
      const text = await this.texts.readRange(ctx, documentId, start, end);
      if (text === undefined || text === '' || text.includes('\n')) return undefined;
      rows.push({
        datasetId: id,
        documentId: place.document_id,
        documentName: place.document_name,
        documentPath: place.document_path,
        documentCreatedAt: place.document_created_at,
        revision: place.revision,
        chunkId: place.chunk_id,
        tableId: tableIdOf(table, shown, documentId, sheet),
        sheet,
        row,
        page: place.page,
        start,
        end,
        text,
      });
    }
    return rows;
  }
}

function keysOf(shown: readonly ShownTable[]): string {
  return shown.map((table) => `${table.object_key} ${table.document_name}`).join('\n');
}

/** Of a combined table the one that the row is in; the combined one where a document has several of them on a sheet. */
function tableIdOf(table: string, shown: readonly ShownTable[], documentId: string, sheet: string | null): string {
  if (shown.some(({ name }) => name === table)) return table;
  const parts = combineTables(shown).find(({ name }) => name === table)?.parts ?? [];
  const fitting = parts.filter((part) => part.document_id === documentId && part.sheet === sheet);
  return fitting.length === 1 ? fitting[0]!.name : table;
}
