import type { ExplainLab, LabQuestion, DocumentInState } from '../../testing/explain-lab.js';
import { CANTEEN, INVOICE, PUMP, QUESTION, VALVE, type Miss } from './miss.js';

function elsewhere(
  name: string,
  expect: (document: DocumentInState) => LabQuestion['expected'],
  more: { readonly options?: object; readonly asked?: number; readonly ofColleague?: boolean } = {},
): Miss {
  return {
    code: 'OUT_OF_SCOPE',
    name,
    isHelped: true,
    make: async (lab) => {
      const of = more.ofColleague === true ? lab.colleague : lab.owner;
      const document = await lab.document(await lab.dataset('all_team_members', of), [PUMP], { of });
      const asked = [];
      for (let n = 0; n < (more.asked ?? 1); n += 1) {
        const dataset = await lab.dataset();
        await lab.document(dataset, [VALVE]);
        asked.push(dataset);
      }
      return { query: QUESTION, dataset_ids: asked, expected: expect(document), ...more.options };
    },
  };
}

const SCOPE: readonly Miss[] = [
  elsewhere('of a document', ({ id }) => ({ document_id: id })),
  elsewhere('of a chunk', ({ chunks }) => ({ chunk_id: chunks[0]! })),
  elsewhere('of a text in a document', ({ id }) => ({ document_id: id, text: 'hydraulic pump' })),
  elsewhere('of a document when several datasets were asked', ({ id }) => ({ document_id: id }), { asked: 3 }),
  elsewhere("of a colleague's document that all may see", ({ id }) => ({ document_id: id }), { ofColleague: true }),
  elsewhere('in a keyword search', ({ id }) => ({ document_id: id }), { options: { search_method: 'keyword' } }),
];

const FACTS = { tags: ['manual', 'pumps'], metadata: { department: 'service', year: 2024, nested: { depth: 2 } } };

function filtered(name: string, filters: object, expected: 'document' | 'chunk' | 'text' = 'document'): Miss {
  return {
    code: 'METADATA_FILTER',
    name,
    isHelped: true,
    make: async (lab) => {
      const dataset = await lab.dataset();
      const document = await lab.document(dataset, [PUMP, VALVE], FACTS);
      await lab.document(dataset, [INVOICE], { tags: ['sales'], metadata: { department: 'sales', year: 2020 } });
      const by = {
        document: { document_id: document.id },
        chunk: { chunk_id: document.chunks[0]! },
        text: { text: 'hydraulic pump' },
      };
      return { query: QUESTION, dataset_ids: [dataset], filters, expected: by[expected] };
    },
  };
}

const department = { type: 'eq', key: 'metadata.department', value: 'sales' };
const FILTERS: readonly Miss[] = [
  filtered('of another value', department),
  filtered('of a tag that it has not', { type: 'contains', key: 'tags', value: 'sales' }, 'chunk'),
  filtered('of one of two conditions', {
    type: 'and',
    filters: [{ type: 'eq', key: 'tags', value: 'manual' }, department],
  }),
  filtered(
    'of neither of two conditions',
    { type: 'or', filters: [department, { type: 'lt', key: 'metadata.year', value: 2021 }] },
    'text',
  ),
  filtered('of what must not hold', { type: 'not', filters: [{ type: 'exists', key: 'metadata.nested.depth' }] }),
  filtered('of a value of another type', { type: 'eq', key: 'metadata.year', value: '2024' }),
  filtered('of a language that is not its own', { type: 'in', key: 'language', value: ['de', 'fr'] }),
  filtered('of a time before it was', { type: 'lt', key: 'created_at', value: '2001-01-01T00:00:00Z' }, 'text'),
];

function invisible(
  name: string,
  make: (lab: ExplainLab) => Promise<{ readonly document: DocumentInState; readonly others: readonly string[] }>,
  expect: (document: DocumentInState) => LabQuestion['expected'] = ({ id }) => ({ document_id: id }),
): Miss {
  return {
    code: 'ACL',
    name,
    make: async (lab) => {
      const { document, others } = await make(lab);
      return {
        query: QUESTION,
        dataset_ids: [document.dataset, ...others],
        expected: expect(document),
        as_account_id: lab.colleague.accountId,
      };
    },
  };
}

const ofOwner = async (lab: ExplainLab): Promise<{ document: DocumentInState; others: string[] }> => ({
  document: await lab.document(await lab.dataset('only_me'), [PUMP]),
  others: [],
});
const besideSeen = async (lab: ExplainLab): Promise<{ document: DocumentInState; others: string[] }> => {
  const seen = await lab.dataset();
  await lab.document(seen, [CANTEEN]);
  return { ...(await ofOwner(lab)), others: [seen] };
};
const ofSomeMembers = async (lab: ExplainLab): Promise<{ document: DocumentInState; others: string[] }> => {
  const made = await ofOwner(lab);
  await lab.sql(`UPDATE datasets SET acl = 'partial_members' WHERE id = $1`, [made.document.dataset]);
  return made;
};
const deletedOne = async (lab: ExplainLab): Promise<{ document: DocumentInState; others: string[] }> => {
  const made = await ofOwner(lab);
  await lab.change(made.document, 'deleted_at = now()');
  return made;
};

const ACCESS: readonly Miss[] = [
  invisible('of a document of another account', ofOwner),
  invisible('of a chunk of another account', ofOwner, ({ chunks }) => ({ chunk_id: chunks[0]! })),
  invisible('of a text that only another account may read', ofOwner, () => ({ text: 'hydraulic pump' })),
  invisible('of a dataset for some members', ofSomeMembers),
  invisible('of one of two datasets', besideSeen),
  invisible('of a chunk in one of two datasets', besideSeen, ({ chunks }) => ({ chunk_id: chunks[0]! })),
  invisible('of a document that is deleted too', deletedOne),
];

/** What the request or the rights exclude. */
export const SIGHT_MISSES: readonly Miss[] = [...SCOPE, ...FILTERS, ...ACCESS];
