import {
  CsvConverter,
  detectDateFormats,
  detectDateFormatsWithErrors,
  findDateAmbiguity,
  fitsHeader,
  isDateFormat,
  problemOfNames,
  seriesName,
  suggestImport,
  type CsvMapping,
  type CsvSample,
  type DateAmbiguity,
  type DecimalSign,
  type MappedColumn,
  type RowProblem,
} from '@headwater/csv'
import { createZoneClock } from '@headwater/zones'
import { maxMappedColumns, type StoredMapping } from '../../contract/index.ts'

/** A mapping while the user edits it. */
export interface ImportDraft {
  /** Name of the series file that the import creates. */
  fileName: string
  /** The first rows of the file. */
  sample: CsvSample
  /** The mapping so far. An empty column, date format or value means that it is missing. */
  mapping: CsvMapping
  /** Ambiguity in the order of day and month; undefined if it is clear. */
  dateAmbiguity: DateAmbiguity | undefined
  /** Whether the user must choose the decimal separator, because the numbers are ambiguous. */
  isDecimalSignOpen: boolean
  /** Name of the stored mapping that was applied; undefined for detected or changed settings. */
  appliedMapping?: string | undefined
  /** Whether the user changed the draft, so that no stored mapping replaces it. */
  isChanged: boolean
}

/** Roles of a column: a symbol, the date, values or metadata of a type, or none. */
const columnRoles = [
  'symbol',
  'date',
  'Value DB',
  'Value I',
  'Value S',
  'Value D',
  'Metadata S',
  'Metadata DB',
  'none',
] as const
/** A role of a column. */
export type ColumnRole = (typeof columnRoles)[number]

/** Number of rows in a preview. */
const previewedRows = 5
/** Number of symbols in a preview. */
const previewedSymbols = 20

/** Returns the first draft for a file. */
export function newImportDraft(
  sample: CsvSample,
  { fileName, timezone }: { fileName: string; timezone: string },
): ImportDraft {
  const { mapping, dateAmbiguity, isDecimalSignAmbiguous } = suggestImport(sample, { fileName, timezone })
  const { separator, hasHeader } = sample
  const detected: CsvMapping = mapping ?? {
    separator,
    decimalSign: '.',
    symbolColumns: [],
    constantSymbols: [{ name: 'Symbol', value: fileName.replace(/\.[^.]*$/, '') }],
    date: { column: '', dateFormat: '', timezone },
    columns: [],
    ...(hasHeader ? {} : { hasHeader }),
  }
  return {
    fileName: `${fileName.replace(/\.[^.]*$/, '')}.ncsv`,
    sample,
    mapping:
      dateAmbiguity === undefined ? detected : { ...detected, date: { ...detected.date, dateFormat: '' } },
    dateAmbiguity,
    isDecimalSignOpen: isDecimalSignAmbiguous,
    isChanged: false,
  }
}

/** Applies a stored mapping of the group that fits the file, unless the user changed the draft. */
export function applyFittingMapping(draft: ImportDraft, stored: readonly StoredMapping[]): ImportDraft {
  if (draft.isChanged || draft.appliedMapping !== undefined) return draft
  const fitting = stored
    .filter(({ mapping }) => fitsSample(mapping, draft.sample))
    .toSorted(
      (a, b) => b.mapping.columns.length - a.mapping.columns.length || (a.savedAt < b.savedAt ? 1 : -1),
    )
  return fitting[0] === undefined ? draft : applyMapping(draft, fitting[0])
}

/** Returns whether the file has the columns of a mapping. */
export function fitsSample(mapping: CsvMapping, { names, hasHeader }: CsvSample): boolean {
  return (mapping.hasHeader ?? true) === hasHeader && fitsHeader(mapping, names)
}

/** Applies a stored mapping. */
export function applyMapping(draft: ImportDraft, { name, mapping }: StoredMapping): ImportDraft {
  return {
    ...draft,
    mapping: { ...mapping, separator: draft.sample.separator },
    isDecimalSignOpen: false,
    appliedMapping: name,
  }
}

/** Changes a part of the mapping. */
export function changeMapping(draft: ImportDraft, part: Partial<CsvMapping>): ImportDraft {
  return { ...draft, mapping: { ...draft.mapping, ...part }, appliedMapping: undefined, isChanged: true }
}

/** Sets the decimal separator. */
export function chooseDecimalSign(draft: ImportDraft, decimalSign: DecimalSign): ImportDraft {
  return { ...changeMapping(draft, { decimalSign }), isDecimalSignOpen: false }
}

/** Returns the role of a column. */
export function roleOf({ date, symbolColumns, columns }: CsvMapping, name: string): ColumnRole {
  if (name === date.column) return 'date'
  if (symbolColumns.includes(name)) return 'symbol'
  const mapped = columns.find(({ column }) => column === name)
  return mapped === undefined ? 'none' : (`${mapped.columnType} ${mapped.type}` as ColumnRole)
}

/** Changes the role of a column. A new date column gets the format that fits its cells. */
export function setRole(draft: ImportDraft, name: string, role: ColumnRole): ImportDraft {
  const { mapping, sample } = draft
  const rest = {
    symbolColumns: mapping.symbolColumns.filter((column) => column !== name),
    columns: mapping.columns.filter(({ column }) => column !== name),
    date: mapping.date.column === name ? { ...mapping.date, column: '', dateFormat: '' } : mapping.date,
  }
  const inOrder = <T>(items: T[], nameOf: (item: T) => string) => {
    const positions = new Map(sample.names.map((each, index) => [each, index]))
    return items.toSorted((a, b) => (positions.get(nameOf(a)) ?? 0) - (positions.get(nameOf(b)) ?? 0))
  }
  if (role === 'none') return changeMapping(draft, rest)
  if (role === 'symbol') {
    const symbolColumns = inOrder([...rest.symbolColumns, name], (column) => column)
    // The suggested constant symbol is needed only without symbol columns.
    const constantSymbols = mapping.symbolColumns.length === 0 ? [] : mapping.constantSymbols
    return changeMapping(draft, { ...rest, symbolColumns, constantSymbols })
  }
  const cells = cellsOf(sample, name)
  if (role === 'date') {
    const ambiguity = findDateAmbiguity(cells)
    const dateFormat = ambiguity === undefined ? (detectDateFormatsWithErrors(cells)[0] ?? '') : ''
    const date = { ...mapping.date, column: name, dateFormat }
    return { ...changeMapping(draft, { ...rest, date }), dateAmbiguity: ambiguity }
  }
  const [columnType, type] = role.split(' ') as [MappedColumn['columnType'], MappedColumn['type']]
  const added: MappedColumn = {
    column: name,
    columnType,
    type,
    ...newNameOf(mapping, name),
    ...(type === 'D'
      ? {
          dateFormat: detectDateFormats(cells)[0] ?? mapping.date.dateFormat,
          timezone: mapping.date.timezone,
        }
      : {}),
  }
  return changeMapping(draft, { ...rest, columns: inOrder([...rest.columns, added], ({ column }) => column) })
}

/** Names the values of a column in the series. */
export function renameColumn(draft: ImportDraft, column: string, name: string): ImportDraft {
  return changeMapping(draft, {
    columns: draft.mapping.columns.map((mapped) => {
      if (mapped.column !== column) return mapped
      const { name: _, ...rest } = mapped
      return name === column ? rest : { ...rest, name }
    }),
  })
}

/** Returns the name of a column's values in the series as a field; empty if it is the name of the column. */
function newNameOf({ columns }: CsvMapping, name: string): Pick<MappedColumn, 'name'> {
  const renamed = columns.find(({ column }) => column === name)?.name
  return renamed === undefined ? {} : { name: renamed }
}

/** Returns the roles that a column can have. Roles for dates need cells with dates. */
export function rolesFor(sample: CsvSample, name: string): readonly ColumnRole[] {
  const isDate = detectDateFormats(cellsOf(sample, name).slice(0, 100)).length > 0
  return isDate ? columnRoles : columnRoles.filter((role) => role !== 'Value D')
}

/** Returns the first problem of a draft, which the user must solve before the import. */
export function draftProblem({
  fileName,
  mapping,
  dateAmbiguity,
  isDecimalSignOpen,
}: ImportDraft): string | undefined {
  const { date, constantSymbols, symbolColumns, columns } = mapping
  if (fileName.trim() === '') return 'Enter a name for the series file.'
  if (date.column === '') return 'Choose the date column.'
  if (date.dateFormat === '')
    return dateAmbiguity === undefined
      ? 'Choose the date format.'
      : `Choose the date format: “${dateAmbiguity.example}” can be read in two ways.`
  if (!isDateFormat(date.dateFormat)) return 'Use a date format such as yyyy-MM-dd or dd/MM/yyyy HH:mm.'
  if (date.timezone === '') return 'Choose the time zone of the dates.'
  if (isDecimalSignOpen) return 'Choose the decimal separator: the numbers are ambiguous.'
  if (constantSymbols.some(({ name, value }) => name.trim() === '' || value.trim() === ''))
    return 'Enter a key and a value for the symbol.'
  if (constantSymbols.length + symbolColumns.length === 0)
    return 'Choose a symbol column, or enter a symbol for all rows.'
  if (columns.length === 0) return 'Choose at least one column of values.'
  if (columns.length > maxMappedColumns)
    return `${columns.length.toLocaleString('en')} columns are chosen, and the limit is ${maxMappedColumns.toLocaleString('en')}. Ignore some of them.`
  return problemOfNames(mapping)
}

/** Returns the names of the columns of the series file, except the date. */
export function seriesColumns({ constantSymbols, symbolColumns, columns }: CsvMapping): string[] {
  return [...constantSymbols.map(({ name }) => name), ...symbolColumns, ...columns.map(seriesName)]
}

/** The first rows as they are imported. */
export interface ImportPreview {
  /** Header of the rows. */
  names: readonly string[]
  /** The first rows with their lines. */
  rows: { line: number; cells: readonly string[] }[]
  /** The first different symbols, with their keys and values. */
  symbols: Record<string, string>[]
  /** Number of different symbols in the sample. */
  symbolCount: number
  /**
   * The first symbol and date that several rows of the sample have, with the number of repeated rows; undefined if there are
   * none.
   */
  repeated: { symbol: string; date: string; count: number } | undefined
  /** Problems of the sample. */
  problems: readonly RowProblem[]
}

/** Converts the sample of a complete draft. */
export function previewImport({ sample, mapping }: ImportDraft): ImportPreview {
  const keys = [...mapping.constantSymbols.map(({ name }) => name), ...mapping.symbolColumns]
  const rows: ImportPreview['rows'] = []
  const symbols = new Map<string, Record<string, string>>()
  const points = new Set<string>()
  let repeated: ImportPreview['repeated']
  const converter = new CsvConverter(createZoneClock, mapping, {
    onRow(cells, line) {
      if (rows.length < previewedRows) rows.push({ line, cells: [...cells] })
      const values = cells.slice(0, keys.length)
      const symbol = JSON.stringify(values)
      if (!symbols.has(symbol))
        symbols.set(symbol, Object.fromEntries(keys.map((key, at) => [key, values[at]!])))
      const point = `${symbol} ${cells[keys.length]}`
      if (points.has(point))
        repeated = {
          symbol: repeated?.symbol ?? values.join(' · '),
          date: repeated?.date ?? cells[keys.length]!,
          count: (repeated?.count ?? 0) + 1,
        }
      points.add(point)
    },
  })
  if (sample.hasHeader) converter.pushRow(sample.names, sample.headerLine)
  sample.rows.forEach((row, at) => converter.pushRow(row, sample.lines[at]!))
  return {
    names: converter.outputNames,
    rows,
    symbols: [...symbols.values()].slice(0, previewedSymbols),
    symbolCount: symbols.size,
    repeated,
    problems: converter.problems,
  }
}

/** Returns the first cell of a column that is not empty, for the list of columns. */
export function exampleOf(sample: CsvSample, name: string): string {
  return cellsOf(sample, name).find((cell) => cell.trim() !== '') ?? ''
}

function cellsOf({ names, rows }: CsvSample, name: string): string[] {
  const index = names.indexOf(name)
  return rows.map((row) => row[index] ?? '')
}
