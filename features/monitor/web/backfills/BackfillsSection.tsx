import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useCan, useSession } from '@headwater/accounts/web'
import {
  Button,
  ConfirmDialog,
  countOf,
  ErrorNote,
  ErrorState,
  links,
  message,
  Progress,
  Skeleton,
  type SmallColumn,
  SmallTable,
  StatusBadge,
  statusOf,
  Time,
} from '@headwater/web-kit'
import type { Backfill } from '../../contract/index.ts'
import { progressText, skippedDates, statusOfBackfill } from './backfill-texts.ts'
import { SkippedList } from './BackfillDialog.tsx'
import { type BackfillDetails, useBackfill, useBackfillCalls, useBackfills } from './backfills-client.ts'
import styles from './Backfills.module.css'

const columns: readonly SmallColumn[] = [
  { header: 'Dates', width: 210 },
  { header: 'Status', width: 190 },
  { header: 'Progress' },
  { header: 'Started', width: 170 },
  { header: 'Actions', width: 90, hideHeader: true },
]

/**
 * Backfills of a pipeline with their progress; renders nothing without backfills. The URL contains the open backfill.
 */
export function BackfillsSection({ pipelineId, titleClass }: { pipelineId: string; titleClass?: string }) {
  const backfills = useBackfills(pipelineId)
  const [search, setSearch] = useSearchParams()
  const [cancelling, setCancelling] = useState<Backfill>()
  const { cancel } = useBackfillCalls(pipelineId)
  const open = search.get('backfill')
  const items = backfills.data?.items ?? []
  if (backfills.data === undefined && backfills.error !== null)
    return <ErrorState error={backfills.error} onRetry={() => void backfills.refetch()} />
  if (items.length === 0) return null
  function toggle(id: string) {
    const next = new URLSearchParams(search)
    if (open === id) next.delete('backfill')
    else next.set('backfill', id)
    setSearch(next, { replace: true })
  }
  return (
    <>
      <h2 className={titleClass}>Backfills</h2>
      <SmallTable label="Backfills" columns={columns} minWidth={780}>
        {items.map((backfill) => (
          <BackfillRow
            key={backfill.id}
            pipelineId={pipelineId}
            backfill={backfill}
            isOpen={open === backfill.id}
            onToggle={() => toggle(backfill.id)}
            onCancel={() => setCancelling(backfill)}
          />
        ))}
      </SmallTable>
      <ConfirmDialog
        open={cancelling !== undefined}
        onClose={() => setCancelling(undefined)}
        title="Cancel backfill"
        confirmLabel="Cancel backfill"
        cancelLabel="Keep it running"
        danger
        onConfirm={async () => {
          await cancel(cancelling!.id)
          message('The backfill has been cancelled.')
        }}
      >
        Its runs in progress stop, and no others start.
      </ConfirmDialog>
    </>
  )
}

function BackfillRow({
  pipelineId,
  backfill,
  isOpen,
  onToggle,
  onCancel,
}: {
  pipelineId: string
  backfill: Backfill
  isOpen: boolean
  onToggle: () => void
  onCancel: () => void
}) {
  const can = useCan()
  const { userName } = useSession()
  const { from, to, state, total, ended } = backfill
  const range = from === to ? from : `${from} – ${to}`
  const isOwn = backfill.userName === userName || can('Administrator')
  return (
    <>
      <tr data-open={isOpen || undefined}>
        <th scope="row">
          <button type="button" className={styles.range} aria-expanded={isOpen} onClick={onToggle}>
            {range}
          </button>
        </th>
        <td>
          <StatusBadge {...statusOfBackfill(backfill)} />
        </td>
        <td>
          <div className={styles.progress}>
            <Progress label={`Progress of ${range}`} value={total === 0 ? 1 : ended / total} />
            <span>{progressText(backfill)}</span>
          </div>
        </td>
        <td data-quiet>
          <Time value={backfill.createdAt} show="datetime" />
        </td>
        <td data-align="end">
          {state === 'RUNNING' && isOwn && can('Creator', 'RW', 'Science') ? (
            <Button size="small" aria-label={`Cancel the backfill of ${range}`} onClick={onCancel}>
              Cancel
            </Button>
          ) : null}
        </td>
      </tr>
      {isOpen ? (
        <tr data-details>
          <td colSpan={columns.length}>
            <Details pipelineId={pipelineId} backfill={backfill} />
          </td>
        </tr>
      ) : null}
    </>
  )
}

/** Runs of the dates of a backfill, and the dates without one. */
function Details({ pipelineId, backfill }: { pipelineId: string; backfill: Backfill }) {
  const details = useBackfill(pipelineId, backfill.id)
  if (details.error !== null && details.data === undefined) return <ErrorNote error={details.error} />
  if (details.data === undefined) return <Skeleton lines={2} />
  const { dates, message: reason } = details.data
  const skipped = skippedDates(dates)
  const runs = dates.filter((each) => each.reason === null)
  return (
    <div className={styles.body}>
      <p className={styles.note}>
        {`Version ${backfill.version}, started by ${backfill.userName}, at most ${countOf(backfill.maxParallel, 'concurrent run')}.`}
      </p>
      {reason === '' ? null : <p className={styles.problem}>{reason}</p>}
      <ul className={styles.dates} aria-label="Runs of the backfill">
        {runs.map((each) => (
          <li key={each.date}>
            <DateOfBackfill {...each} isRunning={details.data.state === 'RUNNING'} />
          </li>
        ))}
      </ul>
      {skipped.length === 0 ? null : <SkippedList skipped={skipped} />}
    </div>
  )
}

function DateOfBackfill({
  date,
  jobId,
  status,
  isRunning,
}: BackfillDetails['dates'][number] & { isRunning: boolean }) {
  if (jobId === null) {
    const icon = isRunning ? 'pending' : 'unexecuted'
    return (
      <span className={styles.date} data-status={icon}>
        <StatusBadge status={icon} text={isRunning ? 'Waiting' : 'No run'} iconOnly />
        {date}
      </span>
    )
  }
  const result = statusOf(status ?? 'RUNNING')
  return (
    <Link to={links.run(jobId)} className={styles.date}>
      <StatusBadge status={result} iconOnly />
      {date}
    </Link>
  )
}
