import { parseJson } from '@headwater/contract'
import { isReference } from '@headwater/runs/contract'
import { type TaskParam, valueOf } from '../../contract/index.ts'
import type { TaskDraft } from './task-draft.ts'

/** Input values of a test run by name. */
export type Sample = Readonly<Record<string, unknown>>

/** Maximum length of a sample, in characters. It is checked before the sample is parsed. */
const maxSampleLength = 1_000_000

/** Returns the inputs that the sample of a task sets. */
export function sampledParams({ kindParams, ownParams }: TaskDraft): TaskParam[] {
  return [...kindParams, ...ownParams].filter(
    ({ name, type, valueType }) => type === 'INPUT' && valueType !== 'SCRIPT' && name.trim() !== '',
  )
}

/**
 * Returns the sample of a task as JSON: its own values by type, or the values of a run. Inputs without a value are null, to
 * show that they need one unless they are optional.
 * @param values values of a run by name. Default: none.
 */
export function sampleTextOf(draft: TaskDraft, values: Readonly<Record<string, string>> = {}): string {
  const entries = sampledParams(draft).map((param): [string, unknown] => {
    const isKnown = param.mode !== 'expression' && !isReference(valueOf(param))
    return [param.name, typed(param, values[param.name] ?? (isKnown ? valueOf(param) : ''))]
  })
  return JSON.stringify(Object.fromEntries(entries), null, 2)
}

/** Parses a sample; returns an error message if it is invalid. */
export function parseSample(text: string): Sample | string {
  if (text.length > maxSampleLength)
    return `The sample has ${text.length.toLocaleString('en')} characters; at most ${maxSampleLength.toLocaleString('en')} are allowed.`
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Sample
    return 'Enter a JSON object with the input values by name.'
  } catch (error) {
    return `The sample is not valid JSON: ${(error as Error).message}`
  }
}

/** Returns a value as JSON of its type; null for no value. */
function typed({ valueType }: TaskParam, value: string): unknown {
  if (value === '') return null
  const isJson = valueType === 'NUMBER' || valueType === 'JSON' || valueType === 'LIST'
  if (valueType === 'BOOLEAN') return value.trim().toLowerCase() === 'true'
  return isJson ? (parseJson(value) ?? value) : value
}
