/** How long what takes. */
export class EventRules {
  constructor(
    /** Work on a lane that gives no sign of life for so long is taken over. */
    readonly leaseSeconds: number,
    /** An event that fails for so long is parked. */
    readonly parkAfterSeconds: number,
    /** Retention of parked events, and of events for a subscriber that no process has any more. */
    readonly keepSeconds: number,
  ) {}
}
