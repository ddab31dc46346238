import type { Port } from '@headwater/canvas'
import { isReference } from '@headwater/runs/contract'
import {
  branches,
  branchTaskName,
  isPauseParam,
  type Task,
  type TaskParam,
  valueOf,
} from '@headwater/tasks/contract'
import { branchLabel, visibleParams } from '@headwater/tasks/core'
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
 * Returns the ports of a task: its outputs, and the inputs that links can provide. Inputs whose field is hidden have a port only if it
 * has a link. Tasks with many inputs show those that usually come from other tasks, and those with links.
 * @param task undefined while it is unknown; then only ports with links are returned
 * @param linked names of inputs and outputs with links
 */
export function portsOf(
  data: TaskData,
  task: Task | undefined,
  linked: { in: ReadonlySet<string>; out: ReadonlySet<string> },
): Port[] {
  const params = task?.params ?? []
  const withField = paramsWithField(params, data, linked.in)
  const inputs = params.filter(
    (param) => isLinkable(param) && (withField.has(param.name) || linked.in.has(param.name)),
  )
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

/** A link between two tasks: an output of one and an input of the other. */
interface PortPair {
  from: string
  to: string
}

/**
 * Returns the only link that fits between the outputs of a task and the inputs of another; undefined if there is none or
 * several.
 */
export function onlyLink(from: readonly Port[], to: readonly Port[]): PortPair | undefined {
  const isValue = ({ isOrder = false }: Port) => !isOrder
  const outputs = from.filter((port) => port.side === 'out' && isValue(port))
  const inputs = to.filter((port) => port.side === 'in' && isValue(port))
  const pairs = outputs.flatMap((output) =>
    inputs
      .filter((input) => accepts(output.type, input.type))
      .map((input): PortPair => ({ from: output.id, to: input.id })),
  )
  return pairs.length === 1 ? pairs[0] : undefined
}

/** Returns the names of the inputs with a field in the form of the task. */
function paramsWithField(
  params: readonly TaskParam[],
  { taskOverrides }: TaskData,
  linked: ReadonlySet<string>,
): ReadonlySet<string> {
  const given = new Map(
    taskOverrides.params.flatMap((param) => (param.type === 'INPUT' ? [[param.name, param]] : [])),
  )
  const inputs = params.filter(({ type }) => type === 'INPUT')
  return visibleParams(
    inputs.map((param) => {
      const { value = '', mode } = given.get(param.name) ?? {}
      const isUnknown = linked.has(param.name) || mode === 'expression' || isReference(value)
      return { ...param, value, defaultValue: valueOf(param), isUnknown }
    }),
  )
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
