import { formatTime, intervals, offsetLabel, useNow, useTimeZone, zoneCity } from '@headwater/web-kit'
import { offsetMinutes } from '@headwater/zones'
import styles from './Clock.module.css'

/** The current time in the user's zone and, if it differs, UTC with the offset of the zone. */
export function Clock() {
  const now = useNow(intervals.clockMs)
  const zone = useTimeZone()
  return (
    <div className={styles.clock} data-testid="clock">
      <div className={styles.line}>
        <time className={styles.time}>{formatTime(now, zone, 'time', now)}</time>{' '}
        <span className={styles.zone}>{zoneCity(zone)}</span>
      </div>
      {offsetMinutes(zone, now) === 0 ? null : (
        <div className={styles.utc}>
          {formatTime(now, 'UTC', 'time', now).slice(0, 5)} {offsetLabel(zone, now)}
        </div>
      )}
    </div>
  )
}
