import type { ChunkSelection } from '../../vector-store.port.js';

/** Ids per statement: longer lists cost more to parse than the extra statement. */
const IDS_PER_PREDICATE = 1_000;

/** True of the rows that are chunks; the others hold documents' metadata. */
export const IS_CHUNK = 'metadata IS NULL';
/** True of the rows that hold a document's metadata. */
export const IS_DOCUMENT = 'metadata IS NOT NULL';

/** A string literal of LanceDB's SQL: no escape but the doubled quote. */
export function sqlText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

export function sqlIn(column: string, values: Iterable<string>): string {
  const list = [...values].map(sqlText);
  return list.length === 0 ? 'false' : `${column} IN (${list.join(',')})`;
}

export function sqlNotIn(column: string, values: Iterable<string>): string {
  const list = [...values].map(sqlText);
  return list.length === 0 ? 'true' : `${column} NOT IN (${list.join(',')})`;
}

export function sqlAnd(...predicates: readonly string[]): string {
  return predicates.map((predicate) => `(${predicate})`).join(' AND ');
}

/** Predicates whose union is the selection; each of bounded length, none for an empty selection. They do not overlap. */
export function selectionPredicates(selection: ChunkSelection): string[] {
  if ('all' in selection) return ['true'];
  if ('documentIds' in selection) return pieces(new Set(selection.documentIds)).map((ids) => sqlIn('document_id', ids));
  if ('chunkIds' in selection) return pieces(new Set(selection.chunkIds)).map((ids) => sqlIn('chunk_id', ids));
  const conditions = new Set(
    selection.generations.map(({ documentId, generation }) =>
      sqlAnd(`document_id = ${sqlText(documentId)}`, `generation = ${sqlText(generation)}`),
    ),
  );
  // A chain of ORs is parsed recursively, so it is kept shorter than a list.
  return pieces(conditions, IDS_PER_PREDICATE / 10).map((piece) => piece.map((one) => `(${one})`).join(' OR '));
}

/** Cuts a set into lists of at most `size`. */
export function pieces<T>(values: ReadonlySet<T>, size: number = IDS_PER_PREDICATE): T[][] {
  const all = [...values];
  const cut: T[][] = [];
  for (let start = 0; start < all.length; start += size) cut.push(all.slice(start, start + size));
  return cut;
}
