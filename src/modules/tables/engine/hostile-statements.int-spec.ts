import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineFixture } from './testing/engine.fixture.js';
import { hostileStatements, type HostileStatement } from './testing/hostile-statements.js';

const SECRET = 'sentinel-7f3a91';
/** Codes of statements that were stopped by a limit. */
const BOUNDED = ['sql.timeout', 'sql.memory', 'sql.result_too_large'];

async function outcomeOf(fixture: EngineFixture, { sql }: HostileStatement, timeoutMs = 1000): Promise<string> {
  try {
    const { rows } = await fixture.run(sql, { timeoutMs });
    return `rows ${JSON.stringify(rows)}`;
  } catch (error) {
    return String((error as { code?: string }).code ?? error);
  }
}

describe('hostile statements', () => {
  let fixture: EngineFixture;
  let server: Server;
  let statements: HostileStatement[];
  let connections = 0;

  beforeAll(async () => {
    fixture = await EngineFixture.open();
    const sentinel = join(fixture.folder, 'sentinel.csv');
    await writeFile(sentinel, `${SECRET}\n`);
    server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    statements = hostileStatements(sentinel, port);
  });

  afterAll(async () => {
    await fixture.close();
    server.close();
  });

  it('are refused with their code, or return only what they may see', async () => {
    const wrong: string[] = [];
    for (const statement of statements.filter(({ code }) => code !== 'bounded')) {
      const outcome = await outcomeOf(fixture, statement);
      const isRight = statement.code === '*' ? isHarmless(outcome) : outcome === `sql.${statement.code}`;
      if (!isRight || outcome.includes(SECRET))
        wrong.push(`${statement.kind}: ${statement.sql.slice(0, 100)} → ${outcome.slice(0, 300)}`);
    }
    expect(wrong).toEqual([]);
    expect(connections).toBe(0);
  });

  it('are stopped by time, memory or size', async () => {
    const wrong: string[] = [];
    for (const statement of statements.filter(({ code }) => code === 'bounded')) {
      const before = performance.now();
      const outcome = await outcomeOf(fixture, statement);
      const ms = Math.round(performance.now() - before);
      if (!BOUNDED.includes(outcome) || ms > 5000)
        wrong.push(`${statement.sql} → ${outcome.slice(0, 200)} after ${ms} ms`);
    }
    expect(wrong).toEqual([]);
    await expect(fixture.run('SELECT count(*) FROM products')).resolves.toMatchObject({ rows: [[10]] });
  });

  it('are many, of every kind', () => {
    expect(statements.length).toBeGreaterThanOrEqual(300);
    expect(new Set(statements.map(({ sql }) => sql)).size).toBe(statements.length);
  });
});

/** A refusal of ours, or rows: such a statement may mean something innocent. */
function isHarmless(outcome: string): boolean {
  return outcome.startsWith('rows ') || /^sql\.(?!busy)/.test(outcome);
}
