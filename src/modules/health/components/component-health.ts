/** State of one dependency of the service: `detail` says why it is not `up`; null: nothing to add. */
export interface ComponentHealth {
  readonly status: 'up' | 'down' | 'degraded' | 'disabled';
  readonly latency_ms: number;
  readonly detail: string | null;
}

/** Result of a successful probe. `limited`: the dependency answers, but cannot do all of its work. */
export interface ProbeAnswer {
  readonly detail: string | null;
  readonly limited?: boolean;
  /** Whether the limitation is that its disks are full. */
  readonly isFull?: boolean;
}
