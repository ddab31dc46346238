import { z } from 'zod'
import { filterOperators, lastTypes, needsValue } from '@headwater/symbols/contract'
import type { FileReference, InsightContent } from '../../contract/index.ts'
import type { FileAddress } from '../sources/tile-source.ts'
import { fileSource, listOf, text } from '../common/loose-fields.ts'

/** Where the choices of a set come from: symbols of a group, or the columns of a CSV file. */
export const paramTypes = ['TS', 'FILE'] as const
export const keyTypes = ['SYMBOL', 'METADATA'] as const
export const columnTypes = ['text', 'DATE'] as const
export const paramRanges = ['LAST', 'BETWEEN', 'ALL'] as const
/** The choice that means every value. */
export const anyValue = { value: '*', label: 'Any' }
/** What readers see for a parameter without a value, which leaves the tiles as they are saved. */
export const noValueLabel = 'Default'

const flag = z.boolean().catch(false)
const looseText = z.union([z.string(), z.number()]).transform(String).catch('')

const optionsFile = fileSource
  .optional()
  .describe(
    'File in the lake that lists the choices of the field in place of all values there are; absent = none. The text in ' +
      'it is JSON with pairs of value and label, or lines, or one line with commas.',
  )

/** One field of a set of type TS: the value of a symbol key or of metadata. */
export const paramKey = z.looseObject({
  symbolKey: text.describe('Name of the symbol key or of the metadata.'),
  symbolType: z.enum(keyTypes).catch('SYMBOL').describe('SYMBOL or METADATA, default SYMBOL.'),
  label: text.describe(
    'What the field is called; empty = the key. Stands for the value in texts: {{label}}.',
  ),
  defaultValue: looseText.describe(
    'Value until somebody chooses another; empty = as the tile is saved, * = any.',
  ),
  optionsFile,
})
export type ParamKey = z.output<typeof paramKey>

/** One field of a set of type FILE: the values of a column. */
export const fileColumn = z.looseObject({
  column: text.describe('Name of the column.'),
  label: text.describe('What the field is called; empty = the column.'),
  valueType: z.enum(columnTypes).catch('text').describe('text: one value. DATE: from and to. Default text.'),
  defaultValue: looseText.describe('Value until somebody chooses another; empty and * = any.'),
  optionsFile,
  defaultValueFrom: text.describe('First date until somebody chooses another, `2026-01-31`; empty = open.'),
  defaultValueTo: text.describe('Last date; empty = open.'),
})
export type FileColumn = z.output<typeof fileColumn>

/** A condition that always holds for what the tiles of the set ask. */
export const paramFilter = z.looseObject({
  name: text.describe('A value column, `symbols.<Key>` or `metadata.<Key>`.'),
  value: looseText.describe(
    'What to compare with; IS_EMPTY and IS_NOT_EMPTY ignore it. Empty for others = no condition.',
  ),
  operator: z
    .enum(filterOperators)
    .catch('EQUALS')
    .describe('How to compare, as in a data query. Default EQUALS.'),
})
export type ParamFilter = z.output<typeof paramFilter>

/** The conditions of a set; those that cannot be understood are left out. */
export const paramFilters = listOf(paramFilter)

/** The conditions that are complete: with a name and, where the operator needs one, a value. */
export function completeFilters(
  filters: readonly ParamFilter[],
): Pick<ParamFilter, 'name' | 'value' | 'operator'>[] {
  return filters
    .filter(({ name, value, operator }) => name !== '' && (value !== '' || !needsValue(operator)))
    .map(({ name, value, operator }) => ({ name, value: needsValue(operator) ? value : '', operator }))
}

/** A set of input parameters. What cannot be understood becomes the default. */
export const paramSet = z.looseObject({
  title: text.describe('Title, for example `Parameters 1`.'),
  description: text.describe('Explains the set to readers.'),
  submitButtonText: text.describe('Text of its button; empty = Apply.'),
  position: z
    .number()
    .optional()
    .catch(undefined)
    .describe('Place among the sets, from 0; absent = as they stand in the definition.'),
  basicInputParamsType: z.enum(paramTypes).catch('TS').describe('TS or FILE, default TS.'),
  shouldSynchronizeParams: flag.describe(
    'Whether its values go to fields with the same label of other such sets, and theirs to this. Default false.',
  ),
  isHierarchyEnabled: flag.describe(
    'Whether each choice narrows the choices of the fields behind it. Default false.',
  ),
  isHidden: flag.describe('Whether readers do not see it; its values hold all the same. Default false.'),
  shouldOpenOnStart: flag.describe('Whether the panel is open when the insight is opened. Default false.'),
  groupName: text.describe('Group of the symbols whose values are offered.'),
  keys: listOf(paramKey).describe('Fields of type TS.'),
  csvFile: z
    .looseObject({ groupName: text, name: text, id: text })
    .catch({ groupName: '', name: '', id: '' })
    .describe('File of type FILE, by group and name or by id.'),
  fileColumns: listOf(fileColumn).describe('Fields of type FILE.'),
  filters: paramFilters.describe('Conditions besides.'),
  withDateRange: flag.describe(
    'Whether readers choose the range too, in place of that of the tiles. Default false.',
  ),
  dataRange: z
    .string()
    .transform((value) => value.toUpperCase())
    .pipe(z.enum(paramRanges))
    .catch('LAST')
    .describe('Range until somebody chooses another: LAST, BETWEEN or ALL, default LAST.'),
  from: text.describe('First date of BETWEEN; empty = open.'),
  to: text.describe('Last date of BETWEEN; empty = open.'),
  lastValue: z.coerce.number().int().min(1).catch(500).describe('Amount of LAST, default 500.'),
  lastType: z
    .string()
    .transform((value) => value.toUpperCase())
    .pipe(z.enum(lastTypes))
    .catch('VALUES')
    .describe('Unit of LAST, default VALUES.'),
  timezone: z.string().min(1).catch('UTC').describe('IANA zone of the dates, default UTC.'),
  decimalPrecision: z.int().min(0).max(15).catch(2).describe('Decimals with a date range, default 2.'),
})

/** A set with the id it is known by. */
export type ParamSet = z.output<typeof paramSet> & { id: string }

/** The sets of an insight, in their order. */
export function paramSetsOf({ inputParams }: Pick<InsightContent, 'inputParams'>): ParamSet[] {
  const sets = Object.entries(inputParams ?? {}).flatMap(([id, stored], position) => {
    const parsed = paramSet.safeParse(stored)
    return parsed.success ? [{ position: parsed.data.position ?? position, set: { ...parsed.data, id } }] : []
  })
  return sets.toSorted((a, b) => a.position - b.position).map(({ set }) => set)
}

/**
 * The stored sets in the order of these ids. Each set tells its place, as an object puts ids that are numbers first,
 * whatever order they are written in.
 */
export function inOrder(
  stored: Readonly<Record<string, unknown>>,
  ids: readonly string[],
): Record<string, unknown> {
  const placed = ids.map((id, position) => [id, { ...(stored[id] as object), position }])
  return { ...stored, ...Object.fromEntries(placed) }
}

/** A new set and the id it is stored under: the first free of p1, p2 …, short because it stands in addresses. */
export function newParamSet(taken: Readonly<Record<string, unknown>>, titles: readonly string[]): ParamSet {
  let number = 1
  while (Object.hasOwn(taken, `p${number}`)) number++
  let titleNumber = titles.length + 1
  while (titles.includes(`Parameters ${titleNumber}`)) titleNumber++
  return { ...paramSet.parse({ title: `Parameters ${titleNumber}` }), id: `p${number}` }
}

/** Whether a set has the title that it got when it was added, which tells readers nothing. */
export function isUnnamed({ title }: Pick<ParamSet, 'title'>): boolean {
  return /^Parameters \d+$/.test(title)
}

/** A field of a set as readers fill it, whatever its type. */
export interface ParamField {
  /** Name in the address and of what it chooses: a symbol key, metadata or column. */
  name: string
  kind: 'symbol' | 'metadata' | 'column' | 'dates'
  label: string
  /** The value until somebody chooses another; of dates `from..to`. */
  initial: string
  /** The file that lists its choices; undefined when all values there are can be chosen. */
  optionsFile?: FileReference | undefined
}

/** The fields of a set, those without a name left out. */
export function fieldsOf(set: ParamSet): ParamField[] {
  if (set.basicInputParamsType === 'TS')
    return set.keys.flatMap(
      ({ symbolKey, symbolType, label, defaultValue, optionsFile: options }): ParamField[] =>
        symbolKey === ''
          ? []
          : [
              {
                name: symbolKey,
                kind: symbolType === 'METADATA' ? 'metadata' : 'symbol',
                label: label || symbolKey,
                initial: defaultValue,
                ...ofOptions(options),
              },
            ],
    )
  return set.fileColumns.flatMap((field): ParamField[] => {
    const { column, label, valueType, defaultValue, defaultValueFrom: from, defaultValueTo: to } = field
    if (column === '') return []
    return valueType === 'DATE'
      ? [{ name: column, kind: 'dates', label: label || column, initial: joinDates({ from, to }) }]
      : [
          {
            name: column,
            kind: 'column',
            label: label || column,
            initial: defaultValue,
            ...ofOptions(field.optionsFile),
          },
        ]
  })
}

/** The file of options of a field, when one is named. */
export function ofOptions(file: ParamKey['optionsFile']): Pick<ParamField, 'optionsFile'> {
  return file === undefined || file.value.fileName === '' ? {} : { optionsFile: file.value }
}

/** The file of a set, by id or by group and name. */
export function fileOfSet({ csvFile, groupName }: ParamSet): FileAddress {
  const address = { groupName: csvFile.groupName || groupName, fileName: csvFile.name }
  return csvFile.id === '' ? address : { ...address, fid: csvFile.id }
}

/** Two dates as one text: `2026-01-01..2026-01-31`; empty when both are open. */
export function joinDates({ from, to }: { from: string; to: string }): string {
  return from === '' && to === '' ? '' : `${from}..${to}`
}

/** The two dates in such a text. */
export function splitDates(text: string): { from: string; to: string } {
  const [from = '', to = ''] = text.split('..')
  return { from, to }
}
