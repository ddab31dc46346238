import { z } from 'zod'

/** Types of a value column; they are the types a column of an NCSV file may have. */
export const valueTypes = ['double', 'integer', 'string', 'date'] as const

/** A value column of a group, for example the closing price. */
export const valueColumn = z.object({
  name: z.string().describe('Name, unique within the group.'),
  type: z.enum(valueTypes).describe('Type of its values: double, integer, string or date.'),
})
export type ValueColumn = z.output<typeof valueColumn>

/** Most keys that a symbol may have. */
export const maxSymbolKeys = 100

/** The key=value pairs that tell one series from all others of its group, for example `{"Code": "BRENT"}`. */
export const symbolMap = z.record(z.string(), z.string())
export type SymbolMap = z.output<typeof symbolMap>

/** One symbol: a series of points in a group. */
export const symbol = z.object({
  symbols: symbolMap.describe('Its keys and values, keys by name ascending.'),
  groupName: z.string().describe('The group it lies in.'),
  columns: z.array(valueColumn).describe('Value columns it has data in, by name ascending.'),
  metadata: z.record(z.string(), z.string()).describe('Its metadata as text, names ascending.'),
  formula: z
    .boolean()
    .optional()
    .describe(
      'True for a symbol whose values are computed; it has neither firstDate, lastDate nor pointCount. Absent = false.',
    ),
  firstDate: z
    .string()
    .optional()
    .describe(
      'Timestamp of its first point: local ISO date-time in UTC; absent for a symbol without points.',
    ),
  lastDate: z.string().optional().describe('Timestamp of its last point, in the same form.'),
  pointCount: z
    .int()
    .optional()
    .describe('Number of timestamps that it has values at; only when it was asked for.'),
})
export type SymbolItem = z.output<typeof symbol>

/** A name by which symbols are told apart or described. */
export const symbolKey = z.object({
  name: z.string().describe('The name as it stands in the files.'),
  kind: z.enum(['symbol', 'metadata']).describe('Whether it is part of the symbol or metadata of it.'),
  variety: z
    .int()
    .optional()
    .describe(
      'Number of different values among the first 2,000 symbols of the group, for a sensible order of keys; absent for metadata.',
    ),
})
export type SymbolKey = z.output<typeof symbolKey>

/** The symbols of a group that share a value of a key. */
export const symbolBranch = z.object({
  value: z.string().describe('The value; empty for symbols without the key.'),
  symbolCount: z.int().describe('Number of symbols with it.'),
})
export type SymbolBranch = z.output<typeof symbolBranch>

/** A group that holds symbols. */
export const symbolGroup = z.object({
  groupName: z.string().describe('Name of the group.'),
  symbolCount: z.int().describe('Number of its symbols.'),
})
export type SymbolGroup = z.output<typeof symbolGroup>

/**
 * The value of a key or of metadata, empty where there is none. Names are those of users, who may call a key `constructor`, which every
 * object inherits.
 */
export function valueOfKey(map: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(map, name) ? map[name]! : ''
}

/** Writes a symbol as it stands in a URL: `Code=BRENT|Period=D`. */
export function formatSymbolParameter(symbols: SymbolMap): string {
  return Object.entries(symbols)
    .map(([key, value]) => `${key}=${value}`)
    .join('|')
}

/** Reads a symbol from a URL; parts without `=` are left out. The counterpart of {@link formatSymbolParameter}. */
export function parseSymbolParameter(text: string): SymbolMap {
  const pairs = text
    .split(/\|(?=[^|=]+=)/)
    .map((part) => [part, part.indexOf('=')] as const)
    .filter(([, at]) => at > 0)
    .map(([part, at]) => [part.slice(0, at), part.slice(at + 1)] as const)
  return Object.fromEntries(pairs)
}
