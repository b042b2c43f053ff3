/** A calendar month in UTC. */
export interface BillingMonth {
  /** `2026-11`. */
  readonly name: string;
  /** `2026-11-01`. */
  readonly firstDay: string;
  readonly endsAt: Date;
}

/** The month of a point in time. */
export function monthOf(moment: Date): BillingMonth {
  const name = moment.toISOString().slice(0, 7);
  const endsAt = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 1));
  return { name, firstDay: `${name}-01`, endsAt };
}

/** The day of a point in time in UTC, `2026-11-23`. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
