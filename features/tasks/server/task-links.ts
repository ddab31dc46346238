import type { ItemLink } from '@headwater/items/server'
import { valueOf, type TaskParam } from '../contract/index.ts'
import { parseObjectValue } from '../core/index.ts'

/** Returns the objects that a task refers to: its documentation, and the groups, files and data preps in its inputs. */
export function linksOfTask({
  markdownId,
  params,
}: {
  markdownId?: string | null | undefined
  params: readonly TaskParam[]
}): ItemLink[] {
  const documentation: ItemLink[] = markdownId ? [{ type: 'file', target: markdownId }] : []
  return [...documentation, ...params.flatMap(linksOfParam)]
}

/**
 * Returns the objects that an input refers to; none for expressions and references, because their values are known only in a
 * run.
 */
export function linksOfParam(param: TaskParam): ItemLink[] {
  const value = valueOf(param).trim()
  if (param.type !== 'INPUT' || param.mode === 'expression' || value.startsWith('${')) return []
  const object = parseObjectValue(value)
  if (object === undefined) return []
  if (param.valueType === 'GROUP') return [{ type: 'group', target: object.groupName ?? value }]
  if (param.valueType !== 'FILE' && param.valueType !== 'DATA_PREP') return []
  const type = param.valueType === 'FILE' ? 'file' : 'data-prep'
  const own: ItemLink[] = [{ type, target: object.id }]
  return object.groupName ? [...own, { type: 'group', target: object.groupName }] : own
}
