import { Test } from '@nestjs/testing';
import { TerminusModule } from '@nestjs/terminus';
import { describe, expect, it } from 'vitest';
import { Settings } from '#libs/config';
import { Drain } from '#libs/http';
import { HealthChecksService } from './health-checks.service.js';
import { HealthProbes } from './health-probes.js';
import { WarmupRegistry } from './warmup-registry.js';

const READ_ONLY = 'elasticsearch: takes no writes: disk usage exceeded flood-stage watermark';

/** The service over a vector store that takes no writes; everything else is fine. */
async function checksOfReadOnlyStore(
  readinessStore: 'writable' | 'searchable',
  isLeaving = false,
): Promise<HealthChecksService> {
  const probes = {
    run: (name: string) =>
      Promise.resolve(name === 'vector_backend' ? { detail: READ_ONLY, limited: true } : { detail: null }),
  };
  const settings = { values: { readinessStore, readinessWarmups: [] } };
  const module = await Test.createTestingModule({
    imports: [TerminusModule.forRoot({ logger: false })],
    providers: [
      HealthChecksService,
      WarmupRegistry,
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

  it('leaves it ready where searches count for more', async () => {
    const checks = await checksOfReadOnlyStore('searchable');
    expect(await checks.isReady()).toBe(true);
    expect((await checks.details()).vector_backend).toMatchObject({ status: 'degraded', detail: READ_ONLY });
  });

  it('does not make a process ready that is about to stop', async () => {
    const checks = await checksOfReadOnlyStore('searchable', true);
    expect(await checks.isReady()).toBe(false);
  });
});
