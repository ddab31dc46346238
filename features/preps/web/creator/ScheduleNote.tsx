import { useQuery } from '@tanstack/react-query'
import IconCalendarTime from '@tabler/icons-react/dist/esm/icons/IconCalendarTime.mjs'
import { describeCron } from '@headwater/cron'
import { Button, call, intervals, refreshEvery, routeKey, ScheduledTime } from '@headwater/web-kit'
import { getPrepSchedule, type PrepSchedule } from '../../contract/index.ts'
import styles from './PrepWorkspace.module.css'

/** Note with the next scheduled run; empty without a schedule. */
export function ScheduleNote({
  id,
  onOpen,
}: {
  id: string
  /** Opens the schedule; undefined if the user cannot change it. */
  onOpen: (() => void) | undefined
}) {
  const input = { params: { id } }
  const { data } = useQuery({
    // Separate from the query of the dialog, which must load the current schedule.
    queryKey: [...routeKey(getPrepSchedule, input), 'note'],
    queryFn: ({ signal }) => call(getPrepSchedule, input, { signal }),
    refetchInterval: refreshEvery(intervals.listMs),
  })
  const schedule = data?.schedule
  if (schedule === undefined || schedule === null) return null
  const icon = <IconCalendarTime size={14} stroke={1.6} aria-hidden="true" />
  const title = `${describeCron(schedule.cron)}, ${schedule.timeZone}`
  return onOpen === undefined ? (
    <span className={styles.note} title={title}>
      <NextRun {...schedule} />
    </span>
  ) : (
    <Button variant="quiet" size="small" icon={icon} title={title} onClick={onOpen}>
      <NextRun {...schedule} />
    </Button>
  )
}

function NextRun({ nextRun, timeZone }: Pick<PrepSchedule, 'nextRun' | 'timeZone'>) {
  return nextRun === null ? (
    'Schedule paused'
  ) : (
    <span>
      Next run <ScheduledTime value={nextRun} timeZone={timeZone} />
    </span>
  )
}
