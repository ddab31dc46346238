import { useQuery } from '@tanstack/react-query'
import { getHolidayCalendar } from '@headwater/symbols/contract'
import { call, routeKey, ScheduledTime, useNow } from '@headwater/web-kit'
import { meaningOf, type TimedTrigger } from './next-runs.ts'
import styles from './Triggers.module.css'

/** Years of holidays for the next runs. */
const yearsAhead = 6

/** The meaning of a trigger with times, in English, and its next five runs; a warning for an expression without one. */
export function NextRuns({ trigger }: { trigger: TimedTrigger }) {
  const now = useNow(60_000)
  const calendar = trigger.holidayCalendar ?? undefined
  const nonWorkingDays = useNonWorkingDays(calendar, now)
  if (calendar !== undefined && nonWorkingDays === undefined) return null
  const meaning = meaningOf(trigger, now, nonWorkingDays)
  if ('warning' in meaning)
    return (
      <div className={styles.warning} role="status">
        <p>{meaning.warning}</p>
        <p>{meaning.reason}</p>
      </div>
    )
  return (
    <div className={styles.meaning} role="status">
      <p>{meaning.description}</p>
      {meaning.times.length === 0 ? <p>It has no run within five years.</p> : null}
      <ul aria-label="Next runs">
        {meaning.times.map((time) => (
          <li key={time.getTime()}>
            <ScheduledTime value={time} timeZone={trigger.timeZone} />
          </li>
        ))}
      </ul>
    </div>
  )
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
