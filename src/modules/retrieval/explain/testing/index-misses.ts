import { newId } from '#libs/common';
import type { ExplainLab, LabQuestion, DocumentInState } from '../../testing/explain-lab.js';
import type { ExplainCode } from '../explain-codes.js';
import { CANTEEN, INVOICE, PUMP, QUESTION, VALVE, type Miss } from './miss.js';

type Expect = (document: DocumentInState) => LabQuestion['expected'];

const BY_DOCUMENT: Expect = ({ id }) => ({ document_id: id });
const BY_CHUNK: Expect = ({ chunks }) => ({ chunk_id: chunks[0]! });
const BY_BOTH: Expect = ({ id, chunks }) => ({ document_id: id.toUpperCase(), chunk_id: chunks[0]! });
const BY_TEXT: Expect = ({ id }) => ({ document_id: id, text: 'hydraulic PUMP  must' });

/** A document about the pump beside another one, changed, and asked about. */
function changed(code: ExplainCode, name: string, assignments: string, expect: Expect, more: object = {}): Miss {
  return {
    code,
    name,
    make: async (lab) => {
      const dataset = await lab.dataset();
      const document = await lab.document(dataset, [PUMP, VALVE]);
      await lab.document(dataset, [INVOICE]);
      await lab.change(document, assignments);
      return { query: QUESTION, dataset_ids: [dataset], expected: expect(document), ...more };
    },
  };
}

const GONE = 'deleted_at = now()';
const HELD = `quarantined_at = now(), status = 'quarantined'`;
const NOTHING = 'visible_chunk_set_id = NULL, visible_generation = NULL';

const NOT_SHOWN: readonly Miss[] = [
  changed('DELETED', 'of a document', GONE, BY_DOCUMENT),
  changed('DELETED', 'of a chunk', GONE, BY_CHUNK),
  changed('DELETED', 'of a document and its chunk', GONE, BY_BOTH),
  changed('DELETED', 'of a text in a document', GONE, BY_TEXT),
  changed('DELETED', 'of a document that was in quarantine', `${GONE}, ${HELD}`, BY_DOCUMENT),
  changed('DELETED', 'of a document that never was completed', `${GONE}, ${NOTHING}, status = 'failed'`, BY_DOCUMENT),
  changed('QUARANTINED', 'of a document', HELD, BY_DOCUMENT),
  changed('QUARANTINED', 'of a chunk', HELD, BY_CHUNK),
  changed('QUARANTINED', 'of a document and its chunk', HELD, BY_BOTH),
  changed('QUARANTINED', 'of a text, which it may hold or not', HELD, ({ id }) => ({ document_id: id, text: 'zzz' })),
  changed('QUARANTINED', 'of a text that only it holds', HELD, () => ({ text: 'hydraulic PUMP  must' })),
  changed('QUARANTINED', 'of a document that never was completed', `${HELD}, ${NOTHING}`, BY_DOCUMENT),
  changed('QUARANTINED', 'with a filter that it does not meet', HELD, BY_CHUNK, {
    filters: { type: 'eq', key: 'tags', value: 'x' },
  }),
  changed('NOT_COMPLETED', 'while it waits', `${NOTHING}, status = 'pending', current_stage = 'parsing'`, BY_DOCUMENT),
  changed(
    'NOT_COMPLETED',
    'while it is worked on',
    `${NOTHING}, status = 'processing', current_stage = 'embedding'`,
    BY_DOCUMENT,
  ),
  changed(
    'NOT_COMPLETED',
    'after a failure',
    `${NOTHING}, status = 'failed', error = '{"code":"PARSE_FAILED","stage":"parsing","retryable":false,"message":"m"}'`,
    BY_DOCUMENT,
  ),
  changed('NOT_COMPLETED', 'after it was cancelled', `${NOTHING}, status = 'cancelled'`, BY_DOCUMENT),
  changed('NOT_COMPLETED', 'with a text in it', `${NOTHING}, status = 'pending'`, BY_TEXT),
  changed('NOT_COMPLETED', 'of a chunk that is not shown', `${NOTHING}, status = 'processing'`, BY_CHUNK),
];

function zeroChunks(name: string, more: (document: DocumentInState) => Partial<LabQuestion>, canonical = ''): Miss {
  return {
    code: 'ZERO_CHUNKS',
    name,
    make: async (lab) => {
      const dataset = await lab.dataset();
      const document = await lab.document(dataset, [], { canonical });
      await lab.document(dataset, [PUMP]);
      return { query: QUESTION, dataset_ids: [dataset], expected: { document_id: document.id }, ...more(document) };
    },
  };
}

const WITHOUT_CHUNKS: readonly Miss[] = [
  zeroChunks('of an empty text', () => ({})),
  zeroChunks('of white space', () => ({}), ' \n\t '),
  zeroChunks('in a keyword search', () => ({ search_method: 'keyword' })),
  zeroChunks('in a search by vectors', () => ({ search_method: 'vector' })),
  zeroChunks('of a text that it should hold', ({ id }) => ({ expected: { document_id: id, text: 'pump' } })),
  zeroChunks('with reranking, diversity and a threshold', () => ({ rerank: {}, mmr: {}, score_threshold: 0.1 })),
];

const LONG_TEXT = `${PUMP}\n\nAppendix: the warranty of the pump lasts for two years.\n\n${VALVE}`;

function lost(
  code: 'LOST_AT_PARSE' | 'LOST_AT_CHUNKING',
  name: string,
  text: string,
  more: { readonly anywhere?: boolean; readonly canonical?: string; readonly options?: object } = {},
): Miss {
  return {
    code,
    name,
    make: async (lab) => {
      const dataset = await lab.dataset();
      const document = await lab.document(dataset, [PUMP, VALVE], { canonical: more.canonical ?? LONG_TEXT });
      const expected = more.anywhere === true ? { text } : { document_id: document.id, text };
      return { query: QUESTION, dataset_ids: [dataset], expected, ...more.options };
    },
  };
}

const LOST: readonly Miss[] = [
  lost('LOST_AT_PARSE', 'of words that were in a picture', 'Figure 3: exploded view'),
  lost('LOST_AT_PARSE', 'of words that stand there in another order', 'technician by a 500 hours'),
  lost('LOST_AT_PARSE', 'of another script', 'насос обслуживается'),
  lost('LOST_AT_PARSE', 'of a text of which the document holds the beginning', `${VALVE} And more.`),
  lost('LOST_AT_PARSE', 'with signs of regular expressions', '.* (pump) [a-z]+'),
  lost('LOST_AT_PARSE', 'in a keyword search', '保证期为两年', { options: { search_method: 'keyword' } }),
  lost('LOST_AT_CHUNKING', 'of a paragraph between two chunks', 'the warranty of the pump lasts'),
  lost('LOST_AT_CHUNKING', 'of words across the border of two chunks', 'by a technician. Appendix: the'),
  lost('LOST_AT_CHUNKING', 'in other case and white space', 'APPENDIX:\n the  warranty'),
  lost('LOST_AT_CHUNKING', 'of a text in whatever document', 'lasts for two years', { anywhere: true }),
  lost('LOST_AT_CHUNKING', 'of Russian words in other case', 'ГАРАНТИЯ на насос', {
    anywhere: true,
    canonical: `${PUMP}\n\nГарантия  на Насос: два года.`,
  }),
  {
    code: 'LOST_AT_CHUNKING',
    name: 'of a chunk that its document does not show any more',
    make: async (lab) => {
      const dataset = await lab.dataset();
      const document = await lab.document(dataset, [PUMP, VALVE]);
      await lab.library.showTexts(lab.owner, document.id, [`${PUMP} ${VALVE}`]);
      return { query: QUESTION, dataset_ids: [dataset], expected: { chunk_id: document.chunks[0]! } };
    },
  },
];

function stored(
  code: 'VECTOR_MISSING' | 'STALE_EMBEDDING',
  name: string,
  damage: (lab: ExplainLab, document: DocumentInState) => Promise<unknown>,
  options: object = {},
  isHelped = false,
): Miss {
  return {
    code,
    name,
    isHelped,
    make: async (lab) => {
      const dataset = await lab.dataset();
      const document = await lab.document(dataset, [PUMP]);
      await lab.document(dataset, [VALVE, INVOICE, CANTEEN]);
      await damage(lab, document);
      return { query: QUESTION, dataset_ids: [dataset], expected: { document_id: document.id }, ...options };
    },
  };
}

const forgetVector = (lab: ExplainLab, { chunks }: DocumentInState): Promise<unknown> =>
  lab.sql(`DELETE FROM chunk_vectors WHERE chunk_id = ANY ($1::uuid[])`, [chunks]);
const forgetRow = (lab: ExplainLab, { dataset, chunks }: DocumentInState): Promise<void> =>
  lab.store.remove(lab.indexOf(dataset), { chunkIds: chunks });
const ageVector = (lab: ExplainLab, { chunks }: DocumentInState): Promise<unknown> =>
  lab.sql(`UPDATE chunk_vectors SET space = 'former-space' WHERE chunk_id = ANY ($1::uuid[])`, [chunks]);
const ageDataset = async (lab: ExplainLab, document: DocumentInState): Promise<void> => {
  await ageVector(lab, document);
  await forgetRow(lab, document);
  await lab.sql(`UPDATE datasets SET embedding_space = 'former-space' WHERE id = $1`, [document.dataset]);
};
const forgetIndex = (lab: ExplainLab, { dataset }: DocumentInState): Promise<void> =>
  lab.store.dropIndex(lab.indexOf(dataset));
const ageRow = (lab: ExplainLab, document: DocumentInState): Promise<void> =>
  lab.change(document, 'visible_generation = visible_generation + 1000');
const VECTOR = { search_method: 'vector' };
const KEYWORD = { search_method: 'keyword' };
const byWords = (miss: Miss): Miss => ({ ...miss, isFoundByWords: true });

const STORES: readonly Miss[] = [
  stored('VECTOR_MISSING', 'of a chunk without a vector in a search by vectors', forgetVector, VECTOR, true),
  stored('VECTOR_MISSING', 'of a chunk without a vector in a search with diversity', forgetVector, {
    ...VECTOR,
    mmr: {},
  }),
  stored('VECTOR_MISSING', 'of a chunk without a vector in a search with a threshold', forgetVector, {
    ...VECTOR,
    score_threshold: 0.1,
  }),
  stored('VECTOR_MISSING', 'of a chunk without a vector in a search with reranking', forgetVector, {
    ...VECTOR,
    rerank: {},
  }),
  byWords(stored('VECTOR_MISSING', 'of a chunk that the store has lost, hybrid', forgetRow)),
  byWords(stored('VECTOR_MISSING', 'of a chunk that the store has lost, by keywords', forgetRow, KEYWORD)),
  byWords(stored('VECTOR_MISSING', 'of a chunk that the store has lost, by vectors', forgetRow, VECTOR)),
  byWords(stored('VECTOR_MISSING', 'of an index that the store has lost', forgetIndex)),
  byWords(stored('VECTOR_MISSING', 'of an index that the store has lost, by vectors', forgetIndex, VECTOR)),
  byWords(stored('VECTOR_MISSING', 'of a chunk that the store has under an old generation', ageRow)),
  byWords(
    stored('VECTOR_MISSING', 'of a chunk that the store has under an old generation, by vectors', ageRow, VECTOR),
  ),
  stored('VECTOR_MISSING', 'of a chunk that the store has lost, behind a filter', forgetRow, {
    filters: { type: 'eq', key: 'tags', value: 'x' },
  }),
  stored('STALE_EMBEDDING', 'of a chunk with a vector of another space', ageVector, VECTOR, true),
  stored('STALE_EMBEDDING', 'of a dataset that was made for another model', ageDataset, VECTOR),
  byWords(stored('STALE_EMBEDDING', 'of a dataset that was made for another model, hybrid', ageDataset)),
  stored('STALE_EMBEDDING', 'of a chunk with a vector of another space behind a filter', ageVector, {
    ...VECTOR,
    filters: { type: 'eq', key: 'tags', value: 'x' },
  }),
  stored('STALE_EMBEDDING', 'of a chunk with a vector of another space that no result reaches', ageVector, {
    ...VECTOR,
    score_threshold: 0.9,
  }),
  stored(
    'STALE_EMBEDDING',
    'of a chunk with two former vectors',
    async (lab, document) => {
      await ageVector(lab, document);
      await lab.sql(
        `INSERT INTO chunk_vectors (tenant_id, chunk_id, space, vector) SELECT tenant_id, chunk_id, 'older', vector FROM chunk_vectors WHERE chunk_id = $1`,
        [document.chunks[0]],
      );
    },
    VECTOR,
    true,
  ),
];

function unknown(name: string, make: (lab: ExplainLab) => Promise<LabQuestion['expected']>): Miss {
  return {
    code: 'DOCUMENT_UNKNOWN',
    name,
    make: async (lab) => {
      const dataset = await lab.dataset();
      await lab.document(dataset, [PUMP]);
      return { query: QUESTION, dataset_ids: [dataset], expected: await make(lab) };
    },
  };
}

async function hidden(lab: ExplainLab): Promise<DocumentInState> {
  const dataset = await lab.dataset('only_me', lab.colleague);
  return lab.document(dataset, ['The hidden pump is purple.'], { of: lab.colleague });
}

async function foreign(lab: ExplainLab): Promise<DocumentInState> {
  const dataset = await lab.dataset('all_team_members', lab.stranger);
  return lab.document(dataset, ['The foreign pump is green.'], { of: lab.stranger });
}

const UNKNOWN: readonly Miss[] = [
  unknown('of a document that never was', async () => ({ document_id: newId() })),
  unknown('of a chunk that never was', async () => ({ chunk_id: newId() })),
  unknown("of a document of a colleague's own", async (lab) => ({ document_id: (await hidden(lab)).id })),
  unknown("of a chunk of a colleague's own", async (lab) => ({ chunk_id: (await hidden(lab)).chunks[0]! })),
  unknown("of a text in a colleague's own document", async (lab) => ({
    document_id: (await hidden(lab)).id,
    text: 'hidden pump',
  })),
  unknown('of a document of another tenant', async (lab) => ({ document_id: (await foreign(lab)).id })),
  unknown('of a chunk of another tenant', async (lab) => ({ chunk_id: (await foreign(lab)).chunks[0]! })),
  unknown('of a text that only others may read', async (lab) => {
    await hidden(lab);
    await foreign(lab);
    return { text: 'pump is purple' };
  }),
  unknown('of a text that stands nowhere', async () => ({ text: 'an elephant in the room' })),
];

/** What cannot be found by any search. */
export const INDEX_MISSES: readonly Miss[] = [...UNKNOWN, ...NOT_SHOWN, ...WITHOUT_CHUNKS, ...LOST, ...STORES];
