import type { Client, Connection, FieldDef } from 'pg';

/** A column that a statement returns. */
export interface DescribedColumn {
  readonly name: string;
  readonly type: string;
  /** Whether it is a column of a table that may be empty; false where PostgreSQL cannot tell. */
  readonly nullable: boolean;
}

/** Prepares a statement without running it, and gives the columns that it returns. @throws what PostgreSQL says of a wrong one. */
export async function describeStatement(client: Client, sql: string): Promise<DescribedColumn[]> {
  const fields = await new Promise<readonly FieldDef[]>((resolve, reject) => {
    client.query(new Description(sql, resolve, reject));
  });
  if (fields.length === 0) return [];
  const views = await describeViews(client, [...new Set(fields.map((f) => f.tableID))]);
  const { rows } = await client.query<{ type: string; nullable: boolean }>(
    `SELECT t.typname AS type, coalesce(NOT a.attnotnull, false) AS nullable
     FROM unnest($1::oid[], $2::oid[], $3::int[]) WITH ORDINALITY AS f(type, relation, number, place) JOIN pg_type t ON t.oid = f.type
       LEFT JOIN pg_attribute a ON a.attrelid = f.relation AND a.attnum = f.number AND f.number > 0 ORDER BY f.place`,
    [fields.map((f) => f.dataTypeID), fields.map((f) => f.tableID), fields.map((f) => f.columnID)],
  );
  return fields.map(({ name, tableID, columnID }, place) => {
    const column = views.get(tableID)?.[columnID - 1];
    return { name, ...rows[place]!, ...(column === undefined ? {} : { nullable: column.nullable }) };
  });
}

/** The columns of those relations that are views, by what their own statements give: the catalogue says of each that it may be empty. */
async function describeViews(
  client: Client,
  relations: readonly number[],
): Promise<ReadonlyMap<number, DescribedColumn[]>> {
  const { rows } = await client.query<{ oid: number; definition: string }>(
    `SELECT oid, pg_get_viewdef(oid) AS definition FROM pg_class WHERE oid = ANY ($1::oid[]) AND relkind = 'v'`,
    [relations],
  );
  const views = new Map<number, DescribedColumn[]>();
  for (const { oid, definition } of rows) views.set(oid, await describeStatement(client, definition));
  return views;
}

/** Asks the server for the description of a statement, and for nothing else. */
class Description {
  private fields: readonly FieldDef[] = [];

  constructor(
    private readonly sql: string,
    private readonly resolve: (fields: readonly FieldDef[]) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(connection: Connection): void {
    const wire = connection as unknown as Wire;
    wire.parse({ name: '', text: this.sql, types: [] });
    wire.describe({ type: 'S', name: '' });
    wire.sync();
  }

  handleRowDescription(message: { readonly fields: readonly FieldDef[] }): void {
    this.fields = message.fields;
  }

  handleError(error: Error): void {
    this.reject(error);
  }

  handleReadyForQuery(): void {
    this.resolve(this.fields);
  }
}

/** The part of the driver's connection that speaks the protocol. */
interface Wire {
  parse(query: { name: string; text: string; types: readonly number[] }): void;
  describe(what: { type: 'S'; name: string }): void;
  sync(): void;
}
