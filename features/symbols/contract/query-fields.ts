import { z } from 'zod'
import { cutText, isRecord, queryBoolean } from '@headwater/contract'
import { maxSymbolKeys } from './symbol.ts'

/** A percentile: P and a number from 0 to 100 with at most two decimals, in the shortest form. */
export type Percentile = `P${number}`

type SymbolValue = string | number | boolean | null

/** Returns a schema of keys and values of a symbol; empty values are dropped. */
export function symbolValues() {
  // zod drops the property `__proto__` of a record, which can be a symbol key. An extra underscore preserves it.
  const carried = /^_+proto__$/
  const rename = <Value>(
    map: Record<string, Value>,
    carry: (name: string) => string,
  ): Record<string, Value> =>
    Object.fromEntries(
      Object.entries(map).map(([name, value]) => [carried.test(name) ? carry(name) : name, value] as const),
    )
  return z
    .transform((given: Record<string, SymbolValue>) =>
      isRecord(given) ? rename(given, (name) => `_${name}`) : given,
    )
    .pipe(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])))
    .nullish()
    .transform((given, context) => {
      const map = rename(given ?? {}, (name) => name.slice(1))
      const entries = Object.entries(map).filter(([, value]) => value !== null && value !== '')
      if (entries.length <= maxSymbolKeys)
        return Object.fromEntries(entries.map(([key, value]) => [key, String(value)] as const))
      context.addIssue({
        code: 'custom',
        message: `There are ${entries.length} entries; a symbol can have at most ${maxSymbolKeys} keys.`,
      })
      return z.NEVER
    })
}

/** Returns a schema of a string; null and empty mean absent. */
export function optionalText(maxLength = 4000) {
  return z
    .string()
    .max(maxLength)
    .nullish()
    .transform((text) => (text === null || text === undefined || text === '' ? undefined : text))
}

/** Returns a schema of a date, which is parsed when the query runs. */
export function dateText() {
  return optionalText()
}

/** Returns a schema of a list of names, or of one name; null and empty names are dropped. */
export function nameList() {
  return z
    .union([z.array(z.string().max(1000).nullable()), z.string().max(1000)])
    .nullish()
    .transform((names) => {
      const list = typeof names === 'string' ? [names] : (names ?? [])
      return list.filter((name): name is string => name !== null && name !== '')
    })
}

/** Returns a schema of a number that can also be text. */
export function numberOrText() {
  return z.union([z.number(), z.string().max(40)]).nullish()
}

/** Returns a schema of a boolean with a default. */
export function flag(fallback: boolean) {
  return queryBoolean.nullish().transform((value) => value ?? fallback)
}

/** Returns a schema of a boolean without a default. */
export function optionalFlag() {
  return queryBoolean.nullish().transform((value) => value ?? undefined)
}

/** Returns a schema of one of some names regardless of case; spaces and hyphens count as underscores. A boolean is read as its name. */
export function nameIn<const T extends string, Other extends string = never>(
  names: readonly T[],
  aliases: Record<string, NoInfer<T>> = {},
  readOther: (text: string) => Other | undefined = () => undefined,
) {
  const known = new Map<string, T>([
    ...names.map((each) => [each.toUpperCase(), each] as const),
    ...Object.entries(aliases),
  ])
  return z
    .union([z.string(), z.boolean()])
    .nullish()
    .transform((given, context): T | Other | undefined => {
      if (given === null || given === undefined || given === '') return undefined
      const text = String(given)
        .trim()
        .toUpperCase()
        .replace(/[\s-]+/g, '_')
      const match = known.get(text) ?? readOther(text)
      if (match !== undefined) return match
      const excerpt = cutText(String(given))
      context.addIssue({ code: 'custom', message: `“${excerpt}” is not one of ${names.join(', ')}.` })
      return z.NEVER
    })
}

/** Returns a schema of functions that combine values, each once; percentiles are always allowed. */
export function functionList<const T extends string = never>(
  names: readonly (T | 'MEAN' | 'STDDEV')[],
  otherAliases: Record<string, NoInfer<T>> = {},
) {
  const aliases = { AVG: 'MEAN', AVERAGE: 'MEAN', STD: 'STDDEV', ...otherAliases } as const
  const one = nameIn<T | 'MEAN' | 'STDDEV', Percentile>(names, aliases, (text) => {
    const percent = Number(/^P(\d{1,3}(?:\.\d{1,2})?)$/.exec(text)?.[1])
    return percent <= 100 ? `P${percent}` : undefined
  })
  return z
    .array(one)
    .max(100, 'There are more than 100 functions.')
    .nullish()
    .transform((given) => [...new Set(given ?? [])].filter((name) => name !== undefined))
}

/** Returns a schema of a whole number in a range that can also be text. */
export function wholeNumber(min: number, max: number) {
  return z
    .union([z.number(), z.string().max(40)])
    .nullish()
    .transform((given, context) => {
      if (given === null || given === undefined || given === '') return undefined
      const value = Number(given)
      if (Number.isInteger(value) && value >= min && value <= max) return value
      context.addIssue({ code: 'custom', message: `“${given}” is not a whole number from ${min} to ${max}.` })
      return z.NEVER
    })
}
