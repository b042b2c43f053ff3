import { currentLanguage, formatNumber, t } from '../texts/i18n';
import { kindName } from '../ui/kinds';

/** A condition as requests and explanations write it: of a type that is known here, or not. */
export type WrittenFilter = Readonly<Record<string, unknown>>;

const COMPARISONS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'nin',
  'contains',
  'starts_with',
  'ends_with',
] as const;
const GROUPS = ['and', 'or', 'not'] as const;
const FIELDS = [
  'tags',
  'media_type',
  'language',
  'document_id',
  'document_name',
  'path',
  'archive_id',
  'created_at',
] as const;
/** Of a day: "on or after", not "at least". */
const DAYS = { gt: 'after', gte: 'since', lt: 'before', lte: 'until' } as const;

/** A filter in words of the reader's language; undefined for one that is not known here. */
export function filterWords(filter: unknown): string | undefined {
  // An address may hold anything.
  if (typeof filter !== 'object' || filter === null) return undefined;
  const { type, key, value, filters } = filter as WrittenFilter;
  const group = GROUPS.find((name) => name === type);
  if (group !== undefined && Array.isArray(filters)) {
    const inner = filters.map((one) => filterWords(one));
    if (inner.length === 0 || inner.includes(undefined)) return undefined;
    return group === 'and' && inner.length === 1 ? inner[0] : t(`cond.${group}`, { what: inner.join('; ') });
  }
  if (typeof key !== 'string') return undefined;
  const field = fieldName(key);
  if (type === 'exists') return t(value === false ? 'cond.absent' : 'cond.exists', { field });
  const comparison = COMPARISONS.find((name) => name === type);
  if (comparison === undefined) return undefined;
  const words = valueWords(key, value);
  if (key === 'created_at' && comparison in DAYS)
    return t(`cond.${DAYS[comparison as keyof typeof DAYS]}`, { field, value: words });
  return t(`cond.${comparison}`, { field, value: words });
}

function fieldName(key: string): string {
  const known = FIELDS.find((name) => name === key);
  if (known !== undefined) return t(`field.${known}`);
  return t('quoted', { text: key.startsWith('metadata.') ? key.slice('metadata.'.length) : key });
}

function valueWords(key: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => valueWords(key, one)).join(', ');
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'boolean') return t(value ? 'cond.yes' : 'cond.no');
  const text = String(value);
  if (key === 'media_type') return kindName(text);
  if (key === 'created_at') return dayOf(text);
  return t('quoted', { text });
}

function dayOf(instant: string): string {
  const date = new Date(instant);
  // The day that was chosen, wherever the reader is.
  return Number.isNaN(date.getTime())
    ? instant
    : date.toLocaleDateString(currentLanguage(), { dateStyle: 'medium', timeZone: 'UTC' });
}
