import { formatUtcSeconds } from '@headwater/server-kit'
import { utcDate } from '@headwater/contract'
import { evaluateValueExpression, parseValueExpression, ValueError } from '@headwater/formula'
import { zoneOffsetMs } from '@headwater/zones'
import {
  expressionNames,
  isReference,
  referencesIn,
  triggerReference,
  triggerValueName,
} from '../contract/index.ts'
import type { RunsStore, StartedStep } from './runs-store.ts'
import type { StepKind } from './step-kinds.ts'
import { toStorable } from './storable-text.ts'

/** Stored data of a run that expressions can use. */
export type ExpressionFacts = Pick<RunsStore, 'createdAt' | 'leftOutReferences' | 'values'>

/**
 * Resolves the references and expressions in the inputs of a step; returns an error if one has no value. Kinds that resolve
 * references themselves receive them unchanged.
 */
export async function resolveInputs(
  runs: ExpressionFacts,
  step: StartedStep,
  kind: Pick<StepKind, 'readsReferences'>,
): Promise<Record<string, string> | Error> {
  const { task } = step
  const expressions = new Set(task.expressions)
  const inputs: Record<string, string> = {}
  for (const [name, value] of Object.entries(task.inputs)) {
    if (expressions.has(name)) continue
    const resolved = isReference(value) && !kind.readsReferences ? step.values[value] : value
    if (resolved === undefined)
      return new Error(
        triggerValueName(value) === undefined
          ? `No earlier task provided a value for “${name}”.`
          : `“${name}” refers to ${value}, but no trigger with this value started the run.`,
      )
    inputs[name] = resolved
  }
  if (expressions.size === 0) return inputs
  const values = new Map([...(await runs.values(step.runId)), ...Object.entries(step.unwritten)])
  const hasAll = [...expressions].every((name) =>
    referencesIn(task.inputs[name] ?? '').every((reference) => values.has(reference)),
  )
  const leftOut = hasAll ? new Set<string>() : await runs.leftOutReferences(step.runId)
  const facts = { step, values, leftOut, now: await runs.createdAt(step.runId), inputs }
  const evaluated: Record<string, string> = {}
  for (const name of expressions) {
    const result = resultOf(facts, task.inputs[name] ?? '')
    if (result instanceof Error)
      return new Error(`The expression of “${name}” has no result. ${result.message}`)
    evaluated[name] = toStorable(result)
  }
  return { ...inputs, ...evaluated }
}

interface Facts {
  step: StartedStep
  values: ReadonlyMap<string, string>
  /** References to outputs of tasks that a branch skipped. Their value is null. */
  leftOut: ReadonlySet<string>
  now: Date
  inputs: Readonly<Record<string, string>>
}

function resultOf(facts: Facts, text: string): string | Error {
  const { tree, fault } = parseValueExpression(text)
  if (fault !== undefined) return new Error(fault.message)
  try {
    return evaluateValueExpression(tree, {
      now: facts.now,
      zoneOffsetMs,
      valueOf: (name) => valueOf(facts, name),
      unknownName: (name) =>
        isReference(name)
          ? 'No earlier task provided a value that it uses.'
          : `There is no value “${name}”. ${expressionNames}`,
    })
  } catch (error) {
    if (error instanceof ValueError) return error
    throw error
  }
}

function valueOf({ step, values, leftOut, now, inputs }: Facts, name: string): string | null | undefined {
  if (isReference(name))
    return values.get(name) ?? (triggerValueName(name) === undefined && !leftOut.has(name) ? undefined : null)
  const [group, rest = ''] = split(name)
  if (group === 'trigger') return values.get(triggerReference(rest)) ?? null
  if (group === 'params') return Object.hasOwn(inputs, rest) ? inputs[rest] : undefined
  if (group !== 'run') return undefined
  switch (rest) {
    case 'id':
      return step.runId
    case 'name':
      return step.runName
    case 'group':
      return step.groupName
    case 'date':
      return utcDate(now)
    case 'time':
      return `${formatUtcSeconds(now)}Z`
    default:
      return undefined
  }
}

function split(name: string): [string, string?] {
  const dot = name.indexOf('.')
  return dot < 0 ? [name] : [name.slice(0, dot), name.slice(dot + 1)]
}
