const TURN_MS = 5_000;

/** How long work keeps its place; a test has shorter turns. */
export class TaskRules {
  constructor(
    /** Milliseconds of work after which a task gives its place back when another tenant waits. */
    readonly turnMs: number = TURN_MS,
  ) {}
}
