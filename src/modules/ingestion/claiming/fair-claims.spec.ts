import { describe, expect, it, vi } from 'vitest';
import type { DocumentId, TenantId } from '#libs/common';
import { claimLimits } from './claim-limits.js';
import { FairClaims } from './fair-claims.js';
import type { ClaimedTask } from './ingestion-tasks.repository.js';

const task = (name: string, sizeBytes = 10_000_000): ClaimedTask => ({
  requestId: null,
  documentId: name as DocumentId,
  tenantId: 't' as TenantId,
  token: '1',
  tries: 1,
  sizeBytes,
});
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('claims', () => {
  it('are made one after the other', async () => {
    let running = 0;
    let most = 0;
    let n = 0;
    const claims = new FairClaims(async () => {
      most = Math.max(most, (running += 1));
      await turn();
      running -= 1;
      return [task(String((n += 1)))];
    });
    const taken = await Promise.all([claims.next(), claims.next(), claims.next()]);
    expect(taken.map(([one]) => one!.documentId)).toEqual(['1', '2', '3']);
    expect(most).toBe(1);
  });

  it('that find nothing answer all calls made before them, and none made later', async () => {
    let claimed = 0;
    let late: Promise<readonly ClaimedTask[]> | undefined;
    const claims = new FairClaims(async () => {
      claimed += 1;
      late ??= claims.next();
      return [];
    });
    const early = [claims.next(), claims.next(), claims.next()];
    expect(await Promise.all(early)).toEqual([[], [], []]);
    expect(await late).toEqual([]);
    expect(claimed).toBe(2);
    expect(claims.lastEmptyAt).toBeGreaterThan(0);
  });

  it('whose tasks another transaction has locked are repeated before any caller gets an empty answer', async () => {
    const answers: (ClaimedTask[] | null)[] = [null, null, [task('held')], []];
    const claims = new FairClaims(async () => answers.shift()!);
    expect(await Promise.all([claims.next(), claims.next()])).toEqual([[task('held')], []]);
    expect(answers).toEqual([]);
  });

  it('of small documents pause so that others can arrive; those of larger ones do not', async () => {
    vi.useFakeTimers();
    try {
      let made = 0;
      let size = 10;
      const claims = new FairClaims(async () => {
        made += 1;
        return [task('x', size)];
      }, 50);
      const small = Promise.all([claims.next(), claims.next()]);
      await vi.advanceTimersByTimeAsync(49);
      expect(made).toBe(1);
      size = 10_000_000;
      await vi.advanceTimersByTimeAsync(1);
      await small;
      expect(made).toBe(2);
      const large = claims.next();
      await vi.advanceTimersByTimeAsync(0);
      await large;
      expect(made).toBe(3);
    } finally {
      vi.useRealTimers();
    }
  });

  it('that fail reject their callers, and the next claim is made again', async () => {
    let fails = true;
    const claims = new FairClaims(async () => {
      if (fails) throw new Error('no database');
      return [];
    });
    const both = await Promise.allSettled([claims.next(), claims.next()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    await expect(claims.next()).resolves.toEqual([]);
  });
});

describe('what a worker may take at once', () => {
  it('leaves a place for other tenants and one for small documents if there are enough', () => {
    expect(claimLimits(4, 0)).toMatchObject({
      tenantRuns: 3,
      sharedRuns: 3,
      large: 3,
      tenantLarge: 2,
      largeFirst: true,
    });
    expect(claimLimits(2, 0)).toMatchObject({
      tenantRuns: 2,
      sharedRuns: 1,
      large: 1,
      tenantLarge: 1,
      largeFirst: true,
    });
    expect(claimLimits(1, 0)).toMatchObject({
      tenantRuns: 1,
      large: 1,
      tenantLarge: 1,
      largeFirst: false,
      agedSeconds: 30,
    });
  });

  it('follows the setting as far as there are places', () => {
    expect(claimLimits(8, 2)).toMatchObject({ tenantRuns: 2, tenantLarge: 1 });
    expect(claimLimits(4, 10)).toMatchObject({ tenantRuns: 4, sharedRuns: 3 });
  });
});
