/** Orders of the list of sessions; a minus sign means descending. */
export const SESSION_ORDERS = ['last_used_at', '-last_used_at', 'created_at', '-created_at'] as const;
export type SessionOrder = (typeof SESSION_ORDERS)[number];

/** The requested page of the list. */
export interface SessionListPage {
  readonly skip: number;
  readonly limit: number;
  readonly order_by: SessionOrder;
}
