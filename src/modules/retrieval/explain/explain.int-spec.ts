import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#libs/common';
import { createModels } from '#libs/ai';
import { BUILTIN_MODELS, createTestDatabase, type TestDatabase } from '#libs/testing';
import type { VectorStoreKind } from '#libs/vector-store';
import { ExplainLab, type DocumentInState, type LabQuestion } from '../testing/explain-lab.js';
import { openTestStore, TEST_STORES, type TestStore } from '../testing/test-stores.js';
import { EXPLAIN_CODE_NAMES, verdictOf, type ExplainCode } from './explain-codes.js';
import type { ExplainResponse } from './explain-response.dto.js';
import { INDEX_MISSES } from './testing/index-misses.js';
import { RANKING_MISSES } from './testing/ranking-misses.js';
import type { Miss } from './testing/miss.js';
import { SIGHT_MISSES } from './testing/sight-misses.js';

const MISSES: readonly Miss[] = [...INDEX_MISSES, ...SIGHT_MISSES, ...RANKING_MISSES];
/** Given for chat only. */
const OF_CHAT: readonly ExplainCode[] = ['CONTEXT_BUDGET', 'REFUSED'];
const WAYS = 5;
/** The fields of evidence that need a chunk, where none was named. */
const NO_CHUNK = { chunk: null, expected_chunks: 0, terms: [], index: null };

/** A run beside `npm test` leaves out the embedded store, of which that has run everything already. */
const ENGINES_ALONE = process.env['TEST_ENGINES_ALONE'] !== undefined;
type Library = readonly [VectorStoreKind, string, number | undefined];
/** With the words of all chunks in memory, and with a store that proposes by words, as for datasets that memory has no room for. */
const LIBRARIES = [
  ['embedded', 'with postings', undefined] as Library,
  ...TEST_STORES.map((name): Library => [name, 'without postings', 0]),
].filter(([name]) => !ENGINES_ALONE || name !== 'embedded');

describe.each(LIBRARIES)('explanations over the %s store, %s', (name, _how, postingsBytes) => {
  let directory: string;
  let store: TestStore;
  let db: TestDatabase;
  let lab: ExplainLab;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'explain-'));
    store = await openTestStore(name, directory);
    db = await createTestDatabase();
    const models = await createModels(BUILTIN_MODELS);
    lab = await ExplainLab.open(db, store.store, models, postingsBytes);
  });
  afterAll(async () => {
    await store.removeIndexes();
    await store.close();
    await db.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** Words in memory find what the store has lost. */
  const codeOf = ({ code, isFoundByWords }: Miss): ExplainCode =>
    isFoundByWords === true && postingsBytes === undefined ? 'RETRIEVED' : code;

  it('are tried on each kind of miss in five ways at least', () => {
    const counts = EXPLAIN_CODE_NAMES.filter((code) => !OF_CHAT.includes(code)).map((code) => [
      code,
      MISSES.filter((miss) => codeOf(miss) === code).length,
    ]);
    expect(counts.filter(([, count]) => (count as number) < WAYS)).toEqual([]);
  });

  it.each(MISSES.map((miss) => [codeOf(miss), miss.name, miss] as const))('say %s %s', async (code, _of, miss) => {
    const question = await miss.make(lab);
    const answer = await lab.explain(question);
    expect({ code: answer.code, verdict: answer.verdict }, JSON.stringify(answer, null, 1)).toEqual({
      code,
      verdict: verdictOf(code),
    });
    const isReturned = await holdsExpected(question);
    expect(isReturned).toBe(code === 'RETRIEVED');
    if (miss.isHelped === true) expect(answer.suggestions.length, JSON.stringify(answer.stages)).toBeGreaterThan(0);
    for (const suggestion of answer.suggestions) {
      const outcome = await lab.follow(question, suggestion.change);
      const found = outcome.results[suggestion.rank - 1];
      expect(found?.score, JSON.stringify(suggestion)).toBe(suggestion.score);
      expect(matches(question, found!), JSON.stringify(suggestion)).toBe(true);
    }
    expectStages(answer.stages, code);
  });

  it('say which words of the question the chunk holds, as the overview of the whole search decides it', async () => {
    const dataset = await lab.dataset();
    const { chunks } = await lab.document(dataset, ['Resturlaub verfällt.', 'Dreißig Urlaubstagen im Jahr.']);
    const query = 'Wie viele Urlaubstage und Turbinen hat das Jahr?';
    const ctx = { ...lab.owner.ctx, requestId: newId() };
    const signal = new AbortController().signal;
    const whole = await lab.services.overview.look(ctx, { query, dataset_ids: [dataset] }, signal);
    const wordsOf = async (chunk: number) =>
      (await lab.explain({ query, dataset_ids: [dataset], expected: { chunk_id: chunks[chunk]! } })).evidence.words;
    expect(await wordsOf(1)).toEqual([
      { word: 'Urlaubstage', occurs: true, in_chunk: true },
      { word: 'Turbinen', occurs: false, in_chunk: false },
      { word: 'Jahr', occurs: true, in_chunk: true },
    ]);
    const besideAnother = await wordsOf(0);
    expect(besideAnother.map(({ in_chunk: isIn }) => isIn)).toEqual([false, false, false]);
    expect(besideAnother.map(({ in_chunk: _in, ...word }) => word)).toEqual(whole.words);
  });

  it('tell of a text that only a document in quarantine holds to those who may read it, and to no one else', async () => {
    const dataset = await lab.dataset();
    const document = await lab.document(dataset, ['The ochre valve was sealed on Monday.']);
    await lab.document(dataset, ['The green valve is open.']);
    await lab.change(document, `quarantined_at = now(), status = 'quarantined'`);
    const question = { query: 'valve', dataset_ids: [dataset], expected: { text: 'ochre  VALVE was' } };
    const answer = await lab.explain(question);
    expect(answer).toMatchObject({ code: 'QUARANTINED', evidence: { document: { document_id: document.id } } });
    const kept = { isForCallerAlone: false };
    const ctx = { ...lab.owner.ctx, requestId: 'of a record that others read' };
    const { explain } = lab.services;
    const signal = new AbortController().signal;
    expect(await explain.explain(ctx, question, signal, kept)).toMatchObject({ code: 'DOCUMENT_UNKNOWN' });
    expect(await explain.explain(ctx, question, signal, { isRecorded: false })).toMatchObject({ code: 'QUARANTINED' });
    const nowhere = await lab.explain({ ...question, expected: { text: 'no such words' } }, lab.colleague);
    const { request_id: _one, ...unknown } = nowhere;
    const { request_id: _other, ...hidden } = await lab.explain(question, lab.colleague);
    expect(hidden).toEqual(unknown);
    const events = await lab.db.unitOfWork.run(lab.owner.ctx, (manager) =>
      manager.query(`SELECT event, details FROM audit_log WHERE subject = $1`, [`document:${document.id}`]),
    );
    const read = { event: 'document.quarantined_read', details: { part: 'explain' } };
    expect(events).toMatchObject([read, read]);
  });

  it('tell of a deleted document that it was deleted, and nothing else', async () => {
    const { document, ask } = await hiddenValve('deleted_at = now()');
    for (const expected of [{ document_id: document.id }, { chunk_id: document.chunks[0]! }]) {
      const answer = await ask(expected);
      expect(answer).toMatchObject({ code: 'DELETED', evidence: { document: null, unmet_conditions: [] } });
      expect(answer.evidence).toMatchObject(NO_CHUNK);
      expect(JSON.stringify(answer).toLowerCase()).not.toContain('quillow');
    }
  });

  it('tell of a chunk in quarantine nothing of its words', async () => {
    const { document, ask } = await hiddenValve(`quarantined_at = now(), status = 'quarantined'`);
    const answer = await ask({ chunk_id: document.chunks[0]! });
    expect(answer).toMatchObject({ code: 'QUARANTINED', evidence: { document: { document_id: document.id } } });
    expect(answer.evidence).toMatchObject(NO_CHUNK);
  });

  /** A document about a valve, hidden, beside one that is shown; asked about with one of its words. */
  async function hiddenValve(assignments: string): Promise<{
    readonly document: DocumentInState;
    readonly ask: (expected: LabQuestion['expected']) => Promise<ExplainResponse>;
  }> {
    const dataset = await lab.dataset();
    const document = await lab.document(dataset, ['The ochre valve was sealed on Monday.'], { name: 'quillow.txt' });
    await lab.document(dataset, ['The green valve is open.']);
    await lab.change(document, assignments);
    const filters = { type: 'not', filters: [{ type: 'eq', key: 'document_name', value: 'quillow.txt' }] };
    const asked = { query: 'ochre', dataset_ids: [dataset] };
    return { document, ask: (expected) => lab.explain({ ...asked, expected, filters }) };
  }

  function matches(question: LabQuestion, result: { chunkId: string; documentId: string; text: string }): boolean {
    const { chunk_id, document_id, text } = question.expected;
    if (chunk_id !== undefined) return result.chunkId === chunk_id.toLowerCase();
    const isDocument = document_id === undefined || result.documentId === document_id.toLowerCase();
    const fold = (words: string): string => words.replaceAll(/\s+/g, ' ').trim().toLowerCase();
    return isDocument && (text === undefined || fold(result.text).includes(fold(text)));
  }

  /** Whether the search itself, as the caller would make it, returns what is expected. */
  async function holdsExpected(question: LabQuestion): Promise<boolean> {
    if (question.as_account_id !== undefined) return false;
    const { expected: _expected, ...search } = question;
    return (await lab.search(search)).results.some((result) => matches(question, result));
  }

  function expectStages(stages: readonly { stage: string; outcome: string }[], code: ExplainCode): void {
    const removed = stages.filter(({ outcome }) => outcome === 'removed').map(({ stage }) => stage);
    if (code === 'DOCUMENT_UNKNOWN') expect(stages).toEqual([]);
    else if (code === 'RETRIEVED')
      expect(removed.filter((stage) => !['keyword', 'vector'].includes(stage))).toEqual([]);
    else expect(removed.length).toBeGreaterThan(0);
  }
});
