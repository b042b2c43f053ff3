import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { crashDocument } from './support/crash-documents.js';
import { CrashRun, type Position } from './support/crash-run.js';
import type { Victim } from './support/npm-service.js';

/** Two writes to the vector store. */
const LARGE = 800_000;
const SMALL = 3_000;

interface KillCase {
  readonly position: Position;
  readonly victim: Victim;
}

const CASES: readonly KillCase[] = [
  { position: 'pending', victim: 'service' },
  { position: 'parsing', victim: 'group' },
  { position: 'chunking', victim: 'service' },
  { position: 'embedding', victim: 'group' },
  { position: 'vector_write', victim: 'service' },
  { position: 'completed', victim: 'group' },
];

/** Two documents that keep both workers busy, and the one that the kill is meant for. */
function documentsFor(name: string): ReturnType<typeof crashDocument>[] {
  const sizes = [LARGE / 2, LARGE / 2, LARGE];
  return sizes.map((size, index) => crashDocument(`${name}-${index}`, size));
}

// One service takes all the kills, so that what an earlier one spoiled is still there when the stores are compared at the end.
describe('A service that npm start runs and SIGKILL ends', () => {
  let run: CrashRun;
  beforeAll(async () => {
    run = await CrashRun.begin(2);
  });
  beforeEach(() => run.resume());
  afterAll(async () => {
    await run?.service.dispose();
    for (const { readyMs, doneMs } of run?.recoveries ?? [])
      process.stdout.write(`recovery: ready ${readyMs} ms, done ${doneMs} ms\n`);
  });

  it.each(CASES)('finishes every document after a kill of the $victim at $position', async ({ position, victim }) => {
    const ids = await run.upload(documentsFor(position));
    expect(await run.killAt(ids.at(-1)!, position, victim)).toBe(position);
    expect(await run.recover()).toEqual([]);
    expect(run.service.log.join('\n')).toContain('embedded_postgres.adopted');
  });

  // Small documents go through the stages together, and what is seen of them is where they are after each transaction.
  it.each(['parsing', 'vector_write', 'completed'] as const)(
    'finishes small documents that went together after a kill at %s',
    async (position) => {
      const documents = Array.from({ length: 24 }, (_, n) => crashDocument(`together-${position}-${n}`, SMALL));
      const uploads = await Promise.all(documents.map((document) => run.upload([document])));
      await run.killAt(uploads.at(-1)![0]!, position, 'service');
      expect(await run.recover()).toEqual([]);
    },
  );

  it('keeps what it acknowledged when it dies while uploads arrive', async () => {
    await run.beginUpload(crashDocument('never-acknowledged', LARGE));
    const uploads = Array.from({ length: 12 }, (_, n) => run.upload([crashDocument(`burst-${n}`, SMALL)]));
    await Promise.any(uploads);
    await run.service.kill('service');
    await Promise.allSettled(uploads);
    expect(await run.recover()).toEqual([]);
  });

  it('finishes every document when the database dies with it', async () => {
    const ids = await run.upload(documentsFor('with-database'));
    await run.killAt(ids.at(-1)!, 'embedding', 'service and database');
    expect(await run.recover()).toEqual([]);
    expect(run.service.log.join('\n')).toContain('embedded_postgres.started');
  });

  it.each(['pending', 'chunking', 'vector_write'] as const)(
    'finishes every document when the database dies under it at %s, without a restart',
    async (position) => {
      const ids = await run.upload(documentsFor(`under-it-${position}`));
      await run.killAt(ids.at(-1)!, position, 'database');
      expect(await run.recover()).toEqual([]);
      expect(run.service.log.join('\n')).toContain('embedded_postgres.restarted');
    },
  );

  it('finishes every document when its parsers die again and again', async () => {
    const ids = await run.upload(documentsFor('parsers'));
    for (const id of ids) await run.killAt(id, 'parsing', 'parsers');
    expect(await run.recover()).toEqual([]);
  });

  it('shows one generation or the other when it dies during a reingest', async () => {
    await run.upload(documentsFor('reingested'));
    expect(await run.untilDone()).toEqual([]);
    expect(await run.reingest(3)).toBe(3);
    await run.service.kill('service');
    expect(await run.recover()).toEqual([]);
  });

  it('finishes every document when it is killed again and again while it recovers', async () => {
    const ids = await run.upload(documentsFor('again'));
    await run.killAt(ids.at(-1)!, 'chunking', 'service');
    await run.killDuringStart('first log line', 'service');
    await run.killDuringStart('address', 'group');
    await run.killDuringStart('ready', 'service');
    expect(await run.recover()).toEqual([]);
  });

  it('removes what a worker still wrote after another one had taken its document over', async () => {
    const [id] = await run.upload([crashDocument('stalled', 3 * LARGE)]);
    await run.stallAt(id!, 'vector_write');
    expect(await run.untilDone()).toEqual([]);
  });

  it('has lost, doubled and left behind nothing in any of its stores', async () => {
    expect(await run.checkAll()).toEqual([]);
    expect(await run.compareStores()).toEqual([]);
  });
});
