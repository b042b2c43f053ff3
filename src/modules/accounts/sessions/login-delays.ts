/** How failed logins of one origin are slowed down. */
export interface DelaySchedule {
  /** Failures in a row that cost no delay. */
  readonly free: number;
  /** Seconds after the first failure beyond them; each further one doubles it. */
  readonly firstSeconds: number;
}

/** Longest delay in seconds. */
export const LONGEST_DELAY_SECONDS = 900;

/** For who mistypes: five attempts at once, some hundred a day. */
export const USUAL_DELAYS: DelaySchedule = { free: 4, firstSeconds: 2 };

/** For strangers while many networks guess at one address: one attempt at once, so that no one is kept out by the others. */
export const BESIEGED_DELAYS: DelaySchedule = { free: 0, firstSeconds: 60 };
