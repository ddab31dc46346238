import { EmptyState, levelLabel, StatusBadge, Time } from '@headwater/web-kit'
import { jobStatuses, type ComponentStatus, visibleStatus } from '@headwater/statuses/contract'
import styles from './LogsScreen.module.css'

/** The step messages of a job without log lines, optionally of one component and level. */
export function StepMessages({
  steps,
  component,
  level,
}: {
  steps: readonly ComponentStatus[]
  component: string | undefined
  level: string | undefined
}) {
  const lines = steps.filter((step) => matchesFilter(step, component, level))
  return (
    <>
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
            {lines.map((step) => (
              <tr key={step.eId}>
                <td>
                  <Time value={step.endTime ?? step.startTime} show="datetime" />
                </td>
                <td>{step.component}</td>
                <td>
                  <StatusBadge status={visibleStatus(step)} text={levelLabel(visibleStatus(step))} />
                </td>
                <td className={styles.message}>{step.message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {lines.length === 0 ? <EmptyState title="No log entries" /> : null}
    </>
  )
}

function matchesFilter(
  step: ComponentStatus,
  component: string | undefined,
  level: string | undefined,
): boolean {
  const known = jobStatuses.find((status) => status === level?.toUpperCase())
  return (
    (component === undefined || step.component === component) &&
    (known === undefined || step.status === known)
  )
}
