const TURN_MS = 5_000;

/** Length of a turn; tests have shorter ones. */
export class TaskRules {
  constructor(
    /** Milliseconds of work after which a task gives its worker to a waiting tenant. */
    readonly turnMs: number = TURN_MS,
  ) {}
}
