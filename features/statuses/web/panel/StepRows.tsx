import { useState } from 'react'
import { countOf } from '@headwater/contract'
import { Button, levelLabel, StatusBadge, Time } from '@headwater/web-kit'
import { type ComponentStatus, type StatusMessage, visibleStatus } from '../../contract/index.ts'
import { problemCounts, runTime } from '../job-texts.ts'
import { useStepMessages } from '../statuses-client.ts'
import styles from './StatusesPanel.module.css'

/** The row of a step and, below it, the messages that scripts sent for it. */
export function StepRows({ jobId, step, now }: { jobId: string; step: ComponentStatus; now: Date }) {
  const [showsAll, setShowsAll] = useState(false)
  const { messages = [], messageCount = 0 } = step
  const all = useStepMessages(jobId, step.eId, { enabled: showsAll, messageCount })
  const problems = problemCounts(step)
  return (
    <>
      <tr>
        <td>
          <Time value={step.startTime} show="time" />
        </td>
        <td>
          <StatusBadge status={visibleStatus(step)} />
        </td>
        <td>{runTime(step.startTime, step.endTime, now)}</td>
        <td>
          {step.component}
          {problems === '' ? null : <div className={styles.problems}>{problems}</div>}
        </td>
        <td className={styles.stepMessage}>{step.message}</td>
      </tr>
      {messageCount > messages.length && !showsAll ? (
        <tr className={styles.sent}>
          <td colSpan={5}>
            <Button size="small" onClick={() => setShowsAll(true)}>
              Show all {countOf(messageCount, 'message')}
            </Button>
          </td>
        </tr>
      ) : null}
      {(all.data ?? messages).map((message, index) => (
        <MessageRow key={index} message={message} />
      ))}
    </>
  )
}

function MessageRow({ message: { time, status, message } }: { message: StatusMessage }) {
  return (
    <tr className={styles.sent}>
      <td>
        <Time value={time} show="time" />
      </td>
      <td>
        <StatusBadge status={status} text={levelLabel(status)} />
      </td>
      <td colSpan={3} className={styles.stepMessage}>
        {message}
      </td>
    </tr>
  )
}
