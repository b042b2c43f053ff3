import { expect, it } from 'vitest';
import { newId, type ChunkId, type DocumentId } from '#libs/common';
import { encodeChunk, storeTerms } from '#libs/ranking';
import type { RequestContext } from '#libs/tenancy';
import type { IndexedChunk } from '#libs/vector-store';
import { DEFAULT_POLICY } from '../../ingestion-policy/index.js';
import type { Embedded } from '../attempt/document-states.js';
import { WriteStage } from './write.stage.js';

const BODY = 'The dome motor is serviced every 180 days.';
const CTX = {} as RequestContext;

/** A document of one chunk in memory. */
function documentOf(terms: Uint8Array, analysed: ReturnType<typeof encodeChunk>['terms'] | null): Embedded {
  const chunk = { id: newId<ChunkId>(), ordinal: 0, body: BODY, heading_path: [], context: null, token_count: 9 };
  const document = { id: newId<DocumentId>(), name: 'a.txt', tags: [], metadata: {}, created_at: new Date(0) };
  return {
    journal: { run: { document, attempt: { token: '7' } }, embedder: { descriptor: {} }, endWork: () => 0 },
    policy: DEFAULT_POLICY,
    text: { facts: null },
    chunks: { kind: 'held', rows: [{ ...chunk, terms, analysed, vector: new Float32Array(2) }], made: null },
  } as unknown as Embedded;
}

it('passes analysed terms to the store, and unpacks only those of an earlier attempt', async () => {
  const written: IndexedChunk[] = [];
  const writer = {
    maxRows: 10,
    wantsGrams: true,
    write: async (_ctx: unknown, _target: unknown, rows: readonly IndexedChunk[]) => void written.push(...rows),
  };
  const stage = new WriteStage({} as never, writer as never, {} as never);
  const { terms, bytes } = encodeChunk({ text: BODY, title: 'a.txt', headings: [] });
  const unreadable = new Uint8Array();
  const documents = [documentOf(unreadable, terms), documentOf(bytes, null)];
  await stage.run(CTX, documents, new AbortController().signal);
  expect(written.map((row) => row.terms)).toEqual([storeTerms(terms), storeTerms(terms)]);
  await expect(stage.run(CTX, [documentOf(unreadable, null)], new AbortController().signal)).rejects.toThrow(
    RangeError,
  );
});
