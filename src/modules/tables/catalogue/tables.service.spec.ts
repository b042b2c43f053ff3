import { expect, it } from 'vitest';
import type { RequestContext } from '#libs/tenancy';
import type { DatasetAccess } from '../../datasets/index.js';
import type { DocumentTablesRepository, ShownTable, TableDetails } from './document-tables.repository.js';
import { TablesService } from './tables.service.js';

const access = { requireVisible: async () => ({ id: 'dataset' }) } as unknown as DatasetAccess;
const COLUMNS = [{ name: 'boats', label: 'Boats', type: 'integer', unit: null, nullable: false }];

function shown(document: string, name: string): ShownTable {
  const place = { document_id: document, generation: '1', ordinal: 1, sheet: null, page: null, object_key: name };
  const counts = { row_count: 2, total_rows: 0, fidelity: 'exact' };
  const named = { name, title: 'Crew', document_name: `${document}.csv`, combined_name: 'all_boats', columns: COLUMNS };
  return { ...named, ...place, ...counts } as unknown as ShownTable;
}

it('says of each repair of a combined table which of its parts it was done to', async () => {
  const repair = (row: number) => ({ code: 'short_rows', column: null, count: 1, rows: [row] });
  const details = [
    { document_id: 'd2', ordinal: 1, profiles: [], samples: [], repaired: [repair(9)] },
    { document_id: 'd1', ordinal: 1, profiles: [], samples: [], repaired: [repair(4), repair(5)] },
  ] as unknown as TableDetails[];
  const repository = {
    listShown: async () => [shown('d1', 'crew'), shown('d2', 'crew_v2')],
    findDetails: async () => details,
  } as unknown as DocumentTablesRepository;
  const { repaired } = await new TablesService(access, repository).read({} as RequestContext, 'dataset', 'all_boats');
  expect(repaired.map(({ table, document_id, rows }) => [table, document_id, ...rows])).toEqual([
    ['crew', 'd1', 4],
    ['crew', 'd1', 5],
    ['crew_v2', 'd2', 9],
  ]);
});
