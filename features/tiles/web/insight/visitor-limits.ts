import { createContext, useContext } from 'react'
import { anyValue, type ParamField } from '../../core/params/param-set.ts'

/** Choices that the link of a public view allows. */
export interface VisitorLimits {
  /** Allowed values by symbol key or metadata. */
  parameters: readonly { name: string; values: readonly string[] }[]
  /** Whether visitors can choose the range. */
  dates: boolean
}

/** The limits of a visitor; undefined for signed-in users, who have none. */
export const VisitorLimitsContext = createContext<VisitorLimits | undefined>(undefined)

/** Returns which values the user can choose. */
export function useChoosable(): {
  /** Whether users can change a field. Columns of files are always allowed, because they only filter visible rows. */
  field: (field: Pick<ParamField, 'name' | 'kind'>) => boolean
  /** Whether users can choose any value. */
  any: (field: Pick<ParamField, 'name' | 'kind' | 'initial'>) => boolean
  /** Whether users can choose this value. */
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
