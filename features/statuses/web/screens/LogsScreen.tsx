import { useState } from 'react'
import { useParams } from 'react-router'
import { EmptyState, ErrorState, Page, Skeleton, StatusBadge, Time } from '@headwater/web-kit'
import { jobStatuses, type ComponentStatus } from '../../contract/index.ts'
import { jobDetail, jobTitle } from '../job-texts.ts'
import { useJob } from '../statuses-client.ts'
import styles from './LogsScreen.module.css'

/** The log of a job: the messages of its steps, optionally of one component and level. */
export default function LogsScreen() {
  const { jobId = '', component, level } = useParams()
  const [openedAtMs] = useState(() => Date.now())
  const query = useJob(jobId, openedAtMs)
  const lines = query.data?.componentStatuses.filter((step) => isWanted(step, component, level))
  return (
    <Page>
      {query.error ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.data === undefined && !query.error ? <Skeleton lines={8} /> : null}
      {query.data === null ? (
        <EmptyState title="Job not found">
          It may have been deleted, or it is in a group you cannot read.
        </EmptyState>
      ) : null}
      {query.data ? (
        <>
          <header className={styles.header}>
            <h1>{jobTitle(query.data)}</h1>
            <StatusBadge status={query.data.status} />
            <span>{jobDetail(query.data)}</span>
            <code>{jobId}</code>
          </header>
          <div className={styles.scroll}>
            <table className={styles.log}>
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  <th scope="col">Component</th>
                  <th scope="col">Level</th>
                  <th scope="col">Message</th>
                </tr>
              </thead>
              <tbody>
                {lines?.map((step) => (
                  <tr key={step.eId}>
                    <td>
                      <Time value={step.endTime ?? step.startTime} show="datetime" />
                    </td>
                    <td>{step.component}</td>
                    <td>
                      <StatusBadge
                        status={step.status}
                        {...(step.status === 'INFO' ? { text: 'Info' } : {})}
                      />
                    </td>
                    <td className={styles.message}>{step.message}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {lines?.length === 0 ? <EmptyState title="No log entries" /> : null}
        </>
      ) : null}
    </Page>
  )
}

function isWanted(step: ComponentStatus, component: string | undefined, level: string | undefined): boolean {
  const known = jobStatuses.find((status) => status === level?.toUpperCase())
  return (
    (component === undefined || step.component === component) &&
    (known === undefined || step.status === known)
  )
}
