import type { Clock } from '../clock.ts'

/** Creates a clock that changes only when a test sets it. */
export function fixedClock(start: Date | string): Clock & { advance(milliseconds: number): void } {
  let time = new Date(start).getTime()
  return {
    now: () => new Date(time),
    advance: (milliseconds) => {
      time += milliseconds
    },
  }
}
