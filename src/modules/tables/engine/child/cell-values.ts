import { DuckDBTypeId, type DuckDBType, type DuckDBValue } from '@duckdb/node-api';
import type { CellValue, ResultType } from '../table-engine.port.js';

const INTEGERS: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.BIGNUM,
]);
const TIMESTAMPS: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.TIMESTAMP,
  DuckDBTypeId.TIMESTAMP_S,
  DuckDBTypeId.TIMESTAMP_MS,
  DuckDBTypeId.TIMESTAMP_NS,
  DuckDBTypeId.TIMESTAMP_TZ,
]);
const NUMBERS: ReadonlySet<DuckDBTypeId> = new Set([DuckDBTypeId.FLOAT, DuckDBTypeId.DOUBLE, DuckDBTypeId.DECIMAL]);
const NESTED: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.LIST,
  DuckDBTypeId.ARRAY,
  DuckDBTypeId.STRUCT,
  DuckDBTypeId.MAP,
  DuckDBTypeId.UNION,
]);

const ENDLESS_DAYS = 2_147_483_647;

/** Type of a result column in an answer. */
export function resultTypeOf({ typeId }: DuckDBType): ResultType {
  if (INTEGERS.has(typeId)) return 'integer';
  if (NUMBERS.has(typeId)) return 'number';
  if (TIMESTAMPS.has(typeId)) return 'datetime';
  if (NESTED.has(typeId)) return 'json';
  if (typeId === DuckDBTypeId.DATE) return 'date';
  return typeId === DuckDBTypeId.BOOLEAN ? 'boolean' : 'text';
}

/**
 * A value as lossless JSON: a number that JSON cannot represent exactly is a text, and so are `NaN` and the infinities; dates are `YYYY-MM-DD`,
 * points in time `YYYY-MM-DDThh:mm:ss[.f]`, with `Z` where the type has a zone.
 */
export function cellValueOf(value: DuckDBValue, type: DuckDBType): CellValue {
  if (value === null) return null;
  switch (typeof value) {
    case 'boolean':
    case 'string':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    default:
      return objectValueOf(value, type);
  }
}

/** The library's classes for values say how they are written. */
interface Written {
  toString(): string;
}

function objectValueOf(value: Written, type: DuckDBType): CellValue {
  if (type.typeId === DuckDBTypeId.DECIMAL) return exactNumber(value.toString());
  if (TIMESTAMPS.has(type.typeId)) return isoTimestamp(value.toString());
  if (type.typeId === DuckDBTypeId.DATE) return dateOf(value);
  if (!NESTED.has(type.typeId)) return value.toString();
  return JSON.stringify(nestedValueOf(value));
}

/** The engine keeps dates without end as the last day that it knows. */
function dateOf(value: Written): string {
  const days = 'days' in value ? value.days : 0;
  if (days === ENDLESS_DAYS) return 'infinity';
  return days === -ENDLESS_DAYS ? '-infinity' : value.toString();
}

/** A decimal of few digits is the number that it is written as; one that a double would change stays a text. */
function exactNumber(text: string): CellValue {
  const number = Number(text);
  const shortest = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return String(number) === shortest ? number : text;
}

function isoTimestamp(text: string): string {
  return text.replace(' ', 'T').replace(/\+00(:00)?$/, 'Z');
}

/** Lists, structures and maps, for one text; what is inside is said as it would be alone. */
function nestedValueOf(value: unknown): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value !== 'object') return null;
  if ('items' in value && Array.isArray(value.items)) return value.items.map(nestedValueOf);
  if ('entries' in value && Array.isArray(value.entries)) {
    return (value.entries as { key: unknown; value: unknown }[]).map((entry) => ({
      key: nestedValueOf(entry.key),
      value: nestedValueOf(entry.value),
    }));
  }
  if ('entries' in value && typeof value.entries === 'object' && value.entries !== null) {
    return Object.fromEntries(Object.entries(value.entries).map(([key, one]) => [key, nestedValueOf(one)]));
  }
  return (value as Written).toString();
}
