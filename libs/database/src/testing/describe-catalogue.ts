import type { DataSource } from 'typeorm';

/** A fact of the catalogue as a line, and the table or other object that it is below. */
interface CatalogueLine {
  readonly object: string;
  readonly line: string;
}

const TABLES = `pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`;

/** One statement for each kind of fact; each gives objects and lines. Constraints that are columns of their own (NOT NULL) are left to the entities. */
const FACTS: readonly string[] = [
  `SELECT 'table ' || c.relname AS object, 'row security: ' || CASE WHEN c.relforcerowsecurity AND c.relrowsecurity THEN 'enabled and forced'
     WHEN c.relrowsecurity THEN 'enabled' ELSE 'none' END AS line FROM ${TABLES}`,
  `SELECT 'table ' || c.relname AS object, 'constraint ' || k.conname || ': ' || pg_get_constraintdef(k.oid) AS line
   FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE c.relnamespace = 'public'::regnamespace AND k.contype <> 'n'`,
  `SELECT 'table ' || t.relname AS object, 'index ' || i.relname || ': ' || regexp_replace(pg_get_indexdef(i.oid), '\\s+', ' ', 'g') AS line
   FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
   WHERE t.relnamespace = 'public'::regnamespace AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.oid AND k.contype IN ('p', 'u'))`,
  `SELECT 'table ' || tablename AS object, 'policy ' || policyname || ': ' || permissive || ' FOR ' || cmd || ' TO ' || array_to_string(roles, ', ')
     || ' USING ' || coalesce(qual, '-') || ' WITH CHECK ' || coalesce(with_check, '-') AS line FROM pg_policies WHERE schemaname = 'public'`,
  `SELECT 'table ' || c.relname AS object, 'trigger ' || g.tgname || ': ' || pg_get_triggerdef(g.oid) AS line
   FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid WHERE c.relnamespace = 'public'::regnamespace AND NOT g.tgisinternal`,
  `SELECT CASE c.relkind WHEN 'S' THEN 'sequence ' WHEN 'v' THEN 'view ' ELSE 'table ' END || c.relname AS object,
     'rights of ' || a.grantee::regrole || ': ' || string_agg(a.privilege_type, ', ' ORDER BY a.privilege_type) AS line
   FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'S', 'v') AND a.grantee <> c.relowner GROUP BY 1, a.grantee`,
  `SELECT 'sequence ' || c.relname AS object, format_type(s.seqtypid, NULL) || ' from ' || s.seqstart || ' by ' || s.seqincrement AS line
   FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid WHERE c.relnamespace = 'public'::regnamespace`,
  `SELECT 'view ' || viewname AS object, definition AS line FROM pg_views WHERE schemaname = 'public'`,
  `SELECT 'view ' || relname AS object, 'options: ' || array_to_string(reloptions, ', ') AS line FROM pg_class
   WHERE relnamespace = 'public'::regnamespace AND relkind = 'v' AND reloptions IS NOT NULL`,
  `SELECT 'collation ' || collname AS object, 'provider: ' || collprovider::text || ', locale: ' || c.colllocale AS line
   FROM pg_collation c WHERE collnamespace = 'public'::regnamespace`,
  `SELECT 'function ' || p.oid::regprocedure AS object, pg_get_functiondef(p.oid) AS line FROM pg_proc p
   WHERE p.pronamespace = 'public'::regnamespace AND p.prokind IN ('f', 'p')`,
];

/** What the entities cannot say of the schema `public`, or TypeORM does not compare: readable, and the same for the same schema. */
export async function describeCatalogue(source: DataSource): Promise<string> {
  const facts = new Map<string, string[]>();
  for (const sql of FACTS) {
    for (const { object, line } of await source.query<CatalogueLine[]>(sql)) {
      facts.set(object, [...(facts.get(object) ?? []), line]);
    }
  }
  return [...facts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([object, lines]) =>
        `${object}\n${lines
          .sort()
          .map((line) => `  ${line}\n`)
          .join('')}`,
    )
    .join('\n');
}

/** A table of the schema `public` that has a column `tenant_id`. */
export interface TableOfTenants {
  readonly name: string;
  readonly enabled: boolean;
  readonly forced: boolean;
  /** Each as `name: PERMISSIVE FOR ALL TO public USING … WITH CHECK …`. */
  readonly policies: readonly string[];
  /** Rights of the application role. */
  readonly appRights: readonly string[];
  /** Rights of the system role. */
  readonly systemRights: readonly string[];
}

/** How the tables that name a tenant in each row are guarded. */
export function listTablesOfTenants(source: DataSource, app: string, system: string): Promise<TableOfTenants[]> {
  const rightsOf = (parameter: string): string =>
    `ARRAY(SELECT a.privilege_type::text FROM aclexplode(c.relacl) a WHERE a.grantee = ${parameter}::regrole ORDER BY 1)`;
  return source.query<TableOfTenants[]>(
    `SELECT c.relname AS name, c.relrowsecurity AS enabled, c.relforcerowsecurity AS forced,
       ARRAY(SELECT p.policyname || ': ' || p.permissive || ' FOR ' || p.cmd || ' TO ' || array_to_string(p.roles, ', ') || ' USING '
             || coalesce(p.qual, '-') || ' WITH CHECK ' || coalesce(p.with_check, '-')
             FROM pg_policies p WHERE p.schemaname = 'public' AND p.tablename = c.relname ORDER BY 1) AS policies,
       ${rightsOf('$1')} AS "appRights", ${rightsOf('$2')} AS "systemRights"
     FROM ${TABLES} AND EXISTS (SELECT 1 FROM pg_attribute t WHERE t.attrelid = c.oid AND t.attname = 'tenant_id') ORDER BY 1`,
    [app, system],
  );
}
