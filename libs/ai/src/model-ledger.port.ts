import type { ModelCaller, ModelUsage } from './model-call.js';

/** A call that is about to be made. */
export interface PlannedCall {
  readonly port: 'embedding' | 'rerank' | 'chat';
  readonly provider: string;
  readonly model: string;
  readonly caller: ModelCaller;
  /** An upper estimate of what it may take. */
  readonly estimate: Pick<ModelUsage, 'inputTokens' | 'outputTokens'>;
}

/** A call for which room has been set aside; exactly one of the two is to be called. */
export interface ReservedCall {
  /** Counts what the call has taken, in place of what was set aside. */
  settle(usage: ModelUsage): Promise<void>;
  /** Nothing was taken. */
  release(): Promise<void>;
}

/** Counts what calls of models take, and keeps tenants within their budgets. */
export abstract class ModelLedger {
  /** Sets aside what the call may take; what is never settled is free again after a while. @throws `usage.budget_exhausted` */
  abstract reserve(call: PlannedCall): Promise<ReservedCall>;
}
