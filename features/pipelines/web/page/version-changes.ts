import { isReference } from '@headwater/runs/contract'
import type { PipelineTask } from '../../contract/index.ts'
import { type ComparedField, type ComparedPipeline, pipelineFields, taskFields } from '../../core/index.ts'
import { paramLabel } from '../param-label.ts'
import { type TaskLine, taskLines } from './task-lines.ts'

/** A setting that differs between two versions of a pipeline. */
export interface SettingChange {
  /** Label of the setting, after the name of its task. */
  label: string
  /** Earlier value as text; undefined if there was none. */
  before: string | undefined
  /** Later value as text; undefined if there is none. */
  after: string | undefined
}

/** Returns the settings in which two versions of a pipeline differ. Tasks correspond by id; the order of tasks is ignored. */
export function versionChanges(before: ComparedPipeline, after: ComparedPipeline): SettingChange[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  const ids = [...new Set([...now.keys(), ...old.keys()])]
  return [
    ...fieldChanges(pipelineFields, { before, after }, (id) => id).map((change) => ({
      ...change,
      label: `Pipeline · ${change.label}`,
    })),
    ...ids.flatMap((id) => taskChanges(old, now, id)),
  ]
}

type Lines = ReadonlyMap<string, TaskLine>

function linesOf({ tasks }: ComparedPipeline): Lines {
  return new Map(taskLines(tasks).lines.map((line) => [line.task.id, line]))
}

function taskChanges(old: Lines, now: Lines, id: string): SettingChange[] {
  const [before, after] = [old.get(id), now.get(id)]
  const name = (after ?? before)!.task.taskReadableName
  if (before === undefined) return [{ label: name, before: undefined, after: 'Task added' }]
  if (after === undefined) return [{ label: name, before: undefined, after: 'Task removed' }]
  const nameOf = (other: string) => (now.get(other) ?? old.get(other))?.task.taskReadableName ?? other
  const [was, is] = [paramsOf(before), paramsOf(after)]
  const params = [...new Set([...is.keys(), ...was.keys()])]
  return [
    ...fieldChanges(taskFields, { before: before.task, after: after.task }, nameOf),
    ...params
      .map((label) => ({ label, before: was.get(label), after: is.get(label) }))
      .filter((change) => change.before !== change.after),
  ].map((change) => ({ ...change, label: `${name} · ${change.label}` }))
}

function fieldChanges<Compared>(
  fields: readonly ComparedField<Compared>[],
  { before, after }: { before: Compared; after: Compared },
  nameOf: (taskId: string) => string,
): SettingChange[] {
  return fields.flatMap(({ label, read, text }) => {
    if (JSON.stringify(read(before)) === JSON.stringify(read(after))) return []
    const [was, is] = [text(before, nameOf), text(after, nameOf)]
    return { label, before: was, after: was === undefined && is === undefined ? 'changed' : is }
  })
}

/** Returns the values of a task by label: inputs as text, and outputs without a link. The other end describes each link. */
function paramsOf({ task, inputs }: TaskLine): Map<string, string> {
  const outputs = task.taskOverrides.params.filter(
    ({ type, value }) => type === 'OUTPUT' && !isReference(value),
  )
  return new Map([
    ...inputs.map(({ name, text }) => [name, text] as const),
    ...outputs.map((output) => [outputLabel(task, output), output.value] as const),
  ])
}

function outputLabel(task: PipelineTask, { name }: { name: string }): string {
  return `output ${paramLabel(task, name)}`
}
