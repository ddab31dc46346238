/** The current time, a parameter so that tests can set it. */
export interface Clock {
  /** Returns the current time. */
  now(): Date
}

/** The clock of the operating system. */
export const systemClock: Clock = { now: () => new Date() }

/** Creates a clock for tests that changes only when it is set. */
export function fixedClock(start: Date | string): Clock & { advance(milliseconds: number): void } {
  let time = new Date(start).getTime()
  return {
    now: () => new Date(time),
    advance: (milliseconds) => {
      time += milliseconds
    },
  }
}
