import { type Task, valueOf } from '../../contract/index.ts'
import { type FormParam, TaskParamsForm } from '../params/TaskParamsForm.tsx'
import type { TaskDraft } from './task-draft.ts'
import styles from './TaskCreator.module.css'
import type { TaskRun } from './use-task-run.ts'

/**
 * Returns the inputs that each run can set. For a task that is being edited, these are only its own parameters, because the
 * page already has fields for the parameters of its kind.
 */
export function runInputsOf(draft: TaskDraft, readOnly: Task | undefined): FormParam[] {
  const params = readOnly?.params ?? draft.ownParams
  const inputs = params.filter(
    ({ type, valueType, name }) => type === 'INPUT' && valueType !== 'SCRIPT' && name.trim() !== '',
  )
  return inputs
    .filter(({ name }, index) => inputs.findIndex((other) => other.name === name) === index)
    .map((param) => ({ ...param, defaultValue: valueOf(param) }))
}

/** Fields for the inputs of the next run, and the reason why the last run did not start. */
export function RunInputs({
  inputs,
  run,
  groupName,
}: {
  inputs: readonly FormParam[]
  run: TaskRun
  groupName: string
}) {
  if (inputs.length === 0 && run.problem === undefined) return null
  return (
    <section className={styles.panel} aria-label="Inputs">
      <h2 className={styles.title}>Inputs</h2>
      {inputs.length === 0 ? null : (
        <p className={styles.note}>Values of the next run. They are not saved.</p>
      )}
      {run.problem === undefined ? null : (
        <p className={styles.error} role="alert">
          {run.problem}
        </p>
      )}
      <TaskParamsForm
        params={inputs}
        groupName={groupName}
        values={run.values}
        showMissing={run.problem !== undefined}
        onChange={run.setValues}
      />
    </section>
  )
}
