import { CronError, describeCron } from '@headwater/cron'
import { isReference } from '@headwater/runs/contract'
import { valueOf, type TaskParam } from '../contract/index.ts'
import { problemOfExpression } from './check-expression.ts'
import { findOperator, operatorSpellings, problemOfValue, visibleParams } from '../core/index.ts'

/** Returns an error message for invalid parameters: an unknown operator, or a value that does not match its type. */
export function problemOfParams(params: readonly TaskParam[]): string | undefined {
  for (const { name, condition } of params)
    if (condition !== undefined && findOperator(condition.operator) === undefined)
      return `“${condition.operator}” in the condition of “${name}” is not an operator. Use one of ${operatorNames}.`
  const visible = visibleInputs(params)
  for (const param of params) {
    const value = valueOf(param)
    if (!visible.has(param.name) || isReference(value)) continue
    const problem =
      param.mode === 'expression' && value !== ''
        ? problemOfMode(param, value)
        : problemOfServerValue(param, value)
    if (problem !== undefined) return `“${param.name}”: ${problem}`
  }
  return undefined
}

/** Returns the names of the visible inputs. Hidden inputs need no value. */
export function visibleInputs(params: readonly TaskParam[]): ReadonlySet<string> {
  const inputs = params.filter(({ type }) => type === 'INPUT')
  return visibleParams(
    inputs.map((param) => ({
      ...param,
      isUnknown: param.mode === 'expression' || isReference(valueOf(param)),
    })),
  )
}

/**
 * Returns an error message for an invalid expression, or for a parameter that cannot be an expression: a script or the name of
 * a secret.
 */
function problemOfMode({ valueType }: Pick<TaskParam, 'valueType'>, value: string): string | undefined {
  if (valueType === 'SCRIPT' || valueType === 'SECRET')
    return 'This value cannot be an expression. Enter a fixed value.'
  return problemOfExpression(value)
}

const operatorNames = Object.values(operatorSpellings)
  .map(([first]) => first)
  .join(', ')

function problemOfServerValue(param: TaskParam, value: string): string | undefined {
  if (param.valueType !== 'CRON' || value.trim() === '') return problemOfValue(param, value)
  try {
    describeCron(value)
    return undefined
  } catch (error) {
    if (error instanceof CronError) return error.message
    throw error
  }
}
