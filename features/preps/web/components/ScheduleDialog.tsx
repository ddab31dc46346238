import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import {
  Button,
  call,
  Checkbox,
  Dialog,
  ErrorState,
  fieldErrors,
  Form,
  FormActions,
  message,
  routeKey,
  ScheduledTime,
  ScheduleFields,
  Skeleton,
  SubmitButton,
  Time,
  toastError,
  useTimeZone,
} from '@headwater/web-kit'
import { getPrepSchedule, type PrepSchedule } from '../../contract/index.ts'
import { usePrepCalls } from '../preps-client.ts'
import styles from './ScheduleDialog.module.css'

/** Dialog for the schedule of a data prep. */
export default function ScheduleDialog({
  prep,
  onClose,
}: {
  prep: { id: string; name: string }
  onClose: () => void
}) {
  const input = { params: { id: prep.id } }
  const query = useQuery({
    queryKey: routeKey(getPrepSchedule, input),
    queryFn: ({ signal }) => call(getPrepSchedule, input, { signal }),
    gcTime: 0,
  })
  return (
    <Dialog open onClose={onClose} title={`Schedule of ${prep.name}`} width={440}>
      {query.error !== null ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Skeleton lines={5} />
      ) : (
        <ScheduleForm prep={prep} stored={query.data.schedule} onClose={onClose} />
      )}
    </Dialog>
  )
}

function ScheduleForm({
  prep,
  stored,
  onClose,
}: {
  prep: { id: string; name: string }
  stored: PrepSchedule | null
  onClose: () => void
}) {
  const timeZone = useTimeZone()
  const calls = usePrepCalls()
  const [schedule, setSchedule] = useState(() => ({
    cron: stored?.cron ?? '0 7 * * 1-5',
    timeZone: stored?.timeZone ?? timeZone,
    active: stored?.active ?? true,
  }))
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [removing, setRemoving] = useState(false)

  function set(change: Partial<typeof schedule>) {
    setSchedule({ ...schedule, ...change })
    setErrors({})
  }
  async function save() {
    await calls.setSchedule(prep.id, schedule)
    message(schedule.active ? 'The schedule has been set.' : 'The schedule is paused.')
    onClose()
  }
  async function remove() {
    setRemoving(true)
    try {
      await calls.removeSchedule(prep.id)
      message('The schedule has been removed.')
      onClose()
    } catch (error) {
      toastError(error)
      setRemoving(false)
    }
  }
  return (
    <Form
      label="Schedule"
      onSubmit={save}
      onError={(error) => setErrors(error === undefined ? {} : fieldErrors(error))}
    >
      <p className={styles.note}>
        Runs the latest version with your access and saves its file as a new version in the output group.
      </p>
      <ScheduleFields value={schedule} errors={errors} onChange={set} />
      <Checkbox label="Paused" checked={!schedule.active} onChange={(paused) => set({ active: !paused })} />
      {stored === null ? null : (
        <p className={styles.note}>
          Set by {stored.setBy}, <Time value={stored.setAt} />.
          {stored.lastRun === null ? null : (
            <>
              {' '}
              Last run: <ScheduledTime value={stored.lastRun.at} timeZone={stored.timeZone} />.
            </>
          )}
        </p>
      )}
      <FormActions>
        {stored === null ? null : (
          <Button busy={removing} onClick={() => void remove()}>
            Remove schedule
          </Button>
        )}
        <Button onClick={onClose}>Cancel</Button>
        <SubmitButton>Save</SubmitButton>
      </FormActions>
    </Form>
  )
}
