import { parseJson } from '@headwater/contract'
import { isReference } from '@headwater/runs/contract'
import { objectValue } from '@headwater/tasks/core'

/** Fields of a parameter of a task that can refer to a file. */
export interface FileParam {
  /** Value, or a reference to a value of the run. */
  value: string
  /** Mode of the value. Results of expressions are not stored. */
  mode?: string | undefined
}

/**
 * Returns the ids of the objects that the inputs of a task name in a run, then the ids in the other values of the run,
 * without duplicates. They can be files or other objects, such as data preps.
 */
export function objectIdsOf(
  params: readonly FileParam[],
  values: readonly { name: string; value: string }[],
): string[] {
  const own = params
    .filter(({ mode }) => mode !== 'expression')
    .map(({ value }) =>
      isReference(value) ? (values.find(({ name }) => name === value)?.value ?? '') : value,
    )
  const ids = [...own, ...values.map(({ value }) => value)].flatMap((value) => {
    const { data } = objectValue.safeParse(parseJson(value))
    return data?.name === undefined || data.groupName === undefined ? [] : [data.id]
  })
  return [...new Set(ids)]
}
