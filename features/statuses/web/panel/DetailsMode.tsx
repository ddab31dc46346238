import { useLocation } from 'react-router'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import { useCan } from '@headwater/accounts/web'
import {
  EmptyState,
  ErrorState,
  IconButton,
  links,
  routeNames,
  sameName,
  Skeleton,
  Time,
  useNow,
} from '@headwater/web-kit'
import type { Job } from '../../contract/index.ts'
import { CopyJobId } from '../CopyJobId.tsx'
import { jobAccess, jobHref, jobTitle, payloadRows, problemCounts } from '../job-texts.ts'
import { useJob } from '../statuses-client.ts'
import type { PanelModes } from './panel-mode.ts'
import { PanelHeader } from './PanelHeader.tsx'
import { StepRows } from './StepRows.tsx'
import styles from './StatusesPanel.module.css'

/** One job with its steps. */
export function DetailsMode({
  jobId,
  openedAtMs,
  modes,
  onClose,
}: {
  jobId: string
  openedAtMs: number
  modes: PanelModes
  onClose?: (() => void) | undefined
}) {
  const query = useJob(jobId, openedAtMs)
  return (
    <>
      <PanelHeader onBack={modes.back} onClose={onClose}>
        {query.data ? <DetailsHeader job={query.data} modes={modes} onClose={onClose} /> : null}
      </PanelHeader>
      {query.error ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.data === undefined && !query.error ? <Skeleton lines={6} /> : null}
      {query.data === null ? <EmptyState title="This job no longer exists" /> : null}
      {query.data ? <Steps job={query.data} /> : null}
    </>
  )
}

function DetailsHeader({
  job,
  modes,
  onClose,
}: {
  job: Job
  modes: PanelModes
  onClose?: (() => void) | undefined
}) {
  const insideLake = sameName(useLocation().pathname.split('/')[1], routeNames.lake)
  const can = useCan()
  const { resource, mode, parent } = jobAccess[job.type]
  const href = can(resource, mode, parent) ? jobHref(job, insideLake) : undefined
  return (
    <>
      <span className={styles.detail}>
        <Time value={job.startTime} show="datetime" />
      </span>
      <h2 title={jobTitle(job)}>
        {jobTitle(job)}
        {job.version === undefined ? '' : ` v.${job.version}`}
      </h2>
      <span className={styles.icons}>
        <IconButton
          label="Last runs"
          icon={<IconHistory size={18} stroke={1.6} />}
          onClick={() => modes.open({ mode: 'HISTORY', job })}
        />
        <CopyJobId jobId={job.jobId} size={18} />
        <IconButton
          label="Open logs"
          icon={<IconFileText size={18} stroke={1.6} />}
          onClick={() => window.open(links.logs(job.jobId), '_blank', 'noopener')}
        />
        {href === undefined ? null : (
          <IconButton
            label="Open"
            icon={<IconExternalLink size={18} stroke={1.6} />}
            href={href}
            onClick={onClose}
          />
        )}
      </span>
    </>
  )
}

function Steps({ job }: { job: Job }) {
  const now = useNow(1000)
  const problems = problemCounts(job)
  return (
    <>
      {problems === '' ? null : <p className={styles.problems}>{problems}</p>}
      <dl className={styles.payload}>
        {payloadRows(job.payload).map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.scroll}>
        <table className={styles.steps}>
          <thead>
            <tr>
              <th scope="col">Start time</th>
              <th scope="col">Status</th>
              <th scope="col">Run time</th>
              <th scope="col">Execution</th>
              <th scope="col">Message</th>
            </tr>
          </thead>
          <tbody>
            {job.componentStatuses.map((step) => (
              <StepRows key={step.eId} jobId={job.jobId} step={step} now={now} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
