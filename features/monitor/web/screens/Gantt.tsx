import { waitsForUnableText } from '@headwater/approvals/contract'
import { EditFileButton, StoredObjects } from '@headwater/pipelines/web'
import { visibleStatus } from '@headwater/statuses/contract'
import { runTime } from '@headwater/statuses/web'
import { useBuiltInNames } from '@headwater/tasks/web'
import { Button, links, StatusBadge, statuses, statusLabel, statusOf, Time, useNow } from '@headwater/web-kit'
import type { ListedRun, RunStep } from '../../contract/index.ts'
import { hasEnded } from '../monitor-client.ts'
import { type GanttBar, ganttBars, ganttPeriod, type GanttPeriod } from './gantt.ts'
import styles from './Monitor.module.css'

/** Actions of the user on a step; undefined if it is not possible now. */
export interface StepActions {
  /** Approves or declines a paused step. */
  onDecide: ((step: RunStep, isApproved: boolean) => void) | undefined
  /** Called after a step was decided with an edited file. */
  onEdited: () => void
  /** Executes a step again, with all steps after it. */
  onRepeat: ((step: RunStep) => void) | undefined
}

/** Steps of a run with their attempts as bars over the time of the run. A step opens below its row. */
export function Gantt({
  run,
  steps,
  selected,
  onSelect,
  actions,
}: {
  run: ListedRun
  steps: readonly RunStep[]
  /** Id of the open step. */
  selected: string | undefined
  onSelect: (nodeId: string | undefined) => void
  actions: StepActions
}) {
  const now = useNow(1000)
  const period = ganttPeriod(run, steps, now.getTime())
  return (
    <div className={styles.scroll}>
      <table className={styles.gantt} aria-label="Steps">
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">Status</th>
            <th scope="col" className={styles.end}>
              Run time
            </th>
            <th scope="col" className={styles.chart}>
              <span className={styles.axis}>
                <Time value={new Date(period.startMs)} show="time" />
                <span>Attempts</span>
                <Time value={new Date(period.endMs)} show="time" />
              </span>
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <StepRow
              key={step.eId}
              run={run}
              step={step}
              period={period}
              now={now}
              isOpen={selected === step.nodeId}
              onToggle={() => onSelect(selected === step.nodeId ? undefined : step.nodeId)}
              actions={actions}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function StepRow({
  run,
  step,
  period,
  now,
  isOpen,
  onToggle,
  actions,
}: {
  run: ListedRun
  step: RunStep
  period: GanttPeriod
  now: Date
  isOpen: boolean
  onToggle: () => void
  actions: StepActions
}) {
  return (
    <>
      <tr data-open={isOpen || undefined}>
        <th scope="row">
          <button
            type="button"
            className={styles.step}
            aria-expanded={isOpen}
            onClick={onToggle}
            title={step.name}
          >
            {step.name}
          </button>
        </th>
        <td>
          <StatusBadge status={visibleStatus(step)} />
        </td>
        <td className={styles.end}>
          {step.startTime === null ? '—' : runTime(step.startTime, step.endTime ?? undefined, now)}
        </td>
        <td className={styles.chart}>
          <div className={styles.track}>
            {ganttBars(step, period).map((bar) => (
              <Bar key={bar.attempt} bar={bar} now={now} />
            ))}
          </div>
        </td>
      </tr>
      {isOpen ? (
        <tr className={styles.details}>
          <td colSpan={4}>
            <StepDetails run={run} step={step} now={now} actions={actions} />
          </td>
        </tr>
      ) : null}
    </>
  )
}

function Bar({ bar: { attempt, status, left, width, startMs, endMs }, now }: { bar: GanttBar; now: Date }) {
  const label = `Attempt ${attempt}: ${statusLabel(status)}, ${runTime(isoOf(startMs), isoOf(endMs), now)}`
  return (
    <span
      role="img"
      className={styles.bar}
      data-status={statusOf(status)}
      style={{ left: `${left}%`, width: `${width}%`, color: statuses[statusOf(status)].color }}
      aria-label={label}
      title={label}
    />
  )
}

function StepDetails({
  run,
  step,
  now,
  actions,
}: {
  run: ListedRun
  step: RunStep
  now: Date
  actions: StepActions
}) {
  const { jobId, pipelineId, version } = run
  const { onDecide, onEdited, onRepeat } = actions
  const builtInName = useBuiltInNames()
  return (
    <div className={styles.stepDetails}>
      <p className={styles.note}>
        {builtInName(step.taskName)}
        {step.startTime === null ? null : (
          <>
            {' · '}
            <Time value={step.startTime} show="datetime" />
          </>
        )}
      </p>
      {step.message === '' ? null : (
        <pre className={styles.message} {...(step.message.length > 200 ? { tabIndex: 0 } : {})}>
          {step.message}
        </pre>
      )}
      {step.openApprovers.length === 0 ? null : (
        <p className={styles.note}>Waiting for approval by {step.openApprovers.join(', ')}.</p>
      )}
      {step.unableApprovers.length === 0 ? null : (
        <p className={styles.note}>{waitsForUnableText(step.unableApprovers)}</p>
      )}
      {pipelineId === null || step.startTime === null ? null : (
        <StoredObjects
          pipelineId={pipelineId}
          version={version}
          jobId={jobId}
          isRunning={!hasEnded(run)}
          nodeId={step.nodeId}
        />
      )}
      {step.attempts.length < 2 ? null : (
        <ol className={styles.attempts} aria-label="Attempts">
          {step.attempts.map(({ attempt, status, startTime, endTime, message }) => (
            <li key={attempt}>
              <StatusBadge status={status === null ? 'lost' : visibleStatus({ status, message })} />
              <Time value={startTime} show="datetime" />
              <span>{endTime === null ? '—' : runTime(startTime, endTime, now)}</span>
              <span className={styles.line} title={message}>
                {message.split('\n')[0]}
              </span>
            </li>
          ))}
        </ol>
      )}
      {step.decisions.length === 0 ? null : (
        <ul className={styles.attempts} aria-label="Decisions">
          {step.decisions.map(({ time, isApproved, userName }) => (
            <li key={time}>
              <span>{isApproved ? 'Approved' : 'Declined'}</span>
              <Time value={time} show="datetime" />
              <span>{userName ?? 'Deleted user'}</span>
            </li>
          ))}
        </ul>
      )}
      <div className={styles.buttons}>
        {step.status === 'PAUSED' && step.isApproval && (step.canDecide || onDecide !== undefined) ? (
          <Button size="small" href={links.approval(jobId, step.nodeId)}>
            Open approval
          </Button>
        ) : null}
        {step.status === 'PAUSED' && onDecide !== undefined && (step.canDecide || !step.isApproval) ? (
          <>
            <Button size="small" aria-label={`Approve ${step.name}`} onClick={() => onDecide(step, true)}>
              Approve
            </Button>
            <Button size="small" aria-label={`Decline ${step.name}`} onClick={() => onDecide(step, false)}>
              Decline
            </Button>
            {pipelineId === null ? null : (
              <EditFileButton
                task={{ pipelineId, jobId, nodeId: step.nodeId, name: step.name, params: [] }}
                onDone={onEdited}
              />
            )}
          </>
        ) : null}
        {onRepeat !== undefined && step.status !== 'UNEXECUTED' ? (
          <Button size="small" aria-label={`Rerun from here: ${step.name}`} onClick={() => onRepeat(step)}>
            Rerun from here
          </Button>
        ) : null}
      </div>
    </div>
  )
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, -1)
}
