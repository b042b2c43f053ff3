import type { JsonObject, TenantId } from '#libs/common';

/** A stored delivery. */
export interface DeliveryRow {
  readonly subject: string;
  readonly seq: string;
  readonly id: string;
  readonly tenant_id: TenantId;
  readonly type: string;
  readonly version: number;
  readonly payload: JsonObject;
  readonly request_id: string;
  readonly occurred_at: Date;
}

/** A lane that this process works on until its lease ends, with its next deliveries in order. */
export interface ClaimedLane {
  readonly subject: string;
  readonly tenantId: TenantId;
  readonly token: string;
  readonly deliveries: readonly DeliveryRow[];
}

/** Progress of the work on a lane. */
export interface LaneResult {
  readonly lane: ClaimedLane;
  /** Numbers of what was delivered. */
  readonly delivered: readonly string[];
  /** The first delivery that failed, if one did; those behind it wait for it. */
  readonly failed: { readonly seq: string; readonly reason: string } | null;
}
