import { z } from 'zod'
import { filterOperators, lastTypes, needsValue } from '@headwater/symbols/contract'
import type { FileReference, InsightContent } from '../../contract/index.ts'
import type { FileAddress } from '../sources/tile-source.ts'
import { fileSource, listOf, text } from '../common/loose-fields.ts'

/** Sources of the choices of a set: TS = symbols of a group, FILE = columns of a CSV file. */
export const paramTypes = ['TS', 'FILE'] as const
/** Types of keys: symbol keys or metadata. */
const keyTypes = ['SYMBOL', 'METADATA'] as const
/** Types of file columns: one value, or a range of dates. */
export const columnTypes = ['text', 'DATE'] as const
/** Kinds of ranges of a parameter set. */
const paramRanges = ['LAST', 'BETWEEN', 'ALL'] as const
/** The choice that matches every value. */
export const anyValue = { value: '*', label: 'Any' }
/** Label of a parameter without a value. Such a parameter does not change the tiles. */
export const noValueLabel = 'Default'

const flag = z.boolean().catch(false)
const looseText = z.union([z.string(), z.number()]).transform(String).catch('')

const optionsFile = fileSource
  .optional()
  .describe(
    'File in the lake that lists the choices of the field instead of all existing values. Default: none. The text in ' +
      'the file is JSON with pairs of value and label, or lines, or one line with commas.',
  )

/** One field of a set of type TS: the value of a symbol key or of metadata. */
export const paramKey = z.looseObject({
  symbolKey: text.describe('Name of the symbol key or of the metadata.'),
  symbolType: z.enum(keyTypes).catch('SYMBOL').describe('SYMBOL or METADATA, default SYMBOL.'),
  label: text.describe('Label of the field; empty means the key. In texts, {{label}} is the value.'),
  defaultValue: looseText.describe('Default value; if empty, tiles stay unchanged; * means any value.'),
  optionsFile,
})
/** A parsed {@link paramKey}. */
export type ParamKey = z.output<typeof paramKey>

/** One field of a set of type FILE: the values of a column. */
export const fileColumn = z.looseObject({
  column: text.describe('Name of the column.'),
  label: text.describe('Label of the field; empty means the column.'),
  valueType: z.enum(columnTypes).catch('text').describe('text: one value. DATE: from and to. Default text.'),
  defaultValue: looseText.describe('Default value; empty and * mean any value.'),
  optionsFile,
  defaultValueFrom: text.describe('Default first date, `2026-01-31`; empty if the range is open.'),
  defaultValueTo: text.describe('Last date; empty if the range is open.'),
})
/** A parsed {@link fileColumn}. */
export type FileColumn = z.output<typeof fileColumn>

/** A filter that always applies to the queries of the tiles of the set. */
export const paramFilter = z.looseObject({
  name: text.describe('A value column, `symbols.<Key>` or `metadata.<Key>`.'),
  value: looseText.describe(
    'Value to compare with; IS_EMPTY and IS_NOT_EMPTY ignore it. Empty for other operators = no filter.',
  ),
  operator: z
    .enum(filterOperators)
    .catch('EQUALS')
    .describe('How to compare, as in a data query. Default EQUALS.'),
})
/** A parsed {@link paramFilter}. */
export type ParamFilter = z.output<typeof paramFilter>

/** The filters of a set; invalid ones are omitted. */
const paramFilters = listOf(paramFilter)

/** Returns the complete filters: those with a name and, if the operator needs one, a value. */
export function completeFilters(
  filters: readonly ParamFilter[],
): Pick<ParamFilter, 'name' | 'value' | 'operator'>[] {
  return filters
    .filter(({ name, value, operator }) => name !== '' && (value !== '' || !needsValue(operator)))
    .map(({ name, value, operator }) => ({ name, value: needsValue(operator) ? value : '', operator }))
}

/** A set of input parameters. Invalid values become the default. */
export const paramSet = z.looseObject({
  title: text.describe('Title, for example `Parameters 1`.'),
  description: text.describe('Explains the set to readers.'),
  submitButtonText: text.describe('Text of the submit button; empty = Apply.'),
  position: z
    .number()
    .optional()
    .catch(undefined)
    .describe('Position among the sets, from 0. Default: their order in the definition.'),
  basicInputParamsType: z.enum(paramTypes).catch('TS').describe('TS or FILE, default TS.'),
  shouldSynchronizeParams: flag.describe(
    'Whether fields with the same label share their values with other such sets. Default false.',
  ),
  isHierarchyEnabled: flag.describe(
    'Whether each choice narrows the choices of the following fields. Default false.',
  ),
  isHidden: flag.describe('Whether the set is hidden from readers. Its values still apply. Default false.'),
  shouldOpenOnStart: flag.describe('Whether the panel is open initially. Default false.'),
  groupName: text.describe('Group of the symbols whose values are the choices.'),
  keys: listOf(paramKey).describe('Fields of type TS.'),
  csvFile: z
    .looseObject({ groupName: text, name: text, id: text })
    .catch({ groupName: '', name: '', id: '' })
    .describe('File of type FILE, by group and name or by id.'),
  fileColumns: listOf(fileColumn).describe('Fields of type FILE.'),
  filters: paramFilters.describe('Additional filters.'),
  withDateRange: flag.describe(
    'Whether readers also choose a range, which replaces the ranges of the tiles. Default false.',
  ),
  dataRange: z
    .string()
    .transform((value) => value.toUpperCase())
    .pipe(z.enum(paramRanges))
    .catch('LAST')
    .describe('Default range: LAST, BETWEEN or ALL, default LAST.'),
  from: text.describe('First date of BETWEEN; empty if the range is open.'),
  to: text.describe('Last date of BETWEEN; empty if the range is open.'),
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

/** A parameter set with its id. */
export type ParamSet = z.output<typeof paramSet> & { id: string }

/** Returns the sets of an insight in their order. */
export function paramSetsOf({ inputParams }: Pick<InsightContent, 'inputParams'>): ParamSet[] {
  const sets = Object.entries(inputParams ?? {}).flatMap(([id, stored], position) => {
    const parsed = paramSet.safeParse(stored)
    return parsed.success ? [{ position: parsed.data.position ?? position, set: { ...parsed.data, id } }] : []
  })
  return sets.toSorted((a, b) => a.position - b.position).map(({ set }) => set)
}

/** Returns the stored sets in the order of these ids. Each set stores its position, because objects list numeric keys first. */
export function inOrder(
  stored: Readonly<Record<string, unknown>>,
  ids: readonly string[],
): Record<string, unknown> {
  const placed = ids.map((id, position) => [id, { ...(stored[id] as object), position }])
  return { ...stored, ...Object.fromEntries(placed) }
}

/** Creates a set with the first free id of p1, p2 …, which is short because URLs contain it. */
export function newParamSet(taken: Readonly<Record<string, unknown>>, titles: readonly string[]): ParamSet {
  let number = 1
  while (Object.hasOwn(taken, `p${number}`)) number++
  let titleNumber = titles.length + 1
  while (titles.includes(`Parameters ${titleNumber}`)) titleNumber++
  return { ...paramSet.parse({ title: `Parameters ${titleNumber}` }), id: `p${number}` }
}

/** Returns whether a set still has its default title. */
export function isUnnamed({ title }: Pick<ParamSet, 'title'>): boolean {
  return /^Parameters \d+$/.test(title)
}

/** A field of a set, of either type. */
export interface ParamField {
  /** Symbol key, metadata or column that the field chooses; also its name in the URL. */
  name: string
  /** Kind of the choice: a symbol key, metadata, a column, or a range of dates. */
  kind: 'symbol' | 'metadata' | 'column' | 'dates'
  /** Visible label. */
  label: string
  /** The default value; for dates `from..to`. */
  initial: string
  /** The file that lists its choices; undefined means all existing values. */
  optionsFile?: FileReference | undefined
}

/** Returns the fields of a set that have a name. */
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

/** Returns the file with the choices of a field, if it has one. */
export function ofOptions(file: ParamKey['optionsFile']): Pick<ParamField, 'optionsFile'> {
  return file === undefined || file.value.fileName === '' ? {} : { optionsFile: file.value }
}

/** Returns the file of a set, by id or by group and name. */
export function fileOfSet({ csvFile, groupName }: ParamSet): FileAddress {
  const address = { groupName: csvFile.groupName || groupName, fileName: csvFile.name }
  return csvFile.id === '' ? address : { ...address, fid: csvFile.id }
}

/** Joins two dates: `2026-01-01..2026-01-31`; empty if both are open. */
export function joinDates({ from, to }: { from: string; to: string }): string {
  return from === '' && to === '' ? '' : `${from}..${to}`
}

/** Splits a string from {@link joinDates} into its dates. */
export function splitDates(text: string): { from: string; to: string } {
  const [from = '', to = ''] = text.split('..')
  return { from, to }
}
