import { Test } from '@nestjs/testing';
import { TerminusModule } from '@nestjs/terminus';
import type { PinoLogger } from 'nestjs-pino';
import { describe, expect, it } from 'vitest';
import { Settings, type ReadinessComponent } from '#libs/config';
import { Drain } from '#libs/http';
import type { ProbeAnswer } from '../components/component-health.js';
import { ComponentChecks } from '../components/component-checks.service.js';
import { HealthChecksService } from './health-checks.service.js';
import { HealthProbes } from '../components/health-probes.service.js';
import { WarmupRegistry } from '../components/warmup-registry.service.js';

const READ_ONLY = 'elasticsearch: takes no writes: disk usage exceeded flood-stage watermark';

const ALL: readonly ReadinessComponent[] = ['database', 'vector_backend', 'cache', 'object_storage'];

/** The service with a vector store that accepts no writes; everything else works. */
function checksOfReadOnlyStore(
  readinessStore: 'writable' | 'searchable',
  isLeaving = false,
  isFull = false,
): Promise<HealthChecksService> {
  const run = (name: string): Promise<ProbeAnswer> =>
    Promise.resolve(name === 'vector_backend' ? { detail: READ_ONLY, limited: true, isFull } : { detail: null });
  return checksOf({ run }, readinessStore, ALL, isLeaving);
}

/** The service without cache and object storage. */
function checksWithoutCacheAndFiles(readinessRequires: readonly ReadinessComponent[]): Promise<HealthChecksService> {
  const run = (name: string): Promise<ProbeAnswer> =>
    name === 'cache' || name === 'object_storage'
      ? Promise.reject(new Error('gone'))
      : Promise.resolve({ detail: null });
  return checksOf({ run }, 'writable', readinessRequires);
}

async function checksOf(
  probes: Pick<HealthProbes, 'run'>,
  readinessStore: 'writable' | 'searchable',
  readinessRequires: readonly ReadinessComponent[],
  isLeaving = false,
): Promise<HealthChecksService> {
  const settings = { values: { readinessStore, readinessRequires, readinessWarmups: [] } };
  const module = await Test.createTestingModule({
    imports: [TerminusModule.forRoot({ logger: false })],
    providers: [
      HealthChecksService,
      ComponentChecks,
      { provide: WarmupRegistry, useValue: new WarmupRegistry({} as PinoLogger) },
      { provide: Drain, useValue: { isLeaving } },
      { provide: HealthProbes, useValue: probes },
      { provide: Settings, useValue: settings },
    ],
  }).compile();
  return module.get(HealthChecksService);
}

describe('a vector store that is read-only', () => {
  it('makes the service unready, and details say why', async () => {
    const checks = await checksOfReadOnlyStore('writable');
    expect(await checks.isReady()).toBe(false);
    expect((await checks.details()).vector_backend).toMatchObject({ status: 'degraded', detail: READ_ONLY });
  });

  it('leaves the service ready if the setting says that searches are enough', async () => {
    const checks = await checksOfReadOnlyStore('searchable');
    expect(await checks.isReady()).toBe(true);
    expect((await checks.details()).vector_backend).toMatchObject({ status: 'degraded', detail: READ_ONLY });
  });

  it('always leaves the service ready when its disks are full, because searches still work', async () => {
    const checks = await checksOfReadOnlyStore('writable', false, true);
    expect(await checks.isReady()).toBe(true);
    expect((await checks.details()).vector_backend).toEqual({
      status: 'degraded',
      detail: READ_ONLY,
      latency_ms: expect.any(Number) as number,
    });
  });

  it('is never ready in a process that is about to stop', async () => {
    const checks = await checksOfReadOnlyStore('searchable', true);
    expect(await checks.isReady()).toBe(false);
  });
});

describe('readiness', () => {
  it('uses the list of the specification by default', async () => {
    expect(await (await checksWithoutCacheAndFiles(ALL)).isReady()).toBe(false);
  });

  it('checks only components in READINESS_REQUIRES', async () => {
    const checks = await checksWithoutCacheAndFiles(['database', 'vector_backend']);
    expect(await checks.isReady()).toBe(true);
    expect((await checks.details()).cache).toMatchObject({ status: 'down', detail: 'gone' });
    const withFiles = await checksWithoutCacheAndFiles(['database', 'vector_backend', 'object_storage']);
    expect(await withFiles.isReady()).toBe(false);
  });
});
