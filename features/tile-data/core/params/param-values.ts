import { decodeText } from '@headwater/contract'
import { lastTypes } from '@headwater/symbols/contract'
import { fieldsOf, joinDates, splitDates, type ParamSet } from './param-set.ts'

/** A chosen range that replaces the range of tiles. */
export interface ChosenRange {
  /** Kind of the range. */
  range: 'ALL' | 'BETWEEN' | 'LAST'
  /** First date of BETWEEN, `2026-01-31`; empty if the range is open. */
  from: string
  /** Last date of BETWEEN; empty if the range is open. */
  to: string
  /** Unit of LAST, for example `DAYS`. */
  lastType: string
  /** Amount of LAST, at least 1. */
  lastTypeAmount: number
}

/** The chosen values of a set. */
export interface ParamValues {
  /** Value of each field by its name; empty if there is none. */
  values: Readonly<Record<string, string>>
  /** The chosen range; undefined if the set has none. */
  range: ChosenRange | undefined
}

/** Reserved field name of the date range of a set, including in URLs. */
export const rangeField = '@range'
/** Prefix of the URL query parameters with chosen values, followed by the id of the set. */
const urlPrefix = 'params.'

/** Returns the default values of a set. */
export function initialValues(set: ParamSet): ParamValues {
  return {
    values: Object.fromEntries(fieldsOf(set).map(({ name, initial }) => [name, initial])),
    range: set.withDateRange
      ? {
          range: set.dataRange,
          from: set.from.slice(0, 10),
          to: set.to.slice(0, 10),
          lastType: set.lastType,
          lastTypeAmount: set.lastValue,
        }
      : undefined,
  }
}

/**
 * Reads the values of a set from a URL. Each set has a query parameter `params.<id>` with pairs `name=value` joined by
 * `|`, names and values URI-encoded; `@range` is `ALL`, `LAST 30 DAYS` or `2026-01-01..2026-01-31`. Defaults replace
 * absent and invalid values.
 */
export function valuesInUrl(set: ParamSet, search: URLSearchParams): ParamValues {
  const stored = search.get(`${urlPrefix}${set.id}`)
  if (stored === null) return initialValues(set)
  const given = new Map(
    stored.split('|').flatMap((pair): [string, string][] => {
      const at = pair.indexOf('=')
      return at === -1 ? [] : [[decodeText(pair.slice(0, at)), decodeText(pair.slice(at + 1))]]
    }),
  )
  return chosenValues(set, Object.fromEntries(given))
}

/**
 * Parses the values of a set from texts, by field name; `@range` is the range in the format of {@link rangeText}. Defaults
 * replace absent and invalid values.
 */
export function chosenValues(set: ParamSet, given: Readonly<Record<string, string>>): ParamValues {
  const initial = initialValues(set)
  const own = (name: string) => (Object.hasOwn(given, name) ? given[name] : undefined)
  const values = Object.fromEntries(
    Object.entries(initial.values).map(([name, value]) => [name, own(name) ?? value]),
  )
  const range = initial.range && (rangeInText(own(rangeField) ?? '') ?? initial.range)
  return { values, range }
}

/**
 * Returns the chosen values of a set in the format that {@link chosenValues} parses. Omits values that equal the default.
 */
export function choicesOf(set: ParamSet, chosen: ParamValues): Record<string, string> {
  const initial = initialValues(set)
  const pairs = Object.entries(chosen.values).filter(([name, value]) => initial.values[name] !== value)
  const range = chosen.range && initial.range ? rangeText(chosen.range) : undefined
  if (range !== undefined && range !== rangeText(initial.range!)) pairs.push([rangeField, range])
  return Object.fromEntries(pairs)
}

/** Writes the chosen values of a set to a URL. Omits values that equal the default. */
export function writeAddress(set: ParamSet, chosen: ParamValues, search: URLSearchParams): void {
  const pairs = Object.entries(choicesOf(set, chosen))
  const text = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('|')
  if (text === '') search.delete(`${urlPrefix}${set.id}`)
  else search.set(`${urlPrefix}${set.id}`, text)
}

/**
 * Returns the values of the sets that change when one set is applied. With `shouldSynchronizeParams`, its values are also copied to fields
 * with the same label in other synchronised sets.
 */
export function valuesToApply(
  sets: readonly ParamSet[],
  applied: ParamSet,
  chosen: ParamValues,
  present: (set: ParamSet) => ParamValues,
): Map<ParamSet, ParamValues> {
  const all = new Map([[applied, chosen]])
  if (!applied.shouldSynchronizeParams) return all
  const byLabel = new Map(fieldsOf(applied).map(({ label, name }) => [label, chosen.values[name] ?? '']))
  for (const other of sets) {
    if (other.id === applied.id || !other.shouldSynchronizeParams) continue
    const before = present(other)
    const values = { ...before.values }
    for (const { label, name } of fieldsOf(other)) values[name] = byLabel.get(label) ?? values[name]!
    all.set(other, { ...before, values })
  }
  return all
}

/** Returns whether two sets of values are equal. */
export function sameValues(a: ParamValues, b: ParamValues): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Formats a range for URLs and requests: `ALL`, `LAST 30 DAYS` or `2026-01-01..2026-01-31`. */
export function rangeText({ range, from, to, lastType, lastTypeAmount }: ChosenRange): string {
  if (range === 'ALL') return 'ALL'
  return range === 'LAST' ? `LAST ${lastTypeAmount} ${lastType}` : joinDates({ from, to }) || '..'
}

/** Parses a string from {@link rangeText}; undefined for any other string. */
export function rangeInText(text: string): ChosenRange | undefined {
  const open = { from: '', to: '', lastType: 'VALUES', lastTypeAmount: 500 }
  if (text === 'ALL') return { ...open, range: 'ALL' }
  const last = /^LAST (\d{1,9}) ([A-Z_]+)$/.exec(text)
  if (last && Number(last[1]) >= 1 && (lastTypes as readonly string[]).includes(last[2]!))
    return { ...open, range: 'LAST', lastTypeAmount: Number(last[1]), lastType: last[2]! }
  if (!text.includes('..')) return undefined
  const { from, to } = splitDates(text)
  return [from, to].every((date) => /^(\d{4}-\d{2}-\d{2})?$/.test(date))
    ? { ...open, range: 'BETWEEN', from, to }
    : undefined
}
