import type { ModelCaller, ModelUsage } from './model-call.js';

/** A call that is about to be made. */
export interface PlannedCall {
  readonly port: 'embedding' | 'rerank' | 'chat';
  readonly provider: string;
  readonly model: string;
  readonly caller: ModelCaller;
  /** Upper estimate of its usage. */
  readonly estimate: Pick<ModelUsage, 'inputTokens' | 'outputTokens'>;
}

/** A call with a reservation in the budget; exactly one of the two methods must be called. */
export interface ReservedCall {
  /** Replaces the reservation by the usage of the call. */
  settle(usage: ModelUsage): Promise<void>;
  /** Releases the reservation; the call had no usage. */
  release(): Promise<void>;
}

/** Counts the usage of model calls and keeps tenants within their budgets. */
export abstract class ModelLedger {
  /** Reserves the estimated usage of the call; a reservation that is never settled expires after a while. @throws `usage.budget_exhausted` */
  abstract reserve(call: PlannedCall): Promise<ReservedCall>;
}
