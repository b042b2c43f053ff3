import { NATURAL_ORDER } from '#libs/database';
import type { SqlCondition } from '../../datasets/index.js';
import type { DocumentStatusName } from './document.entity.js';
import type { DocumentOrder } from './list-documents.dto.js';
import { SAME_NAME } from './same-names.repository.js';

/** Filter of a list of documents; all conditions must hold. */
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
  readonly outdated?: Outdated;
  /** SHA-256 checksums in lower case; the present file of a document must have one of them. */
  readonly sha256?: readonly string[];
}

/** Whether the shown text of a document was made under another policy than the one in force, whose versions are `versions`. */
export interface Outdated {
  readonly is: boolean;
  readonly versions: readonly number[];
}

/** The row after which a page of a list begins: the value that the list is ordered by, and the document. */
export interface ListPlace {
  readonly value: string;
  readonly id: string;
}

/** Documents `d` in their datasets `s`. */
export const LISTED_DOCUMENTS = `FROM documents d JOIN datasets s ON s.id = d.dataset_id`;

/** `isSearchable` of a document `d` as SQL. */
export const SEARCHABLE = `(d.quarantined_at IS NULL AND CASE WHEN d.split_revision_id IS NULL
  THEN d.visible_generation IS NOT NULL AND d.chunk_count > 0 ELSE d.searchable_parts > 0 END)`;

/** Values of a document `d` for filters and facets, as SQL: one value (null: none), or an array if `isList`. */
export const FACETS = {
  status: { sql: `d.status`, isList: false },
  searchable: { sql: `${SEARCHABLE}::text`, isList: false },
  media_type: { sql: `d.media_type`, isList: false },
  tag: { sql: `d.tags`, isList: true },
  error_code: { sql: `d.error->>'code'`, isList: false },
  warning_code: {
    // Most documents have no warnings and need no subquery.
    sql: `(CASE d.warnings WHEN '[]' THEN '{}' ELSE ARRAY(SELECT w->>'code' FROM jsonb_array_elements(d.warnings) w) END
      || CASE WHEN d.same_name_id IS NULL THEN '{}' ELSE ARRAY['${SAME_NAME}'] END)`,
    isList: true,
  },
  waiting_reason: {
    sql: `coalesce(d.waiting_reason, CASE WHEN d.status = 'pending' THEN 'queued' END)`,
    isList: false,
  },
} as const;
export type FacetName = keyof typeof FACETS;
export const FACET_NAMES = Object.keys(FACETS) as FacetName[];

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
    name: { column: `d.name ${NATURAL_ORDER}`, cast: (n) => `${n}::text` },
    '-name': { column: `d.name ${NATURAL_ORDER}`, cast: (n) => `${n}::text` },
    updated_at: { column: 'd.updated_at', cast: (n) => `${n}::timestamptz` },
    '-updated_at': { column: 'd.updated_at', cast: (n) => `${n}::timestamptz` },
  };

/** `ORDER BY` of a list. */
export function orderOf(order: DocumentOrder): string {
  const direction = order.startsWith('-') ? 'DESC' : 'ASC';
  return `${ORDER_VALUES[order].column} ${direction}, d.id ${direction}`;
}

/** SQL condition that a document comes after a position in an order, with placeholders from `$offset` on. */
export function behind(order: DocumentOrder, place: ListPlace, offset: number): SqlCondition {
  const { column, cast } = ORDER_VALUES[order];
  const sign = order.startsWith('-') ? '<' : '>';
  return {
    sql: `(${column}, d.id) ${sign} (${cast(`$${offset}`)}, $${offset + 1}::uuid)`,
    parameters: [place.value, place.id],
  };
}

/** SQL conditions of a filter on the document `d` in its dataset `s`, with placeholders from `$1` on. */
export function conditionOf(filter: DocumentFilter): SqlCondition {
  const parameters: unknown[] = [];
  const conditions = ['d.deleted_at IS NULL', 's.deleted_at IS NULL'];
  const add = (value: unknown, sql: (n: string) => string): void => {
    if (value === undefined) return;
    parameters.push(value);
    conditions.push(sql(`$${parameters.length}`));
  };
  add(filter.datasetId, (n) => `d.dataset_id = ${n}`);
  add(filter.archiveId, (n) => `d.archive_id = ${n}`);
  add(filter.sha256, (n) => `d.sha256 = ANY(${n}::text[])`);
  add(
    filter.q === undefined ? undefined : `%${filter.q.replace(/[\\%_]/g, '\\$&')}%`,
    (n) => `(d.name ILIKE ${n} OR d.path ILIKE ${n})`,
  );
  for (const name of FACET_NAMES) {
    const { sql, isList } = FACETS[name];
    add(filter[FILTER_OF_FACET[name]]?.toString(), (n) => (isList ? `${n} = ANY(${sql})` : `${sql} = ${n}`));
  }
  if (filter.outdated !== undefined) {
    const { is, versions } = filter.outdated;
    parameters.push(versions, is);
    conditions.push(`${outdatedUnder(`$${parameters.length - 1}`)} = $${parameters.length}::boolean`);
  }
  return { sql: conditions.join(' AND '), parameters };
}

/**
 * SQL condition that the shown chunks of a document `d` were made under none of these policy versions, as the health of the dataset counts
 * them.
 */
const outdatedUnder = (versions: string): string =>
  `(d.visible_generation IS NOT NULL AND coalesce(d.ingested_policy_version, d.policy_version) <> ALL (${versions}::int[]))`;

/**
 * A query that counts documents by facets and reads the filtered documents once. It returns rows of `facet`, `value` and `n`, the most
 * frequent values first, at most `most` for each facet, and one row for the facet `total`.
 */
export function countingOf(facets: readonly FacetName[], where: string, most: number): string {
  const columns = facets.map((name) => `${FACETS[name].sql} AS ${name}`);
  const values = facets.map((name) =>
    FACETS[name].isList
      ? `SELECT '${name}', v.value, g.n FROM g CROSS JOIN LATERAL (SELECT DISTINCT unnest(g.${name})) AS v(value)`
      : `SELECT '${name}', g.${name}, g.n FROM g WHERE g.${name} IS NOT NULL`,
  );
  return `WITH g AS MATERIALIZED (SELECT ${[...columns, 'count(*) AS n'].join(', ')} ${LISTED_DOCUMENTS} WHERE ${where}
     GROUP BY ${facets.map((_, index) => index + 1).join(', ')}),
   c AS (SELECT facet, value, sum(n)::int AS n FROM (SELECT 'total', '', n FROM g UNION ALL ${values.join(' UNION ALL ')})
     AS v(facet, value, n) GROUP BY facet, value)
   SELECT facet, value, n FROM (SELECT *, row_number() OVER (PARTITION BY facet ORDER BY n DESC, value) AS place FROM c) AS ranked
   WHERE place <= ${most} ORDER BY facet, place`;
}

/** A filter with every condition, for the test that checks all statements. */
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
  outdated: { is: true, versions: [] },
  sha256: [],
};
