import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { DatasetId, DocumentId, JsonObject } from '#libs/common';
import { result, rowsOf, statement, statementFamily, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';

/** A generation of a document. */
export interface DocumentGeneration {
  readonly documentId: DocumentId;
  readonly generation: string;
}

/** Rows of one document for a table of a step. */
export interface StepRows extends DocumentGeneration {
  readonly table: string;
  readonly rows: readonly JsonObject[];
}

/** Columns that ingestion fills in, so that no step can write rows of another tenant, document or attempt. */
const OWN_COLUMNS = ['tenant_id', 'document_id', 'generation'] as const;

const FIND_FACTS = statement(
  {
    name: result.text(),
    is_there: result.boolean,
    columns: result.boolean,
    secured: result.boolean,
    cascades: result.boolean,
    indexed: result.boolean,
  },
  `SELECT t.name, c.oid IS NOT NULL AS is_there,
     (SELECT count(*) = 3 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnotnull AND (a.attname, a.atttypid) IN
       (('tenant_id', 'uuid'::regtype), ('document_id', 'uuid'::regtype), ('generation', 'bigint'::regtype))) AS columns,
     coalesce(c.relrowsecurity AND c.relforcerowsecurity, false) AS secured,
     EXISTS (SELECT 1 FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'document_id'
       WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid = 'documents'::regclass AND k.confdeltype = 'c'
         AND k.conkey = ARRAY[a.attnum]) AS cascades,
     EXISTS (SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'document_id'
       WHERE i.indrelid = c.oid AND i.indpred IS NULL AND i.indkey[0] = a.attnum) AS indexed
   FROM unnest($1::text[]) AS t(name) LEFT JOIN pg_class c ON c.oid = to_regclass(quote_ident(t.name)) ORDER BY t.name`,
);

/**
 * Obsolete generations that still have rows in a table: neither shown nor being written, and not newer than the document's last attempt.
 */
const LEFT = statementFamily(
  {
    document_id: result.uuid<DocumentId>(),
    dataset_id: result.uuid<DatasetId>(),
    generation: result.text(),
    rows: result.integer,
  },
  (table: string) => `SELECT d.id AS document_id, d.dataset_id, s.generation::text AS generation, count(*)::int AS rows
    FROM ${table} s JOIN documents d ON d.id = s.document_id
    WHERE s.document_id = ANY($1::uuid[]) AND d.deleted_at IS NULL AND s.generation <= d.fencing_token
      AND s.generation IS DISTINCT FROM d.visible_generation
      AND NOT (d.status = 'processing' AND s.generation = d.fencing_token)
    GROUP BY d.id, d.dataset_id, s.generation`,
  // The tables belong to other packages; this is one of the same shape.
  [['(SELECT id AS document_id, visible_generation AS generation FROM documents)']],
);

/** An obsolete generation with rows in a table of a step. */
export interface LeftGeneration extends DocumentGeneration {
  readonly datasetId: DatasetId;
  readonly rows: number;
}

/** Writes and removes rows of contributed steps, in the tables that they declare, by document and generation. */
@Injectable()
export class StepRowsRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** The transaction of `manager` must have locked the documents. */
  async insert(manager: EntityManager, ctx: RequestContext, pieces: readonly StepRows[]): Promise<void> {
    for (const { table, columns, rows } of byColumns(pieces)) {
      const names = columns.map(quoted);
      await manager.query(
        `INSERT INTO ${quoted(table)} (${[...OWN_COLUMNS, ...names].join(', ')})
         SELECT ${['$1, r.document_id, r.generation', ...names.map((name) => `r.${name}`)].join(', ')}
         FROM jsonb_populate_recordset(NULL::${quoted(table)}, $2::jsonb) AS r`,
        [ctx.tenantId, JSON.stringify(rows)],
      );
    }
  }

  /** Removes the rows of generations from all of the tables. */
  async remove(
    manager: EntityManager,
    tables: readonly string[],
    generations: readonly DocumentGeneration[],
  ): Promise<void> {
    for (const table of tables) {
      await manager.query(
        `DELETE FROM ${quoted(table)} s USING unnest($1::uuid[], $2::bigint[]) AS g(id, generation)
         WHERE s.document_id = g.id AND s.generation = g.generation`,
        [generations.map(({ documentId }) => documentId), generations.map(({ generation }) => generation)],
      );
    }
  }

  /** Obsolete generations of these documents with rows in one of the tables. */
  async findLeft(
    ctx: RequestContext,
    tables: readonly string[],
    documentIds: readonly DocumentId[],
  ): Promise<LeftGeneration[]> {
    const left: LeftGeneration[] = [];
    for (const table of tables) {
      const found = await this.query(ctx, LEFT.of(quoted(table)), [documentIds]);
      for (const { document_id: documentId, dataset_id: datasetId, generation, rows } of found) {
        left.push({ documentId, datasetId, generation, rows });
      }
    }
    return left;
  }

  /** Problems of tables that steps declare, one sentence each. */
  async findUnfit(tables: readonly string[]): Promise<string[]> {
    if (tables.length === 0) return [];
    const facts = await this.unitOfWork.runAsSystem((manager) => rowsOf(manager, FIND_FACTS, [tables]));
    return facts.flatMap((table) => {
      const wrong = (holds: boolean, problem: string): string[] => (holds ? [] : [`${table.name} ${problem}`]);
      if (!table.is_there) return wrong(false, 'does not exist: its migration has not run.');
      return [
        ...wrong(
          table.columns,
          'needs the columns tenant_id uuid, document_id uuid and generation bigint, all NOT NULL.',
        ),
        ...wrong(table.secured, 'needs ENABLE and FORCE ROW LEVEL SECURITY.'),
        ...wrong(table.cascades, 'needs document_id REFERENCES documents (id) ON DELETE CASCADE.'),
        ...wrong(table.indexed, 'needs an index that begins with document_id.'),
      ];
    });
  }
}

function byColumns(
  pieces: readonly StepRows[],
): { readonly table: string; readonly columns: readonly string[]; readonly rows: readonly JsonObject[] }[] {
  const groups = new Map<string, { table: string; columns: string[]; rows: JsonObject[] }>();
  for (const { table, rows, documentId, generation } of pieces) {
    for (const row of rows) {
      const columns = Object.keys(row).sort();
      const taken = OWN_COLUMNS.find((column) => columns.includes(column));
      if (taken !== undefined) throw new TypeError(`A row for ${table} sets ${taken}, which ingestion fills in.`);
      const key = JSON.stringify([table, columns]);
      const group = groups.get(key) ?? { table, columns, rows: [] };
      group.rows.push({ ...row, document_id: documentId, generation });
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
