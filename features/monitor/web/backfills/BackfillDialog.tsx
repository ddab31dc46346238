import { useState } from 'react'
import { WeekdaysField } from '@headwater/pipelines/web'
import {
  Button,
  countOf,
  DateField,
  Dialog,
  ErrorNote,
  fieldErrors,
  FieldRow,
  Form,
  message,
  NumberField,
  Select,
  Switch,
} from '@headwater/web-kit'
import type { BackfillInput } from '../../contract/index.ts'
import { skippedDates } from './backfill-texts.ts'
import { useBackfillCalls, useDryRun } from './backfills-client.ts'
import styles from './Backfills.module.css'

const formId = 'backfill-form'

/**
 * Dialog that starts a backfill of the newest version of a pipeline. A dry run shows immediately which dates will run.
 */
export function BackfillDialog({
  pipelineId,
  onClose,
  onStarted,
}: {
  pipelineId: string
  onClose: () => void
  /** Called with the id of the started backfill. */
  onStarted: (id: string | null) => void
}) {
  const [draft, setDraft] = useState<BackfillInput>(() => ({
    from: '',
    to: '',
    weekdays: [1, 2, 3, 4, 5, 6, 7],
    order: 'OLDEST_FIRST',
    skipDone: true,
    maxParallel: 1,
    dryRun: false,
  }))
  const [isStarting, setStarting] = useState(false)
  const { start } = useBackfillCalls(pipelineId)
  const isComplete =
    draft.from !== '' && draft.to !== '' && draft.weekdays.length > 0 && isParallel(draft.maxParallel)
  const preview = useDryRun(pipelineId, isComplete ? draft : undefined)
  const errors = isComplete ? fieldErrors(preview.error) : {}
  const isKnown = isComplete && preview.error === null && !preview.isPlaceholderData
  const dates = isKnown ? preview.data?.dates : undefined
  const count = dates?.filter(({ reason }) => reason === null).length ?? 0
  const change = (part: Partial<BackfillInput>) => setDraft({ ...draft, ...part })
  async function submit() {
    if (count === 0) return
    setStarting(true)
    try {
      const id = await start(draft)
      message('The backfill has been started.')
      onStarted(id)
      onClose()
    } finally {
      setStarting(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      busy={isStarting}
      title="Backfill"
      width={520}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={isStarting} disabled={count === 0}>
            {count === 0 ? 'Start' : `Start ${countOf(count, 'run')}`}
          </Button>
        </>
      }
    >
      <Form id={formId} label="Backfill" onSubmit={submit}>
        <p className={styles.note}>
          Runs the newest version once for each date. Tasks refer to the date with{' '}
          <code>{'${trigger.date}'}</code>.
        </p>
        <FieldRow>
          <DateField
            label="First date"
            required
            value={draft.from}
            onChange={(from) => change({ from })}
            error={errors.from ?? null}
          />
          <DateField
            label="Last date"
            required
            value={draft.to}
            onChange={(to) => change({ to })}
            error={errors.to ?? null}
          />
        </FieldRow>
        <WeekdaysField
          label="Days of the week"
          value={draft.weekdays}
          onChange={(weekdays) => change({ weekdays })}
        />
        <FieldRow>
          <Select
            label="Order"
            value={draft.order}
            options={[
              { value: 'OLDEST_FIRST', label: 'Oldest date first' },
              { value: 'NEWEST_FIRST', label: 'Newest date first' },
            ]}
            onChange={(order) => change({ order: (order ?? 'OLDEST_FIRST') as BackfillInput['order'] })}
          />
          <NumberField
            label="Concurrent runs"
            required
            min={1}
            max={10}
            value={Number.isNaN(draft.maxParallel) ? undefined : draft.maxParallel}
            onChange={(maxParallel) => change({ maxParallel: maxParallel ?? Number.NaN })}
          />
        </FieldRow>
        <Switch
          label="Skip dates for which a run of an earlier backfill succeeded"
          hint="Dates are run again if their run ended with a warning or an error."
          checked={draft.skipDone}
          onChange={(skipDone) => change({ skipDone })}
        />
        {isComplete && preview.error !== null && Object.keys(errors).length === 0 ? (
          <ErrorNote error={preview.error} />
        ) : (
          <Preview dates={dates} isComplete={isComplete && preview.error === null} />
        )}
      </Form>
    </Dialog>
  )
}

/** The number of runs that will start, and the reasons why the other dates get none. */
function Preview({
  dates,
  isComplete,
}: {
  dates: readonly { date: string; reason: string | null }[] | undefined
  /** Whether the fields are complete, so that the dates are loading. */
  isComplete: boolean
}) {
  if (dates === undefined)
    return (
      <p className={styles.note} role="status">
        {isComplete
          ? 'Checking the dates…'
          : 'Choose the first and the last date to see which dates will run.'}
      </p>
    )
  const skipped = skippedDates(dates)
  const count = dates.length - skipped.reduce((sum, group) => sum + group.dates.length, 0)
  return (
    <section className={styles.preview} aria-label="Dry run">
      <p role="status">
        <b>{count === 0 ? 'No runs will start.' : `${countOf(count, 'run')} will start.`}</b>
        {skipped.length === 0 ? null : ` ${countOf(dates.length - count, 'date')} will be skipped:`}
      </p>
      {skipped.length === 0 ? null : <SkippedList skipped={skipped} />}
    </section>
  )
}

/** Dates without a run by reason. */
export function SkippedList({ skipped }: { skipped: ReturnType<typeof skippedDates> }) {
  return (
    <dl className={styles.skipped} aria-label="Skipped dates">
      {skipped.map(({ reason, dates }) => (
        <div key={reason}>
          <dt>{`${reason} (${dates.length})`}</dt>
          <dd>{dates.join(', ')}</dd>
        </div>
      ))}
    </dl>
  )
}

function isParallel(count: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= 10
}
