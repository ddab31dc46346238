/** A source of the current time. It is a parameter so that tests can set the time. */
export interface Clock {
  /** Returns the current time. */
  now(): Date
}

/** The clock of the operating system. */
export const systemClock: Clock = { now: () => new Date() }
