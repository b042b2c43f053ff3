import { expect, it } from 'vitest';
import { newId } from '#libs/common';
import type { UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { inTurns, runningTask } from '../../../../libs/tasks/src/testing/tasks-over.js';
import type { DatasetAccess } from '../../datasets/index.js';
import type { IngestionPolicies } from '../../ingestion-policy/index.js';
import type { ScanRunsRepository } from '../runs/scan-runs.repository.js';
import type { FileExamination } from './file-examination.service.js';
import type { FileReport } from './file-report.js';
import type { PrecheckFilesRepository } from './precheck-files.repository.js';
import type { PrecheckSamples } from './precheck-samples.service.js';
import { PrecheckScan } from './precheck-scan-run.task.js';

const ctx = {
  tenantId: newId(),
  principal: { kind: 'system', permissions: new Set() },
  requestId: 'r',
} as RequestContext;

it('a precheck lets other tenants run after each file, and examines no file twice', async () => {
  const files = [0, 1, 2].map((position) => ({
    position,
    sha256: String(position),
    report: null as FileReport | null,
  }));
  const examined: number[] = [];
  const told: string[] = [];
  const repository = {
    list: async () => files.map((file) => ({ ...file })),
    listEvents: async () => told,
    tell: async (_ctx: unknown, _id: string, events: readonly { event: string }[]) =>
      void told.push(...events.map(({ event }) => event)),
    keep: async (_ctx: unknown, { position }: { position: number }, report: FileReport) => {
      files[position]!.report = report;
      return true;
    },
    forgetSamples: async () => undefined,
  };
  const examination = {
    examine: async (_ctx: unknown, _dataset: unknown, { position }: { position: number }) => {
      examined.push(position);
      return { verdict: 'pass', checks: [], prediction: null };
    },
  };
  const runs = { begin: async () => ({}), advance: async () => true, complete: async () => true };
  const unitOfWork = {
    run: async (_ctx: unknown, work: (manager: null, inner: unknown) => unknown) => work(null, ctx),
  };
  const scan = new PrecheckScan(
    runs as unknown as ScanRunsRepository,
    repository as unknown as PrecheckFilesRepository,
    examination as unknown as FileExamination,
    { remove: async () => undefined } as unknown as PrecheckSamples,
    { listVisible: async () => [{ id: newId() }] } as unknown as DatasetAccess,
    { current: async () => ({ policy: {} }) } as unknown as IngestionPolicies,
    unitOfWork as unknown as UnitOfWork,
  );
  const payload = { datasetId: newId(), scanRunId: newId() } as Parameters<typeof scan.run>[0]['payload'];
  expect((await inTurns(scan, runningTask(ctx, payload))).turns).toBe(4);
  expect(examined).toEqual([0, 1, 2]);
  expect(told.filter((event) => event === 'scan.started')).toHaveLength(1);
  expect(told.filter((event) => event === 'scan.completed')).toHaveLength(1);
});
