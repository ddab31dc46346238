/** The current time, a parameter so that tests can set it. */
export interface Clock {
  /** Returns the current time. */
  now(): Date
}

/** The clock of the operating system. */
export const systemClock: Clock = { now: () => new Date() }
