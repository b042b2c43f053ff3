import type { Table } from '@lancedb/lancedb';
import type { DocumentId } from '#libs/common';
import { canonicalJson } from '#libs/common';
import { matchesFilter, type ChunkMetadata, type Filter } from '../../filter.js';
import type { DocumentRow } from './lance-rows.js';
import { IS_DOCUMENT, pieces, sqlAnd, sqlIn, sqlNotIn, sqlText } from './lance-sql.js';

/** Documents per predicate of superseded rows: each is a term of an OR, which is parsed recursively. */
const SUPERSEDED_PER_PREDICATE = 100;

/** What a filter comes down to: `where` restricts rows to documents; `share` is the part of the documents that it leaves. */
export type FilterPlan =
  | { readonly kind: 'everything' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'some'; readonly where: string; readonly share: number };

/**
 * The metadata of a table's documents, in memory, so that filters are evaluated by `matchesFilter` itself and reach LanceDB only
 * as a list of documents: its SQL has no typed comparison over free metadata.
 */
export class DocumentCatalogue {
  private readonly entries = new Map<DocumentId, { metadata: ChunkMetadata; sequence: bigint }>();
  /** Documents that have rows older than the one that holds. */
  private readonly outdated = new Set<DocumentId>();

  static async load(table: Table): Promise<DocumentCatalogue> {
    const catalogue = new DocumentCatalogue();
    const rows = table.query().where(IS_DOCUMENT).select(['metadata', 'sequence']);
    for await (const batch of rows) {
      const texts = batch.getChild('metadata');
      const sequences = batch.getChild('sequence');
      for (let row = 0; row < batch.numRows; row += 1) {
        const metadata = JSON.parse(String(texts?.get(row))) as ChunkMetadata;
        catalogue.put({ documentId: metadata.documentId, metadata, sequence: BigInt(String(sequences?.get(row))) });
      }
    }
    return catalogue;
  }

  get size(): number {
    return this.entries.size;
  }

  has(documentId: DocumentId): boolean {
    return this.entries.has(documentId);
  }

  /** True when filters already see just this of the document. */
  holds(documentId: DocumentId, metadata: ChunkMetadata): boolean {
    const entry = this.entries.get(documentId);
    return entry !== undefined && canonicalJson(entry.metadata) === canonicalJson(metadata);
  }

  /** Takes a row over unless a newer one of the same document is known. */
  put(row: DocumentRow): void {
    const known = this.entries.get(row.documentId);
    if (known !== undefined) this.outdated.add(row.documentId);
    if (known === undefined || known.sequence <= row.sequence) {
      this.entries.set(row.documentId, { metadata: row.metadata, sequence: row.sequence });
    }
  }

  delete(documentId: DocumentId): void {
    this.entries.delete(documentId);
    this.outdated.delete(documentId);
  }

  clear(): void {
    this.entries.clear();
    this.outdated.clear();
  }

  /** Predicates for the rows that newer ones have replaced; from then on they count as removed. */
  takeSuperseded(): string[] {
    const terms = [...this.outdated].map((documentId) => {
      const { sequence } = this.entries.get(documentId)!;
      return `(document_id = ${sqlText(documentId)} AND sequence < ${sequence})`;
    });
    this.outdated.clear();
    return pieces(new Set(terms), SUPERSEDED_PER_PREDICATE).map((piece) => sqlAnd(IS_DOCUMENT, piece.join(' OR ')));
  }

  plan(filter: Filter | undefined): FilterPlan {
    if (filter === undefined) return { kind: 'everything' };
    const inside: string[] = [];
    const outside: string[] = [];
    for (const [documentId, { metadata }] of this.entries) {
      (matchesFilter(filter, metadata) ? inside : outside).push(documentId);
    }
    if (inside.length === 0) return { kind: 'nothing' };
    if (outside.length === 0) return { kind: 'everything' };
    // The shorter list says the same and is parsed faster.
    const where = inside.length <= outside.length ? sqlIn('document_id', inside) : sqlNotIn('document_id', outside);
    return { kind: 'some', where, share: inside.length / this.entries.size };
  }
}
