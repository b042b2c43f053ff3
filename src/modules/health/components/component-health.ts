/** How one thing that the service rests on is: `detail` says why it is not `up`, null when there is nothing to say. */
export interface ComponentHealth {
  readonly status: 'up' | 'down' | 'degraded' | 'disabled';
  readonly latency_ms: number;
  readonly detail: string | null;
}

/** What a thing that works says of itself. `limited`: it serves requests, but not everything that it is there for. */
export interface ProbeAnswer {
  readonly detail: string | null;
  readonly limited?: boolean;
  /** What limits it is that its disks are full. */
  readonly isFull?: boolean;
}
