import { parseJson } from '@headwater/contract'
import { objectValue } from '@headwater/tasks/core'
import type { PipelineTask } from '../../contract/index.ts'
import { paramLabel } from '../param-label.ts'
import { valueText } from '../value-text.ts'

/** A value of a run, for display. */
export interface RunValue {
  /** Name under which it is stored. */
  name: string
  /** Stored value. */
  value: string
  /** The output and its task, such as `File of Check prices`; the stored name if no task of the pipeline provides it. */
  label: string
  /** Id of the task that provides it; undefined for values of the pipeline. */
  nodeId: string | undefined
  /** The value as users read it. */
  text: string
  /** Id of the file or data prep that the value names. */
  objectId: string | undefined
}

/** Returns the values of a run with the outputs of the tasks that provide them, in the order of the tasks. */
export function runValues(
  values: readonly { name: string; value: string }[],
  tasks: readonly PipelineTask[],
): RunValue[] {
  const outputs = tasks.flatMap((task) =>
    task.taskOverrides.params
      .filter(({ type }) => type === 'OUTPUT')
      .map(({ name, value }) => ({
        nodeId: task.id,
        reference: value,
        label: `${paramLabel(task, name)} of ${task.taskReadableName}`,
      })),
  )
  const orderOf = ({ name }: { name: string }) => {
    const index = outputs.findIndex(({ reference }) => reference === name)
    return index < 0 ? outputs.length : index
  }
  return values
    .map(({ name, value }) => {
      const output = outputs[orderOf({ name })]
      const object = objectValue.safeParse(parseJson(value)).data
      const isNamed = object?.name !== undefined && object.groupName !== undefined
      return {
        name,
        value,
        label: output?.label ?? name,
        nodeId: output?.nodeId,
        text: valueText(value),
        objectId: isNamed ? object.id : undefined,
      }
    })
    .toSorted((a, b) => orderOf(a) - orderOf(b))
}
