import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { IconButton, Progress, StatusBadge, Time } from '@headwater/web-kit'
import type { Job } from '../contract/index.ts'
import { isRunOver, runMessage } from './runs.ts'
import styles from './RunNote.module.css'

/** How the run stands, or how it ended, in one line: of what it says while it goes on the last, of its end the first. */
export function RunNote({ job, onClose }: { job: Job; onClose?: () => void }) {
  const over = isRunOver(job)
  const message = runMessage(job)
  const lines = message.split('\n')
  return (
    <section className={styles.note} aria-label="Run" aria-busy={!over}>
      <div className={styles.line}>
        <StatusBadge status={job.status} />
        <span className={styles.text} title={message} aria-live="polite">
          {over ? lines[0] : lines.at(-1)}
        </span>
        <span className={styles.time}>
          {job.version === undefined ? null : `v${job.version} · `}
          <Time value={job.startTime} show="datetime" />
        </span>
        {over && onClose !== undefined ? (
          <IconButton label="Hide the run" icon={<IconX size={15} stroke={1.6} />} onClick={onClose} />
        ) : null}
      </div>
      {over || job.status === 'PAUSED' ? null : <Progress label="The run is in progress" />}
    </section>
  )
}
