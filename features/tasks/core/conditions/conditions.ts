import { valueOf, type ParamCondition, type TaskParam } from '../../contract/index.ts'
import { listOf } from '../value-types.ts'
import { findOperator, type ConditionOperator } from './operators.ts'

/** Fields of a parameter that determine which parameters are visible. */
export type ConditionedParam = Pick<TaskParam, 'name' | 'value' | 'defaultValue'> &
  Partial<Pick<TaskParam, 'valueType' | 'condition'>> & {
    /** Whether the value is unknown before the run because another task or an expression provides it. Default false. */
    isUnknown?: boolean
  }

/**
 * Returns the names of the visible parameters. A parameter is hidden if its condition is not met or the parameter in the
 * condition is missing or hidden. While a value is unknown, the parameters that depend on it are visible.
 */
export function visibleParams(params: readonly ConditionedParam[]): ReadonlySet<string> {
  const byName = new Map(params.map((param) => [param.name, param]))
  const known = new Map<string, boolean>()

  function isVisible(param: ConditionedParam): boolean {
    const { name, condition } = param
    if (condition === undefined || condition === null) return true
    const earlier = known.get(name)
    if (earlier !== undefined) return earlier
    // In a cycle of conditions no parameter becomes visible.
    known.set(name, false)
    const named = byName.get(condition.paramName)
    const visible =
      named !== undefined &&
      isVisible(named) &&
      (named.isUnknown === true || meetsCondition(named, condition))
    known.set(name, visible)
    return visible
  }

  return new Set(params.filter(isVisible).map(({ name }) => name))
}

/** Returns whether a parameter meets a condition. A condition with an unknown operator is never met. */
export function meetsCondition(param: ConditionedParam, { operator, value }: ParamCondition): boolean {
  const known = findOperator(operator)
  if (known === undefined) return false
  const actual = valueOf(param).trim()
  switch (known) {
    case 'isNull':
      return actual === ''
    case 'notNull':
      return actual !== ''
    case 'oneOf':
      return value.split(',').some((item) => item.trim() !== '' && compared(actual, item) === 0)
    case 'includes':
      return includes(param, actual, value)
    case 'notIncludes':
      return !includes(param, actual, value)
    default:
      return holds(known, compared(actual, value))
  }
}

type Comparison = Exclude<ConditionOperator, 'isNull' | 'notNull' | 'oneOf' | 'includes' | 'notIncludes'>

function holds(operator: Comparison, order: number | undefined): boolean {
  switch (operator) {
    case 'equals':
      return order === 0
    case 'notEquals':
      return order !== 0
    case 'greater':
      return order !== undefined && order > 0
    case 'greaterOrEqual':
      return order !== undefined && order >= 0
    case 'less':
      return order !== undefined && order < 0
    case 'lessOrEqual':
      return order !== undefined && order <= 0
  }
}

/**
 * Returns the order of two values, negative if the first one is smaller. Numbers are compared as numbers, other strings in
 * lower case, so that dates such as 2026-01-31 are in chronological order. Undefined if exactly one value is empty; then
 * neither is smaller.
 */
function compared(left: string, right: string): number | undefined {
  const [a, b] = [left.trim().toLowerCase(), right.trim().toLowerCase()]
  if (a === b) return 0
  if (a === '' || b === '') return undefined
  const [first, second] = [Number(a), Number(b)]
  if (!Number.isNaN(first) && !Number.isNaN(second)) return first - second
  return a < b ? -1 : 1
}

/** Returns whether a list includes an item, or a string includes a substring. */
function includes({ valueType }: ConditionedParam, actual: string, value: string): boolean {
  const wanted = value.trim().toLowerCase()
  if (wanted === '') return false
  if (valueType === 'LIST' || valueType === 'ADDRESSES')
    return listOf(actual).some((item) => item.toLowerCase() === wanted)
  return actual.toLowerCase().includes(wanted)
}
