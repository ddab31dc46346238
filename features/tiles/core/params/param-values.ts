import { lastTypes } from '@headwater/symbols/contract'
import { fieldsOf, joinDates, splitDates, type ParamSet } from './param-set.ts'

/** Which part of the series is chosen, in place of what the tiles say. */
export interface ChosenRange {
  range: 'ALL' | 'BETWEEN' | 'LAST'
  from: string
  to: string
  lastType: string
  lastTypeAmount: number
}

/** What is chosen in a set: a value for each field by its name, empty for none, and the range when it offers one. */
export interface ParamValues {
  values: Readonly<Record<string, string>>
  range: ChosenRange | undefined
}

/** Reserved field name of the date range of a set, also in addresses. */
export const rangeField = '@range'
/** Begin of the parameters of an address that hold what is chosen: `params.` and the id of the set. */
const addressPrefix = 'params.'

/** What holds in a set until somebody chooses. */
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
 * What the address says about a set. Each set has a parameter `params.<id>` of pairs `name=value` joined by `|`, names
 * and values URI-encoded; `@range` is `ALL`, `LAST 30 DAYS` or `2026-01-01..2026-01-31`. What is not named there, or not
 * understood, is as it is initially.
 */
export function valuesInAddress(set: ParamSet, search: URLSearchParams): ParamValues {
  const stored = search.get(`${addressPrefix}${set.id}`)
  if (stored === null) return initialValues(set)
  const given = new Map(
    stored.split('|').flatMap((pair): [string, string][] => {
      const at = pair.indexOf('=')
      return at === -1 ? [] : [[decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))]]
    }),
  )
  return chosenValues(set, Object.fromEntries(given))
}

/**
 * What is chosen in a set, by the names of its fields; `@range` is the range in words, as {@link rangeText} writes it. What is not
 * named, or not understood, is as it is initially.
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

/** What is chosen in a set, as {@link chosenValues} reads it; what is as initially is left out. */
export function choicesOf(set: ParamSet, chosen: ParamValues): Record<string, string> {
  const initial = initialValues(set)
  const pairs = Object.entries(chosen.values).filter(([name, value]) => initial.values[name] !== value)
  const range = chosen.range && initial.range ? rangeText(chosen.range) : undefined
  if (range !== undefined && range !== rangeText(initial.range!)) pairs.push([rangeField, range])
  return Object.fromEntries(pairs)
}

/** Writes what is chosen in a set into the parameters of an address; what is as initially is left out of it. */
export function writeAddress(set: ParamSet, chosen: ParamValues, search: URLSearchParams): void {
  const pairs = Object.entries(choicesOf(set, chosen))
  const text = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('|')
  if (text === '') search.delete(`${addressPrefix}${set.id}`)
  else search.set(`${addressPrefix}${set.id}`, text)
}

/**
 * What is chosen in every set after one of them was applied: with `shouldSynchronizeParams` its values go to the fields
 * with the same label of the other sets that have it too.
 */
export function synchronised(
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

/** Whether two choices are the same. */
export function sameValues(a: ParamValues, b: ParamValues): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** A range in words, as addresses and printed pages have it. */
export function rangeText({ range, from, to, lastType, lastTypeAmount }: ChosenRange): string {
  if (range === 'ALL') return 'ALL'
  return range === 'LAST' ? `LAST ${lastTypeAmount} ${lastType}` : joinDates({ from, to }) || '..'
}

/** The range in such words; undefined for any other text. */
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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
