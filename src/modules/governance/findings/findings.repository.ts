import { Injectable } from '@nestjs/common';
import { newId, type DocumentId, type Page, type RevisionId } from '#libs/common';
import {
  allColumnsOf,
  result,
  statement,
  statementFamily,
  TenantRepository,
  UnitOfWork,
  type TransactionContext,
} from '#libs/database';
import type { EntityType, Severity } from '#libs/detectors';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, visibilityVariantsOf } from '../../datasets/index.js';
import type { DetectorAction } from '../../ingestion-policy/index.js';
import type { FindingOrder } from './findings.dto.js';
import { FindingEntity, type FindingPlace } from './finding.entity.js';

/** Maximum number of stored findings of one document. If a text has more, all of them are masked, and the document says so. */
export const MOST_FINDINGS_KEPT = 10_000;

/** A finding to store. */
export interface NewFinding {
  readonly place: FindingPlace;
  readonly entityType: EntityType;
  readonly rule: string;
  readonly start: number;
  readonly end: number;
  readonly page: number | null;
  readonly score: number;
  readonly severity: Severity;
  readonly action: DetectorAction;
}

/** Owner of the findings. */
export interface FindingsOwner {
  readonly documentId: DocumentId;
  readonly revisionId: RevisionId;
  readonly revision: number;
  /** Exactly one of the two is set. */
  readonly generation: string | null;
  readonly rescanId: string | null;
}

export interface FindingFilter {
  readonly dataset_id?: string;
  readonly document_id?: string;
  readonly entity_type?: EntityType;
  readonly severity?: Severity;
  readonly action?: DetectorAction;
  readonly rescan_id?: string;
  readonly order_by?: FindingOrder;
  readonly skip: number;
  readonly limit: number;
}

/** A finding with its dataset. */
export type FindingRow = Omit<FindingEntity, 'tenant_id'> & { readonly dataset_id: string };

const FROM = `FROM governance_findings f JOIN documents d ON d.id = f.document_id JOIN datasets s ON s.id = d.dataset_id
   WHERE d.deleted_at IS NULL AND ($1::uuid IS NULL OR d.dataset_id = $1) AND ($2::uuid IS NULL OR f.document_id = $2)
     AND ($3::text IS NULL OR f.entity_type = $3) AND ($4::text IS NULL OR f.severity = $4)
     AND ($5::text IS NULL OR f.action = $5) AND f.rescan_id IS NOT DISTINCT FROM $6::uuid`;
/** `place`: by document, the newest first, and by position in it. */
const ORDERS = {
  place: 'f.document_id DESC, f.revision DESC, f.place, f.span_start, f.id',
  created_at: 'f.created_at ASC, f.id ASC',
  '-created_at': 'f.created_at DESC, f.id DESC',
} as const;
const VISIBLE = visibilityVariantsOf('s', 7);
const COUNT = statementFamily(
  { n: result.integer },
  (visible: string) => `SELECT count(*)::int AS n ${FROM} AND ${visible}`,
  VISIBLE.map((visible) => [visible] as const),
);
const LIST = statementFamily(
  { ...allColumnsOf(FindingEntity), dataset_id: result.uuid() },
  (visible: string, order: (typeof ORDERS)[keyof typeof ORDERS], limit: number, skip: number) =>
    `SELECT f.*, d.dataset_id ${FROM} AND ${visible}
     ORDER BY ${order} LIMIT ${limit} OFFSET ${skip}`,
  VISIBLE.flatMap((visible) => Object.values(ORDERS).map((order) => [visible, order, 20, 0] as const)),
);
const ACCEPTED = statement(
  allColumnsOf(FindingEntity),
  `SELECT * FROM governance_findings WHERE document_id = $1 AND revision_id = $2 AND rescan_id IS NULL AND accepted_at IS NOT NULL`,
);
const FORGET = statement(
  {},
  `DELETE FROM governance_findings WHERE document_id = $1 AND revision_id = $2 AND rescan_id IS NULL`,
);
const FORGET_BESIDE = statement(
  {},
  `DELETE FROM governance_findings WHERE document_id = $1 AND revision_id = $2 AND rescan_id IS NULL
     AND place IN ('name', 'metadata', 'tags')`,
);
const ADD = statement(
  {},
  `INSERT INTO governance_findings (id, tenant_id, document_id, revision_id, revision, generation, rescan_id, place, entity_type,
       rule, span_start, span_end, page, score, severity, action, accepted_at)
     SELECT f.id, $1, $2, $3, $4, $5, $6, f.place, f.entity_type, f.rule, f.span_start, f.span_end, f.page, f.score, f.severity,
       f.action, f.accepted_at
     FROM unnest($7::uuid[], $8::text[], $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::int[], $14::real[],
       $15::text[], $16::text[], $17::timestamptz[])
       AS f(id, place, entity_type, rule, span_start, span_end, page, score, severity, action, accepted_at)`,
);
const ACCEPT = statement(
  {},
  `UPDATE governance_findings f SET accepted_at = now() FROM documents d
   WHERE d.id = f.document_id AND d.revision_id = f.revision_id AND f.document_id = ANY ($1::uuid[])
     AND f.rescan_id IS NULL AND f.accepted_at IS NULL`,
);

/** Stores and reads findings of sensitive content. */
@Injectable()
export class FindingsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  /**
   * Stores the findings of an attempt or a rescan. Findings of an attempt replace those of earlier attempts on the revision; accepted
   * findings stay accepted.
   */
  async record(ctx: TransactionContext, owner: FindingsOwner, findings: readonly NewFinding[]): Promise<void> {
    const accepted = owner.rescanId === null ? await this.listAccepted(ctx, owner) : new Map<string, Date>();
    if (owner.rescanId === null) await this.query(ctx, FORGET, [owner.documentId, owner.revisionId]);
    await this.add(ctx, owner, findings, accepted);
  }

  /**
   * Stores findings in changed names, metadata and tags, in place of earlier findings there; none of them is accepted. Findings in the text
   * stay.
   */
  async recordBeside(ctx: TransactionContext, owner: FindingsOwner, findings: readonly NewFinding[]): Promise<void> {
    await this.query(ctx, FORGET_BESIDE, [owner.documentId, owner.revisionId]);
    await this.add(ctx, owner, findings, new Map());
  }

  private async add(
    ctx: TransactionContext,
    owner: FindingsOwner,
    findings: readonly NewFinding[],
    accepted: ReadonlyMap<string, Date>,
  ): Promise<void> {
    const kept = findings.slice(0, MOST_FINDINGS_KEPT);
    if (kept.length === 0) return;
    const of = <T>(pick: (finding: NewFinding) => T): T[] => kept.map(pick);
    await this.query(ctx, ADD, [
      ctx.tenantId,
      owner.documentId,
      owner.revisionId,
      owner.revision,
      owner.generation,
      owner.rescanId,
      of(() => newId()),
      of((f) => f.place),
      of((f) => f.entityType),
      of((f) => f.rule),
      of((f) => f.start),
      of((f) => f.end),
      of((f) => f.page),
      of((f) => f.score),
      of((f) => f.severity),
      of((f) => f.action),
      of((f) => accepted.get(findingKey(f)) ?? null),
    ]);
  }

  /** Accepted findings of this revision, with the time of acceptance, by `findingKey`. */
  async listAccepted(
    ctx: RequestContext,
    { documentId, revisionId }: Pick<FindingsOwner, 'documentId' | 'revisionId'>,
  ): Promise<Map<string, Date>> {
    const rows = await this.query(ctx, ACCEPTED, [documentId, revisionId]);
    return new Map(
      rows.map((row) => {
        const { place, entity_type: entityType, span_start: start, span_end: end } = row;
        return [findingKey({ place, entityType, start: Number(start), end: Number(end) }), row.accepted_at!];
      }),
    );
  }

  /** Accepts the findings of the documents' latest revisions, so that these do not quarantine them again. */
  async accept(ctx: TransactionContext, documentIds: readonly string[]): Promise<void> {
    if (documentIds.length > 0) await this.query(ctx, ACCEPT, [documentIds]);
  }

  /** Findings in documents of visible datasets: those of ingestion, or those of one rescan. @throws `datasets.not_found` */
  async listVisible(ctx: RequestContext, filter: FindingFilter): Promise<Page<FindingRow>> {
    const { skip, limit, order_by: order } = filter;
    if (filter.dataset_id !== undefined) await this.access.requireVisible(ctx, filter.dataset_id);
    const visible = this.access.visibilityCondition(ctx, 's', 7);
    const parameters = [
      filter.dataset_id ?? null,
      filter.document_id ?? null,
      filter.entity_type ?? null,
      filter.severity ?? null,
      filter.action ?? null,
      filter.rescan_id ?? null,
      ...visible.parameters,
    ];
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const total = await this.queryOne(inner, COUNT.of(visible.sql), parameters);
      const items = await this.query(inner, LIST.of(visible.sql, ORDERS[order ?? 'place'], limit, skip), parameters);
      return { items, total: total?.n ?? 0, skip, limit };
    });
  }
}

/** Key of a finding; the same for the same content of a revision in every inspection. */
export function findingKey({
  place,
  entityType,
  start,
  end,
}: Pick<NewFinding, 'place' | 'entityType' | 'start' | 'end'>): string {
  return `${place}:${entityType}:${start}:${end}`;
}
