import { isDeepStrictEqual } from 'node:util'
import { publicErrorCodes, publishingErrors, type AllowedParameter } from '../contract/index.ts'
import { type AppliedSet, anyValue, fieldsOf, initialValues } from '@headwater/tile-data/core'

/** Choices of visitors of a public view, besides the initial values of the insight. */
export interface Allowed {
  /** Parameters that visitors can set. */
  parameters: readonly AllowedParameter[]
  /** Whether visitors can choose the date range. */
  dates: boolean
}

/**
 * Returns whether a link allows a visitor to set a parameter to a value.
 * @param isWild whether a `*` in the value is a wildcard
 */
export function isAllowed(name: string, value: string, isWild: boolean, { parameters }: Allowed): boolean {
  return parameters.some(
    (parameter) =>
      parameter.name.toLowerCase() === name.toLowerCase() &&
      (parameter.values.includes(anyValue.value) || (!isWild && parameter.values.includes(value))),
  )
}

/** Returns the allowed values of a parameter, by name, regardless of case; undefined if the link does not allow it. */
export function allowedParameter({ parameters }: Allowed, name: string): AllowedParameter | undefined {
  return parameters.find((parameter) => parameter.name.toLowerCase() === name.toLowerCase())
}

/**
 * Throws unless the link allows each value that differs from the initial one. A cleared field means the value of the
 * tile, or all metadata, and therefore needs a link that allows any value. Date fields, and columns that change no
 * query, only filter rows of files.
 * @param columnsOf returns the columns of a set that change a query, see `queriedColumns`
 * @throws an error with the code `questionNotInInsight`
 */
export function requireAllowed(
  sets: readonly AppliedSet[],
  allowed: Allowed,
  columnsOf: (set: AppliedSet['set']) => ReadonlySet<string>,
): void {
  for (const { set, chosen } of sets) {
    const initial = initialValues(set)
    for (const { name, kind } of fieldsOf(set)) {
      // An empty string and `*` both mean all metadata.
      const same = (value = '') => (kind === 'metadata' && value === anyValue.value ? '' : value)
      const value = same(chosen.values[name])
      if (kind === 'dates' || value === same(initial.values[name])) continue
      if (kind === 'column' && !columnsOf(set).has(name)) continue
      const checked = value === '' ? anyValue.value : value
      if (!isAllowed(name, checked, checked.includes(anyValue.value), allowed))
        throw publishingErrors[publicErrorCodes.notInInsight]({ value: 'parameter value' })
    }
    if (!allowed.dates && !isDeepStrictEqual(chosen.range, initial.range))
      throw publishingErrors[publicErrorCodes.notInInsight]({ value: 'date range' })
  }
}
