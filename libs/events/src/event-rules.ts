/** Times of delivery. */
export class EventRules {
  constructor(
    /** Time without a sign of life after which a lane is taken over. */
    readonly leaseSeconds: number,
    /** Time after which an event that fails is parked. */
    readonly parkAfterSeconds: number,
    /** Retention of parked events, and of events for a subscriber that no process has any more. */
    readonly keepSeconds: number,
  ) {}
}
