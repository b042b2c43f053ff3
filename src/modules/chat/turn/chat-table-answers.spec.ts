import { beforeEach, describe, expect, it } from 'vitest';
import type { ChunkId, DatasetId, DocumentId } from '#libs/common';
import { createModels } from '#libs/ai';
import { BUILTIN_MODELS } from '#libs/testing';
import type { CitedRow, TableAnswer } from '../../tables/index.js';
import type { ChatCompletionRequest } from './chat-completion-request.dto.js';
import type { ChatCompletion } from './chat-completion.dto.js';
import { prefersTable } from '../tables/table-decision.js';
import { ChatFixture, contextOf, DATASET_ID, DOCUMENT_ID, DOCUMENT_TEXT, requestOf } from '../testing/chat-fakes.js';

const TEXT = 'Region | Amount\nNorth | 1,200\nNorth | 77\n';
const STATEMENT = 'The sum of “Amount” in the table “sales” where “Region” is “North” is 1277';
const QUESTION = 'What is the total amount of North?';

const rowAt = (row: number, text: string): TableAnswer['rows'][number] => ({
  datasetId: DATASET_ID as DatasetId,
  documentId: DOCUMENT_ID as DocumentId,
  documentName: 'sales.csv',
  documentPath: null,
  documentCreatedAt: new Date('2026-01-01T00:00:00.000Z'),
  revision: 3,
  chunkId: 'chunk-0' as ChunkId,
  tableId: 'sales',
  sheet: null,
  row,
  page: null,
  start: TEXT.indexOf(text),
  end: TEXT.indexOf(text) + text.length,
  text,
});

const answerOf = (changes: Partial<TableAnswer> = {}): TableAnswer => ({
  datasetId: DATASET_ID as DatasetId,
  table: 'sales',
  sql: "SELECT sum(amount) AS sum_amount FROM sales WHERE region = 'North'",
  explanation: 'Computes the sum.',
  reading: null,
  assumptions: [],
  confidence: 0.95,
  unexplained: [],
  parts: [
    { text: STATEMENT, rows: [0, 1] },
    { text: '.', rows: [] },
  ],
  rows: [rowAt(2, 'North | 1,200'), rowAt(3, 'North | 77')],
  rowCount: 2,
  labels: ['Region', 'Amount'],
  places: [{ documentId: DOCUMENT_ID, start: 16, end: TEXT.length - 1 }],
  ...changes,
});

const CTX = contextOf('a1');
const SIGNAL = new AbortController().signal;

describe('a chat whose tables answer', () => {
  let chat: ChatFixture;
  const complete = (changes: Partial<ChatCompletionRequest> = {}): Promise<ChatCompletion> => {
    const messages = [{ role: 'user' as const, content: QUESTION }];
    return chat.service.complete(CTX, requestOf({ messages, ...changes }), SIGNAL);
  };

  describe('with a model that quotes', () => {
    beforeEach(async () => {
      const { chatModel } = await createModels(BUILTIN_MODELS);
      chat = new ChatFixture(chatModel);
      chat.storedText = TEXT;
      chat.lookup = { kind: 'answer', answer: answerOf() };
    });

    it('gives the answer of the table, with whole rows as citations and with its statement', async () => {
      const answer = await complete();
      expect(answer.choices[0]!.message.content).toBe(`${STATEMENT} [1][2].`);
      expect(answer.citations).toMatchObject([
        { marker: '[1]', table_id: 'sales', sheet: null, row: 2, cited_text: 'North | 1,200', verified: true },
        { marker: '[2]', table_id: 'sales', sheet: null, row: 3, cited_text: 'North | 77', verified: true },
      ]);
      expect(answer.grounding).toMatchObject({ status: 'supported', score: 1, answered: 0.95, method: 'table' });
      expect(answer.retrieval.table).toMatchObject({ dataset_id: DATASET_ID, table: 'sales', row_count: 2 });
      expect(answer.usage.total_tokens).toBe(0);
      expect(answer.sources[0]).not.toHaveProperty('tableRow');
      expect(answer.sources[0]).toMatchObject({ text: 'North | 1,200', heading_path: ['Region | Amount'] });
    });

    it('is refused when a row is no longer there', async () => {
      chat.storedText = TEXT.replace('77', '78');
      const answer = await complete();
      expect(answer.refusal?.code).toBe('UNGROUNDED');
      expect(answer.citations).toEqual([]);
    });

    it('prefers fragments that answer to a less certain reading of a table', async () => {
      const messages = [{ role: 'user' as const, content: 'How often is the pump serviced?' }];
      for (const changes of [{ confidence: 0.8 }, { unexplained: ['serviced'] }, { confidence: 0.6 }]) {
        chat.lookup = { kind: 'answer', answer: answerOf({ places: [], ...changes }) };
        expect((await complete({ messages })).retrieval.table).toBeNull();
      }
    });

    it('gives the answer of the table where fragments are refused', () => {
      const less = answerOf({ places: [], confidence: 0.8 });
      expect(prefersTable(less, chat.outcome, false)).toBe(false);
      expect(prefersTable(less, chat.outcome, true)).toBe(true);
      expect(prefersTable({ ...less, confidence: 0.6 }, chat.outcome, true)).toBe(false);
    });

    it('warns when tables could not be read, and reads none for a request with filters', async () => {
      chat.lookup = { kind: 'failed' };
      expect((await complete()).retrieval.warnings).toContainEqual(
        expect.objectContaining({ code: 'TABLES_NOT_ASKED' }),
      );
      const filters = { type: 'eq', key: 'language', value: 'en' };
      await complete({ retrieval: { filters } });
      expect(chat.tableQuestions).toEqual([QUESTION]);
    });
  });

  describe('with a model that writes', () => {
    beforeEach(() => {
      chat = new ChatFixture();
      chat.storedText = TEXT;
      chat.lookup = { kind: 'answer', answer: answerOf() };
      chat.model.script = ['The total amount of North is 1277 [1][2].'];
    });

    it('gives it the rows and the computed values as sources, before fragments', async () => {
      const answer = await complete();
      const [request] = chat.model.requests;
      expect(request!.sources[0]).toEqual({
        number: 1,
        text: `Computed from the rows of the table: ${STATEMENT}.\nRegion | Amount\nNorth | 1,200`,
        title: 'sales.csv',
        score: 0.95,
      });
      expect(request!.sources[1]!.text).toBe('Region | Amount\nNorth | 77');
      expect(request!.sources.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
      expect(answer.citations).toMatchObject([
        { marker: '[1]', row: 2, cited_text: 'North | 1,200', verified: true },
        { marker: '[2]', row: 3, cited_text: 'North | 77', verified: true },
      ]);
      expect(answer.sources.map(({ text }) => text).slice(0, 2)).toEqual(['North | 1,200', 'North | 77']);
    });

    it('cites a row as a whole where a sentence of it would do', async () => {
      chat.storedText = 'Region | Amount\nThe north. It is cold | 1,200\n';
      const row = { ...rowAt(2, 'The north. It is cold | 1,200'), start: 16, end: 45 };
      chat.lookup = { kind: 'answer', answer: answerOf({ rows: [row], rowCount: 1 }) };
      chat.model.script = ['The north has an amount of 1,200 [1].'];
      const [citation] = (await complete()).citations;
      expect(citation).toMatchObject({
        cited_text: row.text,
        source_char_start: 16,
        source_char_end: 45,
        verified: true,
      });
    });

    it.each(['annotate', 'strict'] as const)('counts the computed number as supported (%s)', async (grounding) => {
      const answer = await complete({ grounding });
      expect(answer.choices[0]!.message.content).toContain('1277');
      expect(answer.grounding).toMatchObject({ status: 'supported', unsupported_spans: [] });
    });

    it('shows with strict grounding no number that was not computed', async () => {
      chat.model.script = ['The total amount of North is 9999 dollars overall [1].'];
      const answer = await complete({ grounding: 'strict' });
      expect(answer.refusal?.code).toBe('UNGROUNDED');
    });

    it('calls it although the search found nothing', async () => {
      chat.outcome = { ...chat.outcome, results: [], evidence: 0 };
      const answer = await complete();
      expect(answer.refusal).toBeNull();
      expect(answer.sources).toHaveLength(2);
    });
  });

  describe('quoted as a fragment', () => {
    const SERVICE = 'The pump is serviced every 500 hours by a technician.';
    const row = { tableId: 'pumps', sheet: 'One', row: 7, start: 0, end: SERVICE.length };
    const cited = async (
      rows: CitedRow[],
      storedText = DOCUMENT_TEXT,
    ): Promise<ChatCompletion['citations'][number]> => {
      const { chatModel } = await createModels(BUILTIN_MODELS);
      chat = new ChatFixture(chatModel);
      chat.storedText = storedText;
      chat.tableRows = rows;
      return (await complete({ messages: [{ role: 'user', content: 'How often is the pump serviced?' }] }))
        .citations[0]!;
    };

    it('is cited as the row of which it is a part', async () => {
      const text = DOCUMENT_TEXT.slice(0, SERVICE.length + 1);
      expect(await cited([{ ...row, end: SERVICE.length + 1 }])).toMatchObject({
        table_id: 'pumps',
        sheet: 'One',
        row: 7,
        cited_text: text,
        source_char_start: 0,
        source_char_end: text.length,
        verified: true,
      });
    });

    it('is cited as it is where no row holds all of it', async () => {
      for (const rows of [[], [{ ...row, start: 3 }]]) {
        const citation = await cited(rows);
        expect(citation.cited_text).toBe(SERVICE);
        expect(citation).not.toHaveProperty('table_id');
      }
    });
  });
});
