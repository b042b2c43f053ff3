export type { Permission, Principal, RequestContext, Role, TransactionHandle } from './request-context.js';
