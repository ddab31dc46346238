import type { ReactNode } from 'react'
import { StatusBadge, Time } from '@headwater/web-kit'
import { type Job, visibleStatus } from '../../contract/index.ts'
import { jobDetail, jobTitle } from '../job-texts.ts'
import { runMessage } from '../runs.ts'
import styles from './StatusesPanel.module.css'

/** One job in a list: icon, name, group, time, message. */
export function JobRow({ job, onOpen, extra }: { job: Job; onOpen: () => void; extra?: ReactNode }) {
  const title = jobTitle(job)
  return (
    <li className={styles.job}>
      <button type="button" onClick={onOpen}>
        <StatusBadge iconOnly status={visibleStatus({ status: job.status, message: runMessage(job) })} />
        <span className={styles.what}>
          <span className={styles.title} title={title}>
            {title}
          </span>
          <span className={styles.detail}>{jobDetail(job)}</span>
        </span>
        <span className={styles.time}>
          <Time value={job.startTime} show="compact" />
        </span>
        <span className={styles.message} title={job.latestStatus.message}>
          {job.latestStatus.message}
        </span>
      </button>
      {extra}
    </li>
  )
}
