import type { ReactNode } from 'react'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { IconButton, Progress, StatusBadge, Time } from '@headwater/web-kit'
import { type Job, visibleStatus } from '../contract/index.ts'
import { isRunOver, runMessage } from './runs.ts'
import styles from './RunNote.module.css'

/**
 * The status of a run in one line: the last line of its message while it runs, the first line after it has ended.
 * @param props.actions buttons while it runs
 */
export function RunNote({ job, actions, onClose }: { job: Job; actions?: ReactNode; onClose?: () => void }) {
  const hasEnded = isRunOver(job)
  const message = runMessage(job)
  const lines = message.split('\n')
  return (
    <section className={styles.note} aria-label="Run" aria-busy={!hasEnded}>
      <div className={styles.line}>
        <StatusBadge status={visibleStatus({ status: job.status, message })} />
        <span className={styles.text} title={message} aria-live="polite">
          {hasEnded ? lines[0] : lines.at(-1)}
        </span>
        <span className={styles.time}>
          {job.version === undefined ? null : `v${job.version} · `}
          <Time value={job.startTime} show="datetime" />
        </span>
        {hasEnded ? null : actions}
        {hasEnded && onClose !== undefined ? (
          <IconButton label="Hide the run" icon={<IconX size={15} stroke={1.6} />} onClick={onClose} />
        ) : null}
      </div>
      {hasEnded || job.status === 'PAUSED' ? null : <Progress label="The run is in progress" />}
    </section>
  )
}
