import { visibleStatus } from '@headwater/statuses/contract'
import type { RunStep } from '../../contract/index.ts'

/** A bar of the chart of attempts. */
export interface GanttBar {
  /** Number of the attempt. */
  attempt: number
  /** Result; `LOST` if its worker was lost. */
  status: ReturnType<typeof visibleStatus<RunStep['status']>> | 'LOST'
  /** Distance of its start from the start of the run, in percent of the width. */
  left: number
  /** Width in percent. */
  width: number
  /** Start, in milliseconds since 1970. */
  startMs: number
  /** End, or the present for a running attempt. */
  endMs: number
}

/** The period of a chart, in milliseconds since 1970. */
export interface GanttPeriod {
  startMs: number
  endMs: number
}

/** Minimum width of a bar, in percent, so that short steps stay visible. */
const minWidth = 0.4

/** Returns the period of a run: from its start to its end, or to the present. */
export function ganttPeriod(
  run: { startTime: string; endTime: string | null },
  steps: readonly Pick<RunStep, 'attempts'>[],
  nowMs: number,
): GanttPeriod {
  const startMs = toMs(run.startTime)
  const ends = steps.flatMap(({ attempts }) =>
    attempts.flatMap(({ endTime }) => (endTime === null ? [] : [toMs(endTime)])),
  )
  const endMs = run.endTime === null ? nowMs : toMs(run.endTime)
  return { startMs, endMs: Math.max(endMs, startMs + 1, ...ends) }
}

/** Returns the bars of a step. An attempt whose worker was lost ends where the next one starts. */
export function ganttBars(
  { attempts }: Pick<RunStep, 'attempts'>,
  { startMs, endMs }: GanttPeriod,
): GanttBar[] {
  const lengthMs = endMs - startMs
  return attempts.map(({ attempt, status, message, startTime, endTime }, index) => {
    const next = attempts[index + 1]
    const from = toMs(startTime)
    const to = endTime !== null ? toMs(endTime) : next === undefined ? endMs : toMs(next.startTime)
    const left = Math.min(100 - minWidth, Math.max(0, ((from - startMs) / lengthMs) * 100))
    const width = Math.min(100 - left, Math.max(minWidth, ((to - from) / lengthMs) * 100))
    return {
      attempt,
      status: status === null ? 'LOST' : visibleStatus({ status, message }),
      left,
      width,
      startMs: from,
      endMs: to,
    }
  })
}

/** Parses a time of the API, which has no zone and is UTC. */
export function toMs(time: string): number {
  return Date.parse(`${time}Z`)
}
