import { previewSchedule } from '@headwater/cron'
import { ScheduledTime, useNow } from './Time.tsx'
import styles from './ScheduleMeaning.module.css'

/** A recurring schedule. */
export interface ScheduleValue {
  /** Cron expression: minute, hour, day of the month, month and weekday. */
  cron: string
  /** IANA name of the time zone. */
  timeZone: string
}

/** Describes a schedule and lists its next times, or explains why there are none. */
export function ScheduleMeaning({
  cron,
  timeZone,
  count = 3,
}: ScheduleValue & {
  /** Number of next times. Default 3. */
  count?: number
}) {
  const preview = previewSchedule({ expression: cron, timeZone }, { after: useNow(60_000), count })
  if ('invalid' in preview)
    return (
      <p className={styles.warning} role="status">
        {preview.reason}
      </p>
    )
  return (
    <div className={styles.meaning} role="status">
      <p className={styles.description}>{preview.description}</p>
      <ul className={styles.nextTimes} aria-label="Next runs">
        {preview.times.map((time) => (
          <li key={time.getTime()}>
            <ScheduledTime value={time} timeZone={timeZone} />
          </li>
        ))}
      </ul>
    </div>
  )
}
