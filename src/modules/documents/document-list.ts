import type { SqlCondition } from '../datasets/index.js';
import type { DocumentStatusName } from './document.entity.js';
import type { DocumentOrder } from './dto/list-documents.dto.js';
import { SAME_NAME } from './same-names.js';

/** Which documents a list holds; all conditions must hold. */
export interface DocumentFilter {
  readonly datasetId?: string;
  readonly status?: DocumentStatusName;
  readonly q?: string;
  readonly tag?: string;
  readonly archiveId?: string;
  readonly mediaType?: string;
  readonly searchable?: boolean;
  readonly errorCode?: string;
  readonly warningCode?: string;
  readonly waitingReason?: string;
}

/** The row behind which a page of a list begins: the value that the list is ordered by, and the document. */
export interface ListPlace {
  readonly value: string;
  readonly id: string;
}

/** Documents `d` in their datasets `s`. */
export const LISTED_DOCUMENTS = `FROM documents d JOIN datasets s ON s.id = d.dataset_id`;

/** As SQL what `isSearchable` decides of a row. */
const SEARCHABLE = `(d.quarantined_at IS NULL AND CASE WHEN d.split_revision_id IS NULL
  THEN d.visible_generation IS NOT NULL AND d.chunk_count > 0 ELSE d.searchable_parts > 0 END)`;

/** Values of a document `d` that its lists are filtered and counted by: a query with one column, `value`, each value once. */
export const FACET_VALUES = {
  status: `SELECT d.status AS value`,
  searchable: `SELECT ${SEARCHABLE}::text AS value`,
  media_type: `SELECT d.media_type AS value`,
  tag: `SELECT DISTINCT unnest(d.tags) AS value`,
  error_code: `SELECT d.error->>'code' AS value WHERE d.error IS NOT NULL`,
  warning_code: `SELECT w->>'code' AS value FROM jsonb_array_elements(d.warnings) w
    UNION SELECT '${SAME_NAME}' WHERE d.same_name_id IS NOT NULL`,
  waiting_reason: `SELECT coalesce(d.waiting_reason, 'queued') AS value
    WHERE d.waiting_reason IS NOT NULL OR d.status = 'pending'`,
} as const;
export type FacetName = keyof typeof FACET_VALUES;
export const FACET_NAMES = Object.keys(FACET_VALUES) as FacetName[];

/** The condition of a filter that belongs to each facet. */
export const FILTER_OF_FACET = {
  status: 'status',
  searchable: 'searchable',
  media_type: 'mediaType',
  tag: 'tag',
  error_code: 'errorCode',
  warning_code: 'warningCode',
  waiting_reason: 'waitingReason',
} as const satisfies Record<FacetName, keyof DocumentFilter>;

const ORDER_VALUES: Readonly<Record<DocumentOrder, { readonly column: string; readonly cast: (n: string) => string }>> =
  {
    created_at: { column: 'd.created_at', cast: (n) => `${n}::timestamptz` },
    '-created_at': { column: 'd.created_at', cast: (n) => `${n}::timestamptz` },
    name: { column: 'lower(d.name)', cast: (n) => `lower(${n}::text)` },
    '-name': { column: 'lower(d.name)', cast: (n) => `lower(${n}::text)` },
    updated_at: { column: 'd.updated_at', cast: (n) => `${n}::timestamptz` },
    '-updated_at': { column: 'd.updated_at', cast: (n) => `${n}::timestamptz` },
  };

/** `ORDER BY` of a list. */
export function orderOf(order: DocumentOrder): string {
  const direction = order.startsWith('-') ? 'DESC' : 'ASC';
  return `${ORDER_VALUES[order].column} ${direction}, d.id ${direction}`;
}

/** That a document stands behind a place in an order, with placeholders from `$offset` on. */
export function behind(order: DocumentOrder, place: ListPlace, offset: number): SqlCondition {
  const { column, cast } = ORDER_VALUES[order];
  const sign = order.startsWith('-') ? '<' : '>';
  return {
    sql: `(${column}, d.id) ${sign} (${cast(`$${offset}`)}, $${offset + 1}::uuid)`,
    parameters: [place.value, place.id],
  };
}

/** What a filter asks of the document `d` in its dataset `s`, with placeholders from `$1` on. */
export function conditionOf(filter: DocumentFilter): SqlCondition {
  const parameters: unknown[] = [];
  const conditions = ['d.deleted_at IS NULL', 's.deleted_at IS NULL'];
  const add = (value: unknown, sql: (n: string) => string): void => {
    if (value === undefined) return;
    parameters.push(value);
    conditions.push(sql(`$${parameters.length}`));
  };
  add(filter.datasetId, (n) => `d.dataset_id = ${n}`);
  add(filter.status, (n) => `d.status = ${n}`);
  add(filter.tag, (n) => `${n} = ANY(d.tags)`);
  add(filter.archiveId, (n) => `d.archive_id = ${n}`);
  add(
    filter.q === undefined ? undefined : `%${filter.q.replace(/[\\%_]/g, '\\$&')}%`,
    (n) => `(d.name ILIKE ${n} OR d.path ILIKE ${n})`,
  );
  add(filter.mediaType, (n) => `d.media_type = ${n}`);
  add(filter.searchable, (n) => `${SEARCHABLE} = ${n}`);
  add(filter.errorCode, (n) => `d.error->>'code' = ${n}`);
  add(filter.warningCode, (n) => `${n} IN (${FACET_VALUES.warning_code})`);
  add(filter.waitingReason, (n) => `${n} IN (${FACET_VALUES.waiting_reason})`);
  return { sql: conditions.join(' AND '), parameters };
}

/** A filter that sets every condition, for the test of all statements. */
export const EVERY_CONDITION: Required<DocumentFilter> = {
  datasetId: '',
  status: 'pending',
  tag: '',
  archiveId: '',
  q: '',
  mediaType: '',
  searchable: true,
  errorCode: '',
  warningCode: '',
  waitingReason: '',
};
