import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { formatTime, useTimeZone } from '@headwater/web-kit'
import { useRefreshTimes } from '@headwater/tiles/web'
import styles from './RefreshNote.module.css'

/** Age of the newest data, time of the last refresh, and a button to refresh. */
export function RefreshNote({ onRefresh }: { onRefresh: () => void }) {
  const times = useRefreshTimes()
  const zone = useTimeZone()
  if (times.length === 0) return null
  const refreshedAt = Math.max(...times.map((time) => time.refreshedAt))
  const newest = Math.max(...times.map((time) => time.dataAsOf ?? -Infinity))
  return (
    <div className={styles.note}>
      <button
        type="button"
        className={styles.refresh}
        aria-label="Refresh the data"
        title="Refresh the data"
        onClick={onRefresh}
      >
        <IconRefresh size={14} stroke={1.6} aria-hidden="true" />
      </button>
      {Number.isFinite(newest) ? `Data as of ${dayAndTime(newest)} UTC · refreshed ` : 'Refreshed '}
      {formatTime(refreshedAt, zone, 'time', new Date(refreshedAt))}
    </div>
  )
}

const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

function dayAndTime(time: number): string {
  return format.format(time)
}
