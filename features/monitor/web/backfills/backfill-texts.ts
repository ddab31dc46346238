import { countOf, type Status } from '@headwater/web-kit'
import type { Backfill } from '../../contract/index.ts'

/** Dates that get no run for the same reason. */
export interface SkippedDates {
  /** Why they get no run. */
  reason: string
  /** The dates, in their order. */
  dates: string[]
}

/** Returns the dates without a run by reason, in the order of the first date of each. */
export function skippedDates(dates: readonly { date: string; reason: string | null }[]): SkippedDates[] {
  const byReason = Map.groupBy(
    dates.filter(({ reason }) => reason !== null),
    ({ reason }) => reason!,
  )
  return [...byReason].map(([reason, skipped]) => ({ reason, dates: skipped.map(({ date }) => date) }))
}

/** Returns the status of a backfill and its name. */
export function statusOfBackfill({ state, failed, warned }: Pick<Backfill, 'state' | 'failed' | 'warned'>): {
  status: Status
  text?: string
} {
  if (state === 'RUNNING') return { status: 'running' }
  if (state === 'CANCELLED') return { status: 'stopped', text: 'Cancelled' }
  if (state === 'FAILED') return { status: 'error', text: 'Failed' }
  if (failed > 0) return { status: 'warn', text: 'Completed with failures' }
  return warned > 0 ? { status: 'warn', text: 'Completed with warnings' } : { status: 'completed' }
}

/** Describes the progress of a backfill, such as `12 of 30 runs, 2 failed, 1 with warnings`. */
export function progressText({
  total,
  ended,
  failed,
  warned,
}: Pick<Backfill, 'total' | 'ended' | 'failed' | 'warned'>): string {
  return [
    `${ended} of ${countOf(total, 'run')}`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(warned === 0 ? [] : [`${warned} with warnings`]),
  ].join(', ')
}
