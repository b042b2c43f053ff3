/** Delays of failed logins of one origin. */
export interface DelaySchedule {
  /** Number of consecutive failures without a delay. */
  readonly free: number;
  /** Delay in seconds after the first failure beyond them; each further failure doubles it. */
  readonly firstSeconds: number;
}

/** Maximum delay in seconds. */
export const LONGEST_DELAY_SECONDS = 900;

/** For people who mistype: five attempts at once, about a hundred a day. */
export const USUAL_DELAYS: DelaySchedule = { free: 4, firstSeconds: 2 };

/** For unknown networks while many networks guess at one address: one attempt at a time, so that none is excluded by the others. */
export const BESIEGED_DELAYS: DelaySchedule = { free: 0, firstSeconds: 60 };
