import { formatUtcSeconds } from '@headwater/server-kit'
import {
  evaluateValueExpression,
  parseValueExpression,
  ValueError,
  type ParsedValueExpression,
} from '@headwater/formula'
import { zoneOffsetMs } from '@headwater/zones'
import { expressionNames, isReference } from '@headwater/runs/contract'
import type { Clock } from '@headwater/server-kit'
import type { ValueType } from '../contract/index.ts'
import { problemOfValue } from '../core/index.ts'

/** An expression of a parameter to evaluate outside a run. */
export interface CheckedExpression {
  /** Name of the parameter that the expression belongs to. */
  paramName: string
  /** Parameters of the task, which the expression can refer to, with their values. */
  params: readonly { name: string; value: string; valueType: ValueType }[]
  /** Text of the expression. */
  value: string
}

/** Result for the editor. */
export interface CheckResult {
  /** Value of the expression; `ERROR` if it is invalid; empty if the value is known only in a run. */
  response: string
  /** Message for the user; empty if there is a value. */
  message: string
}

const failed = (message: string): CheckResult => ({ response: 'ERROR', message })

/** Evaluates an expression for the editor, with the current time and without values of earlier tasks and triggers. */
export function checkExpression({ clock }: { clock: Clock }, given: CheckedExpression): CheckResult {
  const { paramName, params, value } = given
  const parsed = parseValueExpression(value)
  if (parsed.fault !== undefined) return failed(parsed.fault.message)
  const unknown = [...parsed.names].find((name) => !isKnownName(name))
  if (unknown !== undefined) return failed(`There is no value “${unknown}”. ${expressionNames}`)
  const inRun = [...parsed.names].filter((name) => isReference(name) || /^(trigger|run)\./.test(name))
  if (inRun.some((name) => name !== 'run.date' && name !== 'run.time'))
    return { response: '', message: 'The result is known when the pipeline runs.' }
  const result = evaluated(clock.now(), parsed, params)
  if (result instanceof ValueError) return failed(result.message)
  const type = params.find(({ name }) => name === paramName)?.valueType ?? 'TEXT'
  const problem = problemOfValue({ valueType: type }, result)
  return problem === undefined ? { response: result, message: '' } : { response: result, message: problem }
}

/** Returns an error message for an expression; undefined if a run can evaluate it. */
export function problemOfExpression(text: string): string | undefined {
  const { fault, names: used } = parseValueExpression(text)
  if (fault !== undefined) return fault.message
  const unknown = [...used].find((name) => !isKnownName(name))
  return unknown === undefined ? undefined : `There is no value “${unknown}”. ${expressionNames}`
}

function isKnownName(name: string): boolean {
  return isReference(name) || /^(run\.(id|name|group|date|time)|(trigger|params)\.[^.]+)$/.test(name)
}

function evaluated(
  now: Date,
  { tree }: Extract<ParsedValueExpression, { tree: object }>,
  params: CheckedExpression['params'],
): string | ValueError {
  const time = `${formatUtcSeconds(now)}Z`
  const known = new Map([
    ['run.date', time.slice(0, 10)],
    ['run.time', time],
    ...params.map(({ name, value }): [string, string] => [`params.${name}`, value]),
  ])
  try {
    return evaluateValueExpression(tree, {
      now,
      zoneOffsetMs,
      valueOf: (name) => known.get(name),
      unknownName: (name) => `The task has no parameter “${name.replace(/^params\./, '')}”.`,
    })
  } catch (error) {
    if (error instanceof ValueError) return error
    throw error
  }
}
