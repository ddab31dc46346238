import { createContext, useContext } from 'react'
import { anyValue, type ParamField } from '../../core/params/param-set.ts'

/** What the link of a public view lets its visitors choose. */
export interface VisitorLimits {
  parameters: readonly { name: string; values: readonly string[] }[]
  /** Whether they may choose the range of dates. */
  dates: boolean
}

/** The limits of a visitor; undefined for whoever is signed in, who chooses freely. */
export const VisitorLimitsContext = createContext<VisitorLimits | undefined>(undefined)

/** What may be chosen where this is shown. */
export function useChoosable(): {
  /** Whether a field of a set can be chosen in at all. Columns of files can: they only pick from what is shown anyway. */
  field: (field: Pick<ParamField, 'name' | 'kind'>) => boolean
  /** Whether it may become any value. */
  any: (field: Pick<ParamField, 'name' | 'kind' | 'initial'>) => boolean
  /** Whether it may become one value. */
  value: (field: Pick<ParamField, 'name' | 'kind' | 'initial'>, value: string) => boolean
  range: boolean
  limited: boolean
} {
  const limits = useContext(VisitorLimitsContext)
  if (limits === undefined)
    return { field: () => true, any: () => true, value: () => true, range: true, limited: false }
  const allowed = (name: string) =>
    limits.parameters.find((parameter) => parameter.name.toLowerCase() === name.toLowerCase())
  const isOfFile = (kind: ParamField['kind']) => kind === 'column' || kind === 'dates'
  return {
    field: ({ name, kind }) => isOfFile(kind) || allowed(name) !== undefined,
    any: ({ name, kind, initial }) =>
      isOfFile(kind) || initial === anyValue.value || allowed(name)?.values.includes(anyValue.value) === true,
    value: ({ name, kind, initial }, value) =>
      isOfFile(kind) ||
      value === initial ||
      allowed(name)?.values.some((each) => each === anyValue.value || each === value) === true,
    range: limits.dates,
    limited: true,
  }
}
