import { createContext, useContext, useMemo } from 'react'
import { queriedColumns } from '../../core/insight/param-reach.ts'
import { anyValue, type ParamField, type ParamSet } from '../../core/params/param-set.ts'
import { useInsightData } from './insight-data.ts'

/** Choices that the link of a public view allows. */
export interface VisitorLimits {
  /** Allowed values by symbol key or metadata. */
  parameters: readonly { name: string; values: readonly string[] }[]
  /** Whether visitors can choose the range. */
  dates: boolean
}

/** The limits of a visitor; undefined for signed-in users. */
export const VisitorLimitsContext = createContext<VisitorLimits | undefined>(undefined)

type Field = Pick<ParamField, 'name' | 'kind' | 'initial'>

/**
 * Returns which values of the fields of a set the user can choose. Visitors can always choose dates, and columns that only filter visible
 * rows of files. Without a set the fields are symbol keys or metadata.
 */
export function useChoosable(): {
  /** Whether users can change a field. */
  field: (field: Field, set?: ParamSet) => boolean
  /** Whether users can choose any value. */
  any: (field: Field, set?: ParamSet) => boolean
  /** Whether users can choose this value. */
  value: (field: Field, value: string, set?: ParamSet) => boolean
  range: boolean
  limited: boolean
} {
  const limits = useContext(VisitorLimitsContext)
  const { content, basket, sets } = useInsightData()
  const queried = useMemo(
    () =>
      limits === undefined
        ? undefined
        : new Map(sets.map(({ set }) => [set.id, queriedColumns(set, { content, basket })])),
    [limits, sets, content, basket],
  )
  if (limits === undefined)
    return { field: () => true, any: () => true, value: () => true, range: true, limited: false }
  const allowed = (name: string) =>
    limits.parameters.find((parameter) => parameter.name.toLowerCase() === name.toLowerCase())
  const filtersFiles = ({ name, kind }: Field, set: ParamSet | undefined) =>
    kind === 'dates' || (kind === 'column' && set !== undefined && queried?.get(set.id)?.has(name) === false)
  return {
    field: (field, set) => filtersFiles(field, set) || allowed(field.name) !== undefined,
    any: (field, set) =>
      filtersFiles(field, set) ||
      field.initial === anyValue.value ||
      allowed(field.name)?.values.includes(anyValue.value) === true,
    value: (field, value, set) =>
      filtersFiles(field, set) ||
      value === field.initial ||
      allowed(field.name)?.values.some((each) => each === anyValue.value || each === value) === true,
    range: limits.dates,
    limited: true,
  }
}
