import { useQuery } from '@tanstack/react-query'
import { getHolidayCalendar } from '@headwater/symbols/contract'
import { call, routeKey, ScheduledTime, useNow } from '@headwater/web-kit'
import { previewTrigger, type TimedTrigger } from './next-runs.ts'
import styles from './Triggers.module.css'

const warnings = {
  expression: 'Could not translate the cron expression',
  timeZone: 'The time zone is unknown',
}

/** Years of holidays for the next runs. */
const yearsAhead = 6

/**
 * Describes a trigger with times in English and lists its next five runs; shows a warning for an expression that cannot
 * be described.
 */
export function NextRuns({ trigger }: { trigger: TimedTrigger }) {
  const now = useNow(60_000)
  const calendar = trigger.holidayCalendar ?? undefined
  const nonWorkingDays = useNonWorkingDays(calendar, now)
  if (calendar !== undefined && nonWorkingDays === undefined) return null
  // The field for days reports that a day is missing.
  if (trigger.type === 'SCHEDULER' && hasNoDay(trigger.rule)) return null
  const preview = previewTrigger(trigger, now, nonWorkingDays)
  if ('invalid' in preview)
    return (
      <div className={styles.warning} role="status">
        <p>{warnings[preview.invalid]}</p>
        <p>{preview.reason}</p>
      </div>
    )
  return (
    <div className={styles.meaning} role="status">
      <p>{preview.description}</p>
      {preview.times.length === 0 ? <p>It does not run within the next five years.</p> : null}
      <ul aria-label="Next runs">
        {preview.times.map((time) => (
          <li key={time.getTime()}>
            <ScheduledTime value={time} timeZone={trigger.timeZone} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function hasNoDay(rule: Extract<TimedTrigger, { type: 'SCHEDULER' }>['rule']): boolean {
  return rule.kind === 'CALENDAR' && rule.days === 'WEEKDAYS' && (rule.weekdays ?? []).length === 0
}

function useNonWorkingDays(name: string | undefined, now: Date) {
  const year = now.getUTCFullYear()
  const input = {
    params: { name: name ?? '' },
    query: { from: `${year - 1}-01-01`, to: `${year + yearsAhead}-12-31` },
  }
  const { data } = useQuery({
    queryKey: routeKey(getHolidayCalendar, input),
    queryFn: ({ signal }) => call(getHolidayCalendar, input, { signal }),
    enabled: name !== undefined,
  })
  return data && { weekend: data.weekend, holidays: new Set(data.days.map(({ date }) => date)) }
}
