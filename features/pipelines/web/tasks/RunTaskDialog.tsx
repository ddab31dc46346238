import { useState } from 'react'
import { useCan } from '@headwater/accounts/web'
import { isRunOver, RunNote, runMessage, useRun } from '@headwater/statuses/web'
import { valueOf, type Task } from '@headwater/tasks/contract'
import { builtInParamLabel } from '@headwater/tasks/core'
import { TaskParamsForm, TaskPicker } from '@headwater/tasks/web'
import {
  Button,
  Dialog,
  errorMessage,
  Form,
  FormActions,
  SubmitButton,
  TextLink,
  links,
  toastError,
} from '@headwater/web-kit'
import { usePipelineCalls } from '../pipelines-client.ts'
import styles from './RunTaskDialog.module.css'
import { startTask } from './start-task.ts'

/** Dialog that runs a single task: a form for its inputs, then the status and last message of the run. */
export default function RunTaskDialog({
  task: given,
  onClose,
}: {
  /** Task to run; null lets the user choose one. */
  task: Task | null
  onClose: () => void
}) {
  const [task, setTask] = useState(given)
  const [jobId, setJobId] = useState<string>()
  return (
    <Dialog
      open
      onClose={onClose}
      title={given === null ? 'Run a task' : `Run ${given.readableName}`}
      width={560}
    >
      <div className={styles.content}>
        {given === null ? (
          <TaskPicker
            required
            value={task}
            onChange={(chosen) => {
              setTask(chosen)
              setJobId(undefined)
            }}
          />
        ) : null}
        {task === null ? (
          <FormActions>
            <Button onClick={onClose}>Cancel</Button>
          </FormActions>
        ) : (
          <Inputs
            key={`${task.id} ${task.version}`}
            task={task}
            jobId={jobId}
            onStarted={setJobId}
            onClose={onClose}
          />
        )}
      </div>
    </Dialog>
  )
}

/** Returns the inputs of the form. Scripts are excluded: they cannot be set per run, and lists omit them. */
function inputsOf(task: Task) {
  return task.params.filter(({ type, valueType }) => type === 'INPUT' && valueType !== 'SCRIPT')
}

function Inputs({
  task,
  jobId,
  onStarted,
  onClose,
}: {
  task: Task
  jobId: string | undefined
  onStarted: (jobId: string) => void
  onClose: () => void
}) {
  const canSeeRuns = useCan()('Statuses')
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const run = useRun(canSeeRuns ? jobId : undefined)
  const isRunning =
    jobId !== undefined && canSeeRuns && !(run.data && isRunOver(run.data)) && run.error === null
  const inputs = inputsOf(task)

  async function start() {
    onStarted(await startTask(task, values))
  }
  return (
    <Form label="Inputs" onSubmit={start}>
      {inputs.length === 0 ? (
        <p className={styles.note}>This task has no inputs.</p>
      ) : (
        <TaskParamsForm
          params={inputs.map((param) => ({
            ...param,
            ...(task.groupName === '' ? { label: builtInParamLabel(param.name) } : {}),
            defaultValue: valueOf(param),
          }))}
          values={values}
          disabled={isRunning}
          onChange={(change) => setValues({ ...values, ...change })}
        />
      )}
      {jobId === undefined ? null : canSeeRuns ? (
        <Outcome key={jobId} jobId={jobId} />
      ) : (
        <p className={styles.note}>The task is running. You need access to Statuses to see the result.</p>
      )}
      <FormActions>
        <Button onClick={onClose}>{jobId === undefined ? 'Cancel' : 'Close'}</Button>
        {isRunning ? <StopButton jobId={jobId} /> : null}
        <SubmitButton busy={isRunning}>{jobId === undefined ? 'Run' : 'Run again'}</SubmitButton>
      </FormActions>
    </Form>
  )
}

/** Status of the run and last message of the task. */
function Outcome({ jobId }: { jobId: string }) {
  const { data: job, error } = useRun(jobId)
  if (error !== null) return <p className={styles.note}>{errorMessage(error)}</p>
  if (job === undefined || job === null) return <p className={styles.note}>The task is running.</p>
  const taskMessage = job.componentStatuses.at(-1)?.message ?? ''
  const output = taskMessage === '' && isRunOver(job) ? runMessage(job) : taskMessage
  return (
    <div className={styles.outcome}>
      <RunNote job={job} />
      {output !== '' ? (
        <section className={styles.output} aria-label="Output">
          <pre tabIndex={0}>{output}</pre>
        </section>
      ) : null}
      <TextLink href={links.logs(jobId)} newTab>
        Show log
      </TextLink>
    </div>
  )
}

function StopButton({ jobId }: { jobId: string }) {
  const canStop = useCan()('Creator', 'RW', 'Science')
  const calls = usePipelineCalls()
  const [busy, setBusy] = useState(false)
  if (!canStop) return null
  async function stop() {
    setBusy(true)
    try {
      await calls.stop(undefined, jobId)
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button busy={busy} onClick={() => void stop()}>
      Stop
    </Button>
  )
}
