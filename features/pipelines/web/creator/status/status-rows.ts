import { isReference } from '@headwater/runs/contract'
import type { Job, StatusRow } from '@headwater/statuses/contract'
import { type Task, valueOf } from '@headwater/tasks/contract'
import { parseObjectValue } from '@headwater/tasks/core'
import { paramLabel } from '../../param-label.ts'
import type { TaskNode } from '../draft.ts'

/** Returns the statuses of a task in a run, the newest first, each with its warnings. */
export function statusRowsOf({ componentStatuses, warnStatuses }: Job, nodeId: string): StatusRow[] {
  return componentStatuses
    .filter(({ payload }) => payload.nodeId === nodeId)
    .toReversed()
    .map(({ eId, prevEId, status, startTime, endTime, message, component, payload }) => ({
      eId,
      ...(prevEId === undefined ? {} : { prevEId }),
      status,
      startTime,
      ...(endTime === undefined ? {} : { endTime }),
      message,
      component,
      payload,
      warnStatuses: warnStatuses.filter((warning) => warning.eId === eId),
    }))
}

/** A parameter of a task whose value names a file or data prep. */
export interface ObjectParam {
  /** Label of the parameter. */
  name: string
  /** Type of the object. */
  type: 'FILE' | 'DATA_PREP'
  /** Value: a reference to a value of the run, or the object. */
  value: string
}

/**
 * Returns the parameters of a task whose values name files or data preps, with the values of a run.
 * Expressions are excluded: their results are not stored.
 * @param referenceOf returns the reference that a link gives to an input
 */
export function objectParamsOf(
  { data }: TaskNode,
  task: Task | undefined,
  referenceOf: (input: string) => string | undefined,
): ObjectParam[] {
  return (task?.params ?? []).flatMap((param): ObjectParam[] => {
    const { name, type, valueType } = param
    if (valueType !== 'FILE' && valueType !== 'DATA_PREP') return []
    const own = data.taskOverrides.params.find((each) => each.name === name && each.type === type)
    if (own?.mode === 'expression') return []
    const linked = type === 'INPUT' ? referenceOf(name) : undefined
    return [
      { name: paramLabel(data, name), type: valueType, value: linked ?? (own?.value || valueOf(param)) },
    ]
  })
}

/** Returns the id of the object that a value names in a run; undefined if it names none. */
export function objectIdOf(
  value: string,
  values: readonly { name: string; value: string }[],
): string | undefined {
  const stored = isReference(value) ? values.find(({ name }) => name === value)?.value : value
  return parseObjectValue(stored ?? '')?.id
}
