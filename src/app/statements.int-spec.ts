import { globSync, readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declaredStatements, result, type Statement } from '#libs/database';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
import { describeStatement, type DescribedColumn } from '../../libs/database/src/testing/describe-statement.js';

const ROOT = `${import.meta.dirname}/../..`;

let test: TestDatabase;
let client: Client;

beforeAll(async () => {
  for (const file of globSync('{src,libs}/**/*.ts', { cwd: ROOT })) {
    if (/\.(int-)?spec\.ts$/.test(file) || !/\bstatement(Family)?\(/.test(readFileSync(`${ROOT}/${file}`, 'utf8')))
      continue;
    await import(`${ROOT}/${file}`);
  }
  test = await createTestDatabase();
  client = new Client({ connectionString: test.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await test.close();
});

/** What is wrong with a statement on the migrated database, in lines; none for a good one. */
async function faultsOf({ sql, columns }: Statement<unknown>): Promise<string[]> {
  let found: DescribedColumn[];
  try {
    found = await describeStatement(client, sql);
  } catch (error) {
    return [`refused: ${(error as Error).message}`];
  }
  const names = found.map(({ name }) => name);
  const faults = [...new Set(names.filter((name, place) => names.indexOf(name) !== place))].map(
    (name) => `${name}: twice`,
  );
  for (const name of Object.keys(columns)) if (!names.includes(name)) faults.push(`${name}: not returned`);
  for (const { name, type, nullable } of found) {
    const declared = columns[name];
    if (declared === undefined) faults.push(`${name}: not declared`);
    else if (!declared.types.includes(type))
      faults.push(`${name}: ${type}, declared as ${declared.types.join(' or ')}`);
    else if (nullable && !declared.nullable) faults.push(`${name}: may be null`);
  }
  if (!(await mayRun('kb_app', sql)) && !(await mayRun('kb_system', sql))) faults.push('neither role may run it');
  return faults;
}

/** Rights are looked at when a plan is started, which EXPLAIN does and PREPARE does not. */
async function mayRun(role: string, sql: string): Promise<boolean> {
  try {
    await client.query(`SET ROLE ${role}`);
    await client.query(`EXPLAIN (GENERIC_PLAN) ${sql}`);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === '42501') return false;
    throw error;
  } finally {
    await client.query('RESET ROLE');
  }
}

describe('declared statements', () => {
  it('return on the migrated database what they declare, under one of the two roles', async () => {
    const statements = declaredStatements();
    expect(statements.length).toBeGreaterThan(60);
    const wrong: string[] = [];
    for (const one of statements) {
      for (const fault of await faultsOf(one)) wrong.push(`${fault} in ${one.sql.replace(/\s+/g, ' ').slice(0, 150)}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    ['a column that is not there', {}, `SELECT nothing FROM datasets`, 'refused: column "nothing" does not exist'],
    ['another type', { version: result.bigint }, `SELECT version FROM datasets`, 'version: int4, declared as int8'],
    ['null', { error: result.json() }, `SELECT error FROM documents`, 'error: may be null'],
    ['too many columns', {}, `SELECT id FROM datasets`, 'id: not declared'],
    ['too few columns', { id: result.uuid(), n: result.integer }, `SELECT id FROM datasets`, 'n: not returned'],
    [
      'tables of both kinds',
      { id: result.uuid() },
      `SELECT d.id FROM datasets d JOIN tenants t ON t.id = d.tenant_id`,
      'neither role may run it',
    ],
  ])('are refused for %s', async (_what, columns, sql, fault) => {
    expect(await faultsOf({ sql, columns })).toEqual([fault]);
  });
});
