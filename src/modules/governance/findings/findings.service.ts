import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import type { FindingPage, GovernanceFinding, ListFindingsQuery } from './findings.dto.js';
import { FindingsRepository, type FindingRow } from './findings.repository.js';

/** Lists findings for callers. */
@Injectable()
export class FindingsService {
  constructor(private readonly findings: FindingsRepository) {}

  async list(ctx: RequestContext, query: ListFindingsQuery): Promise<FindingPage> {
    const page = await this.findings.listVisible(ctx, query);
    return { ...page, items: page.items.map(toView) };
  }
}

function toView(row: FindingRow): GovernanceFinding {
  const { id, dataset_id, document_id, revision, generation, rescan_id, place, entity_type, rule, page, score } = row;
  return {
    id,
    dataset_id,
    document_id,
    revision,
    generation,
    rescan_id,
    place,
    entity_type,
    rule,
    page,
    start: Number(row.span_start),
    end: Number(row.span_end),
    // A four-byte float is exact to seven digits.
    score: Math.round(score * 1000) / 1000,
    severity: row.severity,
    action: row.action,
    accepted_at: row.accepted_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
