import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crashDocument } from './support/crash-documents.js';
import { CrashRun, type Position } from './support/crash-run.js';
import type { Victim } from './support/npm-service.js';

const LARGE = 1_500_000;
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

describe('A service that npm start runs and SIGKILL ends', () => {
  let run: CrashRun;
  beforeAll(async () => {
    run = await CrashRun.begin(2);
  });
  afterAll(async () => {
    await run?.service.dispose();
  });

  it.each(CASES)('loses nothing when a document is $position and the $victim dies', async ({ position, victim }) => {
    const ids = await run.upload([
      crashDocument(`${position}-large`, LARGE),
      crashDocument(`${position}-medium`, LARGE / 3),
      crashDocument(`${position}-small-1`, SMALL),
      crashDocument(`${position}-small-2`, SMALL),
    ]);
    const chosen = position === 'pending' ? ids[3]! : ids[0]!;
    expect(await run.killAt(chosen, position, victim)).toBe(position);
    expect(await run.recover()).toEqual([]);
    expect(run.service.log.join('\n')).toContain('embedded_postgres.adopted');
    expect(await run.compareStores()).toEqual([]);
    await run.service.start();
  });
});
