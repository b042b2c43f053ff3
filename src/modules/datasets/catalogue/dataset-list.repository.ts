import type { CategoryId } from '#libs/common';
import { columnsOf, NATURAL_ORDER, result, statementFamily } from '#libs/database';
import { DatasetEntity } from '../record/dataset.entity.js';
import { DATASET_SETTINGS } from '../record/dataset-settings.js';
import { visibilityVariantsOf } from '../access/dataset-visibility.js';
import { nameKeyOf } from '../record/display-name.js';
import { DATASET_ORDERS, type DatasetOrder } from './list-datasets.dto.js';

export interface DatasetFilter {
  readonly categoryId?: string;
  /** Text that the name must contain. */
  readonly q?: string;
  readonly orderBy: DatasetOrder;
  readonly skip: number;
  readonly limit: number;
}

const COLUMNS = [
  'id',
  'tenant_id',
  ...DATASET_SETTINGS,
  'owner_id',
  'policy_version',
  'embedding_space',
  'embedding',
  'content_seq',
  'version',
  'created_at',
  'updated_at',
] as const;
/** Columns of a `DatasetRow`, over the alias `d` of table `datasets`. */
export const DATASET = { ...columnsOf(DatasetEntity, ...COLUMNS), category_ids: result.uuids<CategoryId>() };
export const DATASET_COLUMNS = `${COLUMNS.map((column) => `d.${column}`).join(', ')},
  ARRAY(SELECT c.category_id FROM dataset_categories c WHERE c.dataset_id = d.id ORDER BY c.category_id) AS category_ids`;

const ORDERS: Readonly<Record<DatasetOrder, string>> = {
  created_at: 'd.created_at ASC, d.id ASC',
  '-created_at': 'd.created_at DESC, d.id DESC',
  name: `d.name ${NATURAL_ORDER} ASC, d.id ASC`,
  '-name': `d.name ${NATURAL_ORDER} DESC, d.id DESC`,
  updated_at: 'd.updated_at ASC, d.id ASC',
  '-updated_at': 'd.updated_at DESC, d.id DESC',
};

type Narrowing = readonly ('category' | 'name')[];
const NARROWINGS: readonly Narrowing[] = [[], ['category'], ['name'], ['category', 'name']];
const CONDITIONS: Readonly<Record<Narrowing[number], (place: number) => string>> = {
  category: (place) =>
    `EXISTS (SELECT 1 FROM dataset_categories c WHERE c.dataset_id = d.id AND c.category_id = $${place})`,
  name: (place) => `d.name_key LIKE $${place}`,
};

/** The conditions of a filter, with their values in the same order. */
export function narrowingOf({ categoryId, q }: DatasetFilter): { narrowing: Narrowing; values: readonly string[] } {
  const narrowing: Narrowing[number][] = [];
  const values: string[] = [];
  if (categoryId !== undefined) {
    narrowing.push('category');
    values.push(categoryId);
  }
  if (q !== undefined) {
    narrowing.push('name');
    values.push(`%${nameKeyOf(q).replace(/[\\%_]/g, '\\$&')}%`);
  }
  return { narrowing, values };
}

function fromOf(visible: string, narrowing: Narrowing, first: number): string {
  const narrowed = narrowing.map((by, place) => CONDITIONS[by](first + place));
  return `FROM datasets d WHERE ${[visible, ...narrowed].join(' AND ')}`;
}

/** Count for an empty page. Parameters: the values of the filter, then those of the visibility condition. */
export const COUNT_DATASETS = statementFamily(
  { n: result.integer },
  (visible: string, narrowing: Narrowing) => `SELECT count(*)::int AS n ${fromOf(visible, narrowing, 1)}`,
  NARROWINGS.flatMap((narrowing) =>
    visibilityVariantsOf('d', 1 + narrowing.length).map((visible) => [visible, narrowing] as const),
  ),
);

/** Parameters: limit, offset, the values of the filter, then those of the visibility condition. `total`: number of rows on all pages. */
export const LIST_DATASETS = statementFamily(
  { ...DATASET, total: result.integer },
  (visible: string, narrowing: Narrowing, order: DatasetOrder) => {
    const from = fromOf(visible, narrowing, 3);
    return `SELECT ${DATASET_COLUMNS}, (SELECT count(*)::int ${from}) AS total ${from} ORDER BY ${ORDERS[order]} LIMIT $1 OFFSET $2`;
  },
  [
    ...NARROWINGS.flatMap((narrowing) =>
      visibilityVariantsOf('d', 3 + narrowing.length).map((visible) => [visible, narrowing, 'created_at'] as const),
    ),
    ...DATASET_ORDERS.map((order) => [visibilityVariantsOf('d', 3)[0]!, [], order] as const),
  ],
);
