import type { Filter, FilterCondition } from '#libs/vector-store';

/**
 * A filter in which the id of an archive means its files: `document_id` compares with the document's own id and with that of the archive
 * that it is a file of. Other conditions stay as they are.
 */
export function reachParts(filter: Filter): Filter {
  switch (filter.type) {
    case 'and':
    case 'or':
    case 'not':
      return { ...filter, filters: filter.filters.map(reachParts) };
    default:
      return filter.key === 'document_id' ? eitherId(filter) : filter;
  }
}

function eitherId(condition: FilterCondition): Filter {
  const ofArchive: FilterCondition = { ...condition, key: 'archive_id' };
  switch (condition.type) {
    case 'eq':
    case 'in':
      return { type: 'or', filters: [condition, ofArchive] };
    case 'ne':
    case 'nin':
      return { type: 'and', filters: [condition, ofArchive] };
    default:
      return condition;
  }
}
