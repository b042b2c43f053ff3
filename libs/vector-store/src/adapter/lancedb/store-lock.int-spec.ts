import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId, type DatasetId } from '#libs/common';
import { identifyProcess } from '#libs/process-lock';
import { startUnreaped } from '../../../../process-lock/src/testing/unreaped-process.js';
import { indexRef } from '../../index-ref.js';
import { newContext, SPACE, words } from '../../testing/chunk-builder.js';
import { acquireStoreLock, openLanceDbStore } from './open-lancedb-store.js';

const CRASH_WRITER = fileURLToPath(new URL('../../testing/crash-writer.mjs', import.meta.url));

let directory: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'store-lock-'));
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(directory, { recursive: true, force: true });
});

function startWriter(tenantId: string, datasetId: string): ChildProcess {
  const flags = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning', '--conditions=source'];
  const child = spawn(process.execPath, [...flags, CRASH_WRITER, directory, tenantId, datasetId], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

/** Kills the writer with SIGKILL after this many acknowledged documents; all that it acknowledged. */
async function killAfter(child: ChildProcess, count: number): Promise<string[]> {
  const exited = once(child, 'exit');
  const acknowledged: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    acknowledged.push(line);
    if (acknowledged.length === count) child.kill('SIGKILL');
  }
  await exited;
  return acknowledged;
}

describe('the lock of the embedded store', () => {
  it('refuses a second owner and names the first, until it lets go', async () => {
    const lock = await acquireStoreLock(directory);
    await expect(acquireStoreLock(directory)).rejects.toMatchObject({
      code: 'vector_store.locked',
      facts: { pid: process.pid },
    });
    await lock.release();
    await lock.release();
    await (await acquireStoreLock(directory)).release();
    expect(await readdir(directory)).toEqual([]);
  });

  it('takes over from a killed process that no one has reaped', async () => {
    const zombie = await startUnreaped(['sleep', '600']);
    try {
      const { pid, started } = (await identifyProcess(zombie.pid))!;
      // As version 0.1 wrote it.
      await writeFile(join(directory, 'owner.lock'), JSON.stringify({ pid, start: started, nonce: 'killed' }));
      await expect(openLanceDbStore({ directory })).rejects.toMatchObject({ code: 'vector_store.locked' });
      await zombie.kill();
      await (await openLanceDbStore({ directory })).close();
      expect(await readdir(directory)).not.toContain('owner.lock');
    } finally {
      zombie.dispose();
    }
  });

  it('is refused while another process writes, and after its SIGKILL nothing acknowledged is missing', async () => {
    const ctx = newContext();
    const datasetId = newId<DatasetId>();
    const child = startWriter(ctx.tenantId, datasetId);
    await once(child.stdout!, 'readable');
    await expect(openLanceDbStore({ directory })).rejects.toMatchObject({
      code: 'vector_store.locked',
      facts: { pid: child.pid },
    });
    let acknowledged = await killAfter(child, 20);
    acknowledged = [...acknowledged, ...(await killAfter(startWriter(ctx.tenantId, datasetId), 33))];

    const store = await openLanceDbStore({ directory });
    try {
      const index = indexRef(ctx, datasetId, SPACE);
      const listed = new Set<string>();
      for await (const id of store.listIds(index, { all: true })) listed.add(id.documentId);
      expect(acknowledged.filter((documentId) => !listed.has(documentId))).toEqual([]);
      const found = await store.searchKeyword([index], { terms: words('alpha'), limit: 1_000 });
      expect(new Set(found.map((hit) => hit.documentId))).toEqual(listed);
    } finally {
      await store.close();
    }
  });
});
