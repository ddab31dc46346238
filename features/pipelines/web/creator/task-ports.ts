import type { Port } from '@headwater/canvas'
import { branches, branchTaskName, isPauseParam, type Task, type TaskParam } from '@headwater/tasks/contract'
import { branchLabel } from '@headwater/tasks/core'
import { cronTriggerName } from '../../contract/index.ts'
import { paramLabel } from '../param-label.ts'
import { orderPort, orderPortOf, type TaskData } from './draft.ts'

/** Maximum number of inputs that a node shows without links. */
const maxInputs = 8
const before: Port = { id: orderPort, side: 'in', label: 'Run after', type: 'order', isOrder: true }
const after: Port = { id: orderPort, side: 'out', label: 'Run before', type: 'order', isOrder: true }

/** Returns whether a value of one type can be given to an input of another. Text accepts every value. */
export function accepts(from: string, to: string): boolean {
  const isText = (type: string) => type === 'TEXT' || type === 'LONG_TEXT'
  return from === to || isText(from) || isText(to)
}

/**
 * Returns the ports of a task: its outputs, and the inputs that links can provide. Tasks with many inputs show those that usually
 * come from other tasks, and those with links.
 * @param task undefined while it is unknown; then the ports are those with links
 * @param linked names of inputs and outputs with links
 */
export function portsOf(
  data: TaskData,
  task: Task | undefined,
  linked: { in: ReadonlySet<string>; out: ReadonlySet<string> },
): Port[] {
  const params = task?.params ?? []
  const inputs = params.filter(isLinkable)
  const isFew = inputs.length <= maxInputs
  const visible = inputs.filter((param) => isFew || comesFromTasks(param) || linked.in.has(param.name))
  const outputs = params.filter(({ type }) => type === 'OUTPUT')
  const hasBranches = (task?.definitionName ?? data.taskName) === branchTaskName
  const ends = branches.filter((branch) => hasBranches || linked.out.has(orderPortOf(branch)))
  const portOf = ({ name, valueType }: TaskParam, side: 'in' | 'out'): Port => ({
    id: name,
    side,
    label: paramLabel(data, name),
    type: valueType,
  })
  const isTrigger = data.taskName === cronTriggerName
  const ports = [
    ...(isTrigger ? [] : visible.map((param) => portOf(param, 'in'))),
    ...ends.map((branch): Port => ({
      id: orderPortOf(branch),
      side: 'out',
      label: branchLabel(branch),
      type: 'order',
      isOrder: true,
      isNamed: true,
    })),
    ...outputs.map((param) => portOf(param, 'out')),
  ]
  // A link can have a parameter that the newest version of the task no longer has.
  const has = (side: 'in' | 'out', id: string) => ports.some((port) => port.side === side && port.id === id)
  const lost = (['in', 'out'] as const).flatMap((side) =>
    [...linked[side]]
      .filter((name) => name !== orderPort && !has(side, name))
      .map((name) => ({ name, side })),
  )
  return [
    ...(isTrigger ? [after] : [before, after]),
    ...ports,
    ...lost.map(({ name, side }): Port => ({ id: name, side, label: paramLabel(data, name), type: 'TEXT' })),
  ]
}

function isLinkable(param: TaskParam): boolean {
  return (
    param.type === 'INPUT' &&
    param.valueType !== 'SCRIPT' &&
    param.valueType !== 'SECRET' &&
    !isPauseParam(param)
  )
}

function comesFromTasks({ dynamic, valueType, optional, value, defaultValue }: TaskParam): boolean {
  const isFileLike = valueType === 'FILE' || valueType === 'DATA_PREP'
  return dynamic || isFileLike || (!optional && value === '' && defaultValue === '')
}
