import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import { INGESTION_STAGES } from '../record/document.entity.js';
import type { IngestionStatistics, StageDuration } from './ingestion-statistics.dto.js';
import {
  IngestionStatisticsRepository,
  type DocumentTotals,
  type DurationRow,
} from './ingestion-statistics.repository.js';

const THROUGHPUT_HOURS = 24;
const DURATION_DAYS = 7;

/** Statistics of the ingestion of a dataset's documents. */
@Injectable()
export class IngestionStatisticsService {
  constructor(
    private readonly access: DatasetAccess,
    private readonly repository: IngestionStatisticsRepository,
  ) {}

  /** @throws `datasets.not_found` */
  async read(ctx: RequestContext, datasetId: string): Promise<IngestionStatistics> {
    const { id } = await this.access.requireVisible(ctx, datasetId);
    const totals = await this.repository.totals(ctx, id);
    const completed = await this.repository.countCompleted(ctx, id, THROUGHPUT_HOURS);
    return {
      ...sumUp(totals),
      throughput: {
        window_hours: THROUGHPUT_HOURS,
        completed,
        documents_per_hour: Math.round((completed / THROUGHPUT_HOURS) * 100) / 100,
      },
      durations: toDurations(await this.repository.durations(ctx, id, DURATION_DAYS)),
      failures: await this.repository.failures(ctx, id),
    };
  }
}

function sumUp(
  totals: readonly DocumentTotals[],
): Pick<IngestionStatistics, 'document_counts' | 'stages' | 'chunks' | 'tokens' | 'bytes'> {
  const sum = (pick: (row: DocumentTotals) => number): number => totals.reduce((total, row) => total + pick(row), 0);
  const inState = (status: DocumentTotals['status']): number =>
    sum((row) => (row.status === status ? row.documents : 0));
  const inStage = (stage: DocumentTotals['stage']): number => sum((row) => (row.stage === stage ? row.documents : 0));
  return {
    document_counts: {
      pending: inState('pending'),
      processing: inState('processing'),
      completed: inState('completed'),
      failed: inState('failed'),
      quarantined: inState('quarantined'),
      cancelled: inState('cancelled'),
      searchable: sum((row) => row.searchable),
      without_text: sum((row) => (row.status === 'completed' ? row.documents - row.searchable : 0)),
      total: sum((row) => row.documents),
    },
    stages: {
      parsing: inStage('parsing'),
      chunking: inStage('chunking'),
      embedding: inStage('embedding'),
      vector_write: inStage('vector_write'),
    },
    chunks: sum((row) => Number(row.chunks)),
    tokens: sum((row) => Number(row.tokens)),
    bytes: sum((row) => Number(row.bytes)),
  };
}

function toDurations(rows: readonly DurationRow[]): StageDuration[] {
  return [...INGESTION_STAGES, 'total' as const].map((stage) => {
    const row = rows.find((candidate) => candidate.stage === stage);
    const [p50, p95, p99] = row?.percentiles ?? [null, null, null];
    return { stage, count: row?.count ?? 0, p50_ms: p50, p95_ms: p95, p99_ms: p99 };
  });
}
