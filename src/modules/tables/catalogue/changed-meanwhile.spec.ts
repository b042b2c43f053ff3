import { describe, expect, it, vi } from 'vitest';
import { storageErrors } from '#libs/object-storage';
import type { TableEngine, TableStatement } from '../engine/table-engine.port.js';
import type { RequestContext } from '#libs/tenancy';
import type { DatasetAccess } from '../../datasets/index.js';
import type { DocumentTablesRepository, ShownTable } from './document-tables.repository.js';
import { NaturalLanguageQueriesService } from '../queries/natural-language-queries.service.js';
import { SqlQueriesService } from '../sql/sql-queries.service.js';
import type { TableCatalogue } from './table-catalogue.port.js';
import { TablesService } from './tables.service.js';
import type { ModelStatements } from '../questions/model-statements.service.js';
import { RuleReadings } from '../questions/rule-readings.service.js';
import { SemanticFilterService } from '../semantic-filter/semantic-filter.service.js';

const CTX = { tenantId: 'tenant', principal: { kind: 'system' } } as unknown as RequestContext;
const SIGNAL = new AbortController().signal;
const access = { requireVisible: async () => ({ id: 'dataset' }) } as unknown as DatasetAccess;

/** Gives one after the other, and then the last again and again. */
function inTurn<T>(...values: readonly T[]): () => Promise<T> {
  let at = 0;
  return async () => values[Math.min(at++, values.length - 1)]!;
}

function tableOf(generation: string): ShownTable {
  const columns = [{ name: 'boats', label: 'Boats', type: 'integer', unit: null, nullable: false }];
  const named = { name: 'crew', title: 'Crew', document_name: 'crew.md', combined_name: generation, columns };
  const place = { document_id: 'document', generation, ordinal: 1, sheet: null, page: null, object_key: generation };
  return { ...named, ...place, row_count: 2, total_rows: 0, fidelity: 'exact' } as unknown as ShownTable;
}

const DETAILS = { document_id: 'document', ordinal: 1, profiles: [], samples: [[11], [12]], repaired: [] };

/** Rows of which those of the first generation have gone. */
function repositoryOf(...shown: readonly (readonly ShownTable[])[]): DocumentTablesRepository {
  const findDetails = async (_ctx: unknown, tables: readonly ShownTable[]) =>
    tables.flatMap(({ generation }) => (generation === '1' ? [] : [DETAILS]));
  return { listShown: inTurn(...shown), findDetails } as unknown as DocumentTablesRepository;
}

function serviceOf(
  repository: DocumentTablesRepository,
  queries: SqlQueriesService,
  models = { isInstalled: false } as ModelStatements,
): NaturalLanguageQueriesService {
  return new NaturalLanguageQueriesService(access, repository, new RuleReadings(repository, queries), models);
}

describe('what is read of tables while their document changes', () => {
  it.each([
    ['carried out on what is shown then', ['1', '2'], '2'],
    ['refused when nothing stays', ['1'], 'storage.object_not_found'],
  ])('by a statement is %s', async (_what, generations, expected) => {
    const shown = generations.map((key) => [
      { name: 'crew', kind: 'single', columns: [], parts: [{ objectKey: key, documentId: 'd', documentName: 'n' }] },
    ]);
    const withRows = async (_ctx: unknown, { objectKey }: { objectKey: string }) => {
      if (objectKey === '1') throw storageErrors.object_not_found({});
      return objectKey;
    };
    const catalogue = { visibleTables: inTurn(...shown), withRows } as unknown as TableCatalogue;
    const run = async ({ tables, withFile }: TableStatement) =>
      withFile((tables[0] as { file: string }).file, async (path) => path);
    const queries = new SqlQueriesService(access, catalogue, { run } as unknown as TableEngine);
    const answer = queries
      .run(CTX, 'dataset', { sql: 'SELECT * FROM crew' })
      .catch((error: unknown) => (error as { code: string }).code);
    expect(await answer).toBe(expected);
  });

  it('of one table is read from the next generation', async () => {
    const tables = new TablesService(access, repositoryOf([tableOf('1')], [tableOf('2')]));
    expect(await tables.read(CTX, 'dataset', 'crew')).toMatchObject({ name: 'crew', sample_rows: [[11], [12]] });
    const gone = new TablesService(access, repositoryOf([tableOf('1')], []));
    await expect(gone.read(CTX, 'dataset', 'crew')).rejects.toMatchObject({ code: 'tables.not_found' });
  });

  it('for a question is asked for again', async () => {
    const result = { columns: [], rows: [[23]], truncated: false, rowSources: null, sourceDocuments: [], tables: [] };
    const queries = { run: async () => result } as unknown as SqlQueriesService;
    const question = { question: 'What is the total number of boats?', dryRun: false };
    const asked = serviceOf(repositoryOf([], [tableOf('2')]), queries);
    expect(await asked.ask(CTX, 'dataset', question)).toMatchObject({ refusal: undefined, result: { rows: [[23]] } });
    const empty = serviceOf(repositoryOf([tableOf('2')], []), queries);
    expect(await empty.ask(CTX, 'dataset', question)).toMatchObject({ refusal: { code: 'no_tables' } });
  });

  it('for a question that a model answered is dropped when the tables that it was shown are gone', async () => {
    const result = { columns: [], rows: [[23]], truncated: false, rowSources: null, sourceDocuments: [], tables: [] };
    const queries = { run: async () => result } as unknown as SqlQueriesService;
    const written = { sql: 'SELECT 23', explanation: 'It says 23.', assumptions: [], sure: 'high' };
    const write = vi.fn(async () => ({
      kind: 'answered',
      calls: 1,
      written,
      result,
      isRepaired: false,
      isEmpty: false,
    }));
    const models = { isInstalled: true, name: 'a/b', schemaTokens: 1000, write } as unknown as ModelStatements;
    const question = { question: 'What is the total number of boats?', dryRun: false, method: 'model' } as const;
    const gone = serviceOf(repositoryOf([tableOf('2')], []), queries, models);
    expect(await gone.ask(CTX, 'dataset', question)).toMatchObject({
      method: 'rules',
      refusal: { code: 'no_tables' },
      warnings: [{ code: 'tables_changed' }],
    });
    const more = serviceOf(repositoryOf([tableOf('2')], [tableOf('2'), tableOf('3')]), queries, models);
    expect(await more.ask(CTX, 'dataset', question)).toMatchObject({ method: 'model', result: { rows: [[23]] } });
    expect(write).toHaveBeenCalledTimes(2);
  });
});

describe('a filter by meaning whose document changes meanwhile', () => {
  /** Calls that the model was given, in order. */
  const asked: number[] = [];

  function filterOf(calls: number, ...shows: readonly string[]): SemanticFilterService {
    const judgedOf = (generation: string) => {
      const subject = { id: 'document', documentId: 'document', documentName: 'crew.md', generation, row: null };
      return { subject, truth: true, certainty: 1, means: 'lexical', reason: null, nearness: 1, facts: [], texts: [] };
    };
    const cheapOf = (generation: string) => ({
      judged: [{ ...judgedOf(generation), rationale: generation }],
      total: 1,
      readings: [],
      warnings: [],
    });
    const documents = { judge: inTurn(cheapOf('1'), cheapOf('2'), cheapOf('3')) };
    const order = { order: inTurn({ judged: [], by: 'lexical' }) };
    const judgeByModel = inTurn({ judged: [], calls });
    const models = {
      judge: (_ctx: unknown, _judged: unknown, { maxCalls }: { maxCalls: number }) => {
        asked.push(maxCalls);
        return judgeByModel();
      },
    };
    asked.length = 0;
    const shown = { generationsOf: inTurn(...shows.map((generation) => new Map([['document', generation]]))) };
    return new SemanticFilterService(
      access,
      documents as never,
      null as never,
      order as never,
      models as never,
      shown as never,
    );
  }

  it('shows the current content', async () => {
    const answer = await filterOf(0, '2').filter(CTX, 'dataset', { predicate: 'mentions a boat' }, SIGNAL);
    expect(answer).toMatchObject({ items: [{ rationale: '2' }], warnings: [] });
  });

  it('is judged once more when a model was asked, with the calls that are left', async () => {
    const answer = await filterOf(3, '2').filter(CTX, 'dataset', { predicate: 'mentions a boat' }, SIGNAL);
    expect(answer).toMatchObject({ items: [{ rationale: '2' }], warnings: [], stats: { model_calls: 6 } });
    expect(asked).toEqual([20, 17]);
  });

  it.each([
    ['before it is judged again', ['2', '3']],
    ['while it is judged again', ['2', '2', '3']],
  ])('is left out and told when it changes again, %s', async (_when, shows) => {
    const answer = await filterOf(1, ...shows).filter(CTX, 'dataset', { predicate: 'mentions a boat' }, SIGNAL);
    expect(answer).toMatchObject({ items: [], warnings: [{ code: 'changed_meanwhile' }] });
  });

  it('keeps the verdicts of documents that did not change', async () => {
    const answer = await filterOf(1, '1').filter(CTX, 'dataset', { predicate: 'mentions a boat' }, SIGNAL);
    expect(answer).toMatchObject({ items: [{ rationale: '1' }], stats: { model_calls: 1 } });
  });
});
