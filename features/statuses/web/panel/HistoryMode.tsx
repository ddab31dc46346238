import { Badge, Button, intervals, pageSizes, StatusBadge, Time, useInfiniteList } from '@headwater/web-kit'
import { searchStatuses, type Job, visibleStatus } from '../../contract/index.ts'
import { jobTitle } from '../job-texts.ts'
import { runMessage } from '../runs.ts'
import { JobList } from './JobList.tsx'
import type { PanelModes } from './panel-mode.ts'
import { PanelHeader } from './PanelHeader.tsx'
import styles from './StatusesPanel.module.css'

/** Earlier runs of the same pipeline or data prep, or earlier files of the same group. */
export function HistoryMode({
  job,
  modes,
  onClose,
}: {
  job: Job
  modes: PanelModes
  onClose?: (() => void) | undefined
}) {
  const { groupName } = job.payload
  const list = useInfiniteList(
    searchStatuses,
    { query: { type: job.type, name: job.name, ...(groupName === undefined ? {} : { groupName }) } },
    { intervalMs: intervals.statusMs, pageSize: pageSizes.history },
  )
  return (
    <>
      <PanelHeader onBack={modes.back} onClose={onClose}>
        <h2>{job.name}</h2>
      </PanelHeader>
      <JobList
        list={list}
        none="No runs yet."
        row={(run) => (
          <li key={run.jobId} className={styles.run}>
            <Time value={run.startTime} show="datetime" />
            <span className={styles.title} title={jobTitle(run)}>
              {jobTitle(run)}
            </span>
            {run.payload.fileType === 'NCSV' ? <Badge>NCSV</Badge> : <span />}
            <StatusBadge status={visibleStatus({ status: run.status, message: runMessage(run) })} />
            <Button
              size="small"
              onClick={() => modes.open({ mode: 'DETAILS', jobId: run.jobId, openedAtMs: Date.now() })}
            >
              Open
            </Button>
          </li>
        )}
      />
    </>
  )
}
