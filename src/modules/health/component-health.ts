/** How one thing that the service stands on is: `detail` says why it is not `up`, null when there is nothing to say. */
export interface ComponentHealth {
  readonly status: 'up' | 'down' | 'degraded' | 'disabled';
  readonly latency_ms: number;
  readonly detail: string | null;
}
