import { isDeepStrictEqual } from 'node:util'
import { publishingErrors, type AllowedParameter } from '../contract/index.ts'
import { type AppliedSet, anyValue, fieldsOf, initialValues } from '@headwater/tiles/core'

/** What visitors of a public view may set, besides the initial values of the insight. */
export interface Allowed {
  parameters: readonly AllowedParameter[]
  /** Whether they may choose the range of dates. */
  dates: boolean
}

/** Whether a link lets a visitor set a parameter to a value; `isWild`: a `*` in it stands for any text. */
export function isAllowed(name: string, value: string, isWild: boolean, { parameters }: Allowed): boolean {
  return parameters.some(
    (parameter) =>
      parameter.name.toLowerCase() === name.toLowerCase() &&
      (parameter.values.includes(anyValue.value) || (!isWild && parameter.values.includes(value))),
  )
}

/** What a link allows for a parameter, in any letter case; undefined = nothing. */
export function allowedParameter({ parameters }: Allowed, name: string): AllowedParameter | undefined {
  return parameters.find((parameter) => parameter.name.toLowerCase() === name.toLowerCase())
}

/**
 * Throws unless each value that differs from the initial one is allowed. A cleared field shows the value of the tile, or
 * all metadata, so it needs a link that allows any value. Dates narrow the rows of files only.
 * @throws questionNotInInsight
 */
export function requireAllowed(sets: readonly AppliedSet[], allowed: Allowed): void {
  for (const { set, chosen } of sets) {
    const initial = initialValues(set)
    for (const { name, kind } of fieldsOf(set)) {
      // Both mean all metadata.
      const same = (value = '') => (kind === 'metadata' && value === anyValue.value ? '' : value)
      const value = same(chosen.values[name])
      if (kind === 'dates' || value === same(initial.values[name])) continue
      const wanted = value === '' ? anyValue.value : value
      if (!isAllowed(name, wanted, wanted.includes(anyValue.value), allowed))
        throw publishingErrors.questionNotInInsight({ what: 'this value of a parameter' })
    }
    if (!allowed.dates && !isDeepStrictEqual(chosen.range, initial.range))
      throw publishingErrors.questionNotInInsight({ what: 'this range of dates' })
  }
}
