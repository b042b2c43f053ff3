import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentRecord } from '../support/api-client.js';
import { useService } from '../support/service-process.js';
import { findStoreBreaches, Ledger } from './interleavings/ledger.js';
import { MOVES, Play, plays, type Step } from './interleavings/play.js';
import { replayTimeline, type TimelineEvent } from './interleavings/timeline.js';

const RUNS = 7;
/** No more runs are begun after this time, however slow the machine is; one that has begun is played to its end. */
const ENOUGH_MS = 20_000;
const LOOK_EVERY_MS = 15;
const SETTLED_WITHIN_MS = 30_000;

const service = useService();
let ledger: Ledger;
let played = 0;
const datasets: string[] = [];
const done = new Map<string, number>();

beforeAll(async () => {
  ledger = await Ledger.open(join(service.process.folder, 'data'));
});
afterAll(() => ledger.close());

/** Looks at everything again and again while others work. */
async function watch(play: Play, signal: AbortSignal): Promise<string[]> {
  const found = new Set<string>();
  while (!signal.aborted && found.size === 0) {
    for (const breach of await ledger.findBreaches()) found.add(breach);
    for (const id of await findLost(play)) found.add(`${id} was shown before and after a search that did not find it`);
    await wait(LOOK_EVERY_MS);
  }
  return [...found];
}

/** Documents that are in sight all the time, whichever generation they show, but not in a search. */
async function findLost(play: Play): Promise<string[]> {
  const before = await ledger.listShown(play.dataset);
  const found = await play.search();
  const after = new Set(await ledger.listShown(play.dataset));
  const inSight = before.filter((key) => after.has(key)).map((key) => key.split(':', 1)[0]!);
  return inSight.filter((id) => !found.has(id));
}

/** What a document that has come to rest tells of itself must fit together, and fit what a search finds. */
async function checkRested(play: Play): Promise<void> {
  const found = await play.search();
  for (const id of play.documents) {
    const answer = await service.admin.send<DocumentRecord>('GET', `/documents/${id}`);
    if (answer.status === 404) {
      expect(found.has(id), `${id} is deleted`).toBe(false);
      continue;
    }
    const { status, searchable } = answer.body;
    expect(found.has(id), `${id} is ${status}`).toBe(searchable);
    if (status === 'quarantined' || status === 'cancelled') expect(searchable).toBe(false);
    const { items } = await service.admin.get<{ items: TimelineEvent[] }>(`/documents/${id}/timeline`);
    expect(replayTimeline(items)).toBe(status);
  }
}

async function perform(lanes: readonly (readonly Step[])[]): Promise<void> {
  const name = `play${++played}`;
  const dataset = await service.admin.createDataset(name);
  datasets.push(dataset);
  const play = new Play(service.admin, dataset, name);
  const ended = new AbortController();
  const watching = watch(play, ended.signal);
  await play.run(lanes);
  await expect.poll(() => ledger.countUnfinished(), { timeout: SETTLED_WITHIN_MS, interval: 20 }).toBe(0);
  ended.abort();
  expect(await watching).toEqual([]);
  expect(play.breaches).toEqual([]);
  expect(await ledger.findBreaches()).toEqual([]);
  await checkRested(play);
  for (const [move, times] of play.done) done.set(move, (done.get(move) ?? 0) + times);
}

describe('whatever is done with documents at the same time', () => {
  it('leaves legal states, one visible version, nothing stuck and nothing hidden in a search', async () => {
    const end = Date.now() + ENOUGH_MS;
    const property = fc.asyncProperty(plays, async (lanes) => {
      if (Date.now() < end) await perform(lanes);
    });
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
    expect(MOVES.filter((move) => !done.has(move))).toEqual([]);
  });

  it('leaves no row, vector or file without an owner once everything is purged', async () => {
    const { admin, process } = service;
    const purges = await Promise.all(
      datasets.map(async (id) => ({
        id,
        ...(await admin.post<{ purge_id: string }>(`/datasets/${id}/purge`, undefined)),
      })),
    );
    for (const { id, purge_id: purgeId } of purges) {
      const state = async (): Promise<string> =>
        (await admin.get<{ status: string }>(`/datasets/${id}/purges/${purgeId}`)).status;
      await expect.poll(state, { timeout: SETTLED_WITHIN_MS }).toBe('completed');
    }
    await expect.poll(() => ledger.countIntents(), { timeout: SETTLED_WITHIN_MS }).toBe(0);
    expect(await ledger.findOrphanRows()).toEqual([]);
    expect(await ledger.findFileBreaches()).toEqual([]);
    const shown = await ledger.readGenerations();
    await ledger.close();
    await process.stop();
    expect(await findStoreBreaches(join(process.folder, 'data'), shown)).toEqual([]);
  });
});
