import { getMetadataArgsStorage } from 'typeorm';

/** A column of a result: the types of PostgreSQL that it may have, and by `Value` what the driver makes of them. */
export interface ResultColumn<Value> {
  /** Names as `pg_type` has them. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  /** Never there; carries the type. */
  readonly value?: Value;
}

export type ResultColumns = Readonly<Record<string, ResultColumn<unknown>>>;

/** What the driver gives for a row of these columns. */
export type RowOf<Columns extends ResultColumns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends ResultColumn<infer Value> ? Value : never;
};

/** A statement written by hand, with what it returns. Made by `statement` or `statementFamily`, so that a test can prepare it. */
export interface Statement<Row> {
  readonly sql: string;
  readonly columns: ResultColumns;
  /** Never there; carries the type. */
  readonly row?: Row;
}

/** A statement that is put together: for filters, orders, conditions of others. */
export interface StatementFamily<Arguments extends readonly unknown[], Row> {
  of(...parts: Arguments): Statement<Row>;
}

const declared: (() => readonly Statement<unknown>[])[] = [];

/**
 * Declares a statement, as a constant in the file of its repository, so that the test of all statements finds it: prepared against the migrated
 * database, it must return exactly these columns. Without columns it returns nothing.
 */
export function statement<Columns extends ResultColumns>(columns: Columns, sql: string): Statement<RowOf<Columns>> {
  const made = { sql, columns };
  declared.push(() => [made]);
  return made;
}

/** Declares a family of statements with different texts. `variants` are arguments that reach each branch of `build`; the test prepares these. */
export function statementFamily<Columns extends ResultColumns, Arguments extends readonly unknown[]>(
  columns: Columns,
  build: (...parts: Arguments) => string,
  variants: readonly Readonly<Arguments>[],
): StatementFamily<Arguments, RowOf<Columns>> {
  const of = (...parts: Arguments): Statement<RowOf<Columns>> => ({ sql: build(...parts), columns });
  declared.push(() => variants.map((parts) => of(...parts)));
  return { of };
}

/** Every statement that this process has loaded, of families their variants. */
export function declaredStatements(): Statement<unknown>[] {
  return declared.flatMap((list) => list());
}

function column<Value>(...types: readonly string[]): ResultColumn<Value> {
  return { types, nullable: false };
}

/** Columns of results by what the driver makes of them. */
export const result = {
  /** Of a function that is called for what it does. */
  nothing: column<string>('void'),
  boolean: column<boolean>('bool'),
  integer: column<number>('int2', 'int4'),
  /** As text, because it may be larger than a number can say. */
  bigint: column<string>('int8'),
  float: column<number>('float4', 'float8'),
  floats: <Value extends readonly number[] = readonly number[]>() => column<Value>('_float8'),
  time: column<Date>('timestamptz'),
  bytes: column<Buffer>('bytea'),
  text: <Value extends string = string>() => column<Value>('text', 'varchar'),
  /** A name of the system catalogue. */
  name: column<string>('name'),
  uuid: <Value extends string = string>() => column<Value>('uuid'),
  texts: <Value extends string = string>() => column<readonly Value[]>('_text'),
  uuids: <Value extends string = string>() => column<readonly Value[]>('_uuid'),
  json: <Value>() => column<Value>('jsonb', 'json'),
  orNull: <Value>(of: ResultColumn<Value>): ResultColumn<Value | null> => ({ types: of.types, nullable: true }),
  /** Of a column that may be empty in its table and, by the conditions of the statement, not in its rows. */
  present: <Value>(of: ResultColumn<Value>): ResultColumn<Value> => ({ types: of.types, nullable: true }),
} as const;

const TYPE_NAMES: Readonly<Record<string, string>> = {
  bigint: 'int8',
  boolean: 'bool',
  'double precision': 'float8',
  integer: 'int4',
  real: 'float4',
  smallint: 'int2',
  'timestamp with time zone': 'timestamptz',
};

/** Every column of an entity, for a statement that returns its rows whole. */
export function allColumnsOf<Entity extends object>(
  entity: new () => Entity,
): { readonly [Column in keyof Entity & string]: ResultColumn<Entity[Column]> } {
  const names = getMetadataArgsStorage()
    .filterColumns(withBases(entity))
    .map(({ propertyName }) => propertyName as keyof Entity & string);
  return columnsOf(entity, ...names);
}

/** Columns of an entity as they are, under their own names. */
export function columnsOf<Entity extends object, Name extends keyof Entity & string>(
  entity: new () => Entity,
  ...names: readonly Name[]
): { readonly [Column in Name]: ResultColumn<Entity[Column]> } {
  const known = getMetadataArgsStorage().filterColumns(withBases(entity));
  const listed = names.map((name) => {
    const options = known.find(({ propertyName }) => propertyName === name)?.options;
    if (options === undefined) throw new TypeError(`${entity.name} has no column ${name}.`);
    const type = TYPE_NAMES[String(options.type)] ?? String(options.type);
    return [name, { types: [options.array === true ? `_${type}` : type], nullable: options.nullable === true }];
  });
  return Object.fromEntries(listed) as { readonly [Column in Name]: ResultColumn<Entity[Column]> };
}

/** A class with those that it inherits columns from. */
function withBases(entity: new () => object): NewableFunction[] {
  const classes: NewableFunction[] = [];
  for (
    let one: unknown = entity;
    typeof one === 'function' && one !== Function.prototype;
    one = Object.getPrototypeOf(one)
  )
    classes.push(one);
  return classes;
}
