import { z } from 'zod'

/** Types of a value column, as in NCSV files. */
export const valueTypes = ['double', 'integer', 'string', 'date'] as const

/** A value column of a group, for example the closing price. */
export const valueColumn = z.object({
  name: z.string().describe('Name, unique within the group.'),
  type: z.enum(valueTypes).describe('Type of its values: double, integer, string or date.'),
})
/** A parsed {@link valueColumn}. */
export type ValueColumn = z.output<typeof valueColumn>

/** Maximum number of keys of a symbol. */
export const maxSymbolKeys = 100

/** The key=value pairs that identify a series within its group, for example `{"Code": "BRENT"}`. */
export const symbolMap = z.record(z.string(), z.string())
/** A parsed {@link symbolMap}. */
export type SymbolMap = z.output<typeof symbolMap>

/** One symbol: a series of points in a group. */
export const symbol = z.object({
  symbols: symbolMap.describe('Keys and values, by name of the key ascending.'),
  groupName: z.string().describe('Name of its group.'),
  columns: z.array(valueColumn).describe('Value columns in which it has data, by name ascending.'),
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
  pointCount: z.int().optional().describe('Number of timestamps with values; only on request.'),
})
/** A parsed {@link symbol}. */
export type SymbolItem = z.output<typeof symbol>

/** Name of a symbol key, or of metadata. */
export const symbolKey = z.object({
  name: z.string().describe('Name as written in the files.'),
  kind: z.enum(['symbol', 'metadata']).describe('Whether it is a symbol key or a metadata name.'),
  variety: z
    .int()
    .optional()
    .describe(
      'Number of distinct values among the first 2,000 symbols of the group, to order keys by; absent for metadata.',
    ),
})
/** A parsed {@link symbolKey}. */
export type SymbolKey = z.output<typeof symbolKey>

/** The symbols of a group that share a value of a key. */
export const symbolBranch = z.object({
  value: z.string().describe('The value; empty for symbols without the key.'),
  symbolCount: z.int().describe('Number of symbols with it.'),
})
/** A parsed {@link symbolBranch}. */
export type SymbolBranch = z.output<typeof symbolBranch>

/** A group that holds symbols. */
export const symbolGroup = z.object({
  groupName: z.string().describe('Name of the group.'),
  symbolCount: z.int().describe('Number of its symbols.'),
})
/** A parsed {@link symbolGroup}. */
export type SymbolGroup = z.output<typeof symbolGroup>

/**
 * Returns the value of a key or metadata; empty if there is none. Ignores inherited properties, because a user can name
 * a key `constructor`.
 */
export function valueOfKey(map: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(map, name) ? map[name]! : ''
}

/** Formats a symbol for a URL: `Code=BRENT|Period=D`. */
export function formatSymbolParameter(symbols: SymbolMap): string {
  return Object.entries(symbols)
    .map(([key, value]) => `${key}=${value}`)
    .join('|')
}

/** Parses a symbol from a URL; parts without `=` are ignored. The counterpart of {@link formatSymbolParameter}. */
export function parseSymbolParameter(text: string): SymbolMap {
  const pairs = text
    .split(/\|(?=[^|=]+=)/)
    .map((part) => [part, part.indexOf('=')] as const)
    .filter(([, at]) => at > 0)
    .map(([part, at]) => [part.slice(0, at), part.slice(at + 1)] as const)
  return Object.fromEntries(pairs)
}
