import { Readable } from 'node:stream'
import { CsvError, dateFormats, formatCsvRow, isDateFormat } from '@headwater/csv'
import { formatFileSize } from '@headwater/contract'
import type { StepOutcome, StepWork } from '@headwater/runs/server'
import {
  bytesOf,
  convertTable,
  csvRows,
  detectedFormat,
  requireHeader,
  requireWidth,
  TableError,
  withPlainValues,
  type ByteSource,
  type TableConversion,
  type ValueTexts,
} from '@headwater/tables'
import { listOf } from '../../core/index.ts'
import type { TaskKind } from '../task-kinds.ts'
import { JsonError, jsonObjects } from './json-stream.ts'
import {
  failed,
  input,
  libraryKind,
  openSource,
  output,
  safeFileName,
  storeContent,
  storedOutcome,
  when,
  type LibraryFiles,
} from './kind-parts.ts'
import { csvToNcsv, problemOfSymbols, seriesColumnsOf, seriesParams } from './series-columns.ts'

/** Number of objects that determine the columns of a CSV file if the columns are not given. */
const sampledObjects = 1000
/** Maximum size of a result relative to its source. Results up to `minResultBytes` are always allowed. */
const maxGrowth = 100
const minResultBytes = 1_000_000_000
/** Maximum length of a sheet name, in characters. */
const maxSheetName = 31

/**
 * Creates the kind of task that converts files between CSV, JSON, NCSV, XLSX and Parquet. Files are streamed, so only parts of
 * them are in memory.
 */
export function createConvertFile({ files }: { files: LibraryFiles }): TaskKind {
  async function run(work: StepWork): Promise<StepOutcome> {
    const { inputs, signal } = work
    const problem = problemOf(inputs)
    if (problem !== undefined) return failed(problem)
    const conversion = conversions[inputs.Conversion || 'CSV to JSON']!
    const { fileName: sourceName, source } = await openSource(files, work, 'File to convert')
    const groupName = inputs.Group ?? ''
    const name =
      inputs['File name'] || `${sourceName.replace(/\.[A-Za-z0-9]{1,7}$/, '')}.${conversion.extension}`
    const fileName = safeFileName(name, `converted.${conversion.extension}`)
    const parts = conversion.convert({ source, inputs, signal })
    const stream = Readable.from(limited(encoded(parts), source.sizeBytes), { objectMode: false })
    try {
      const target = { groupName, fileName, fileType: conversion.fileType }
      const stored = await storeContent(files, work, target, stream)
      return storedOutcome(stored, `Stored ${fileName} (${formatFileSize(stored.size)}) in ${groupName}.`)
    } catch (error) {
      const reason = stream.errored ?? error
      if (reason instanceof TableError || reason instanceof CsvError || reason instanceof JsonError)
        return failed(reason.message)
      throw error
    }
  }

  return {
    ...libraryKind,
    definitionId: 'convert-file',
    definitionName: 'convert-file',
    readableName: 'Convert file',
    category: 'Transform',
    description:
      'Converts a file between CSV, JSON, NCSV, XLSX and Parquet, and stores the result in a group.',
    memory: 512,
    timeout: 3600,
    params: [
      input('File to convert', 'FILE', 'A CSV, JSON, XLSX or Parquet file. Text files must be in UTF-8.'),
      input('Conversion', 'CHOICE', 'Source and target format.', {
        defaultValue: 'CSV to JSON',
        choices: Object.keys(conversions),
      }),
      input('Sheet', 'TEXT', 'Name of the sheet. Default: the first one.', {
        optional: true,
        condition: when('Conversion', 'XLSX to CSV', 'XLSX to NCSV'),
      }),
      input(
        'Header row',
        'NUMBER',
        'Number of the row with the column names, from 1. Default: the first row with content.',
        {
          optional: true,
          condition: when('Conversion', 'XLSX to CSV', 'XLSX to NCSV'),
        },
      ),
      input(
        'Columns',
        'LIST',
        'Columns of the result. Default: all columns, or the keys of the first 1,000 objects.',
        { optional: true, condition: when('Conversion', 'JSON to CSV', 'Parquet to CSV', 'Parquet to NCSV') },
      ),
      input(
        'Decimal separator',
        'CHOICE',
        'comma: values such as 1.234,5 become numbers. point: all cells remain unchanged.',
        {
          defaultValue: 'point',
          choices: ['point', 'comma'],
          condition: fromTexts,
        },
      ),
      input(
        'Date format',
        'CHOICE',
        'Format of the dates in the file; they become ISO dates. unchanged: all cells remain unchanged. detect: the format of each column is detected.',
        {
          defaultValue: unchangedDates,
          choices: [unchangedDates, detectedFormat, ...dateFormats],
          condition: fromTexts,
        },
      ),
      input(
        'Date columns',
        'LIST',
        'Columns that contain dates. Default for NCSV: the date column; otherwise the columns with first values in this format.',
        { optional: true, condition: fromTexts },
      ),
      ...seriesParams(toSeries),
      input(
        'Group',
        'GROUP',
        'Group in which the result is stored. NCSV results are also ingested as series.',
      ),
      input(
        'File name',
        'TEXT',
        'Name of the result. Default: the name of the file with the new extension.',
        {
          optional: true,
        },
      ),
      output('File', 'FILE', 'The result.'),
    ],
    repeatable: true,
    problemOf,
    run,
  }
}

/** Value of the date format with which all cells remain unchanged. */
const unchangedDates = 'unchanged'
const csvTargets = ['JSON', 'NCSV', 'XLSX', 'Parquet']
/** Conversions from sources that can contain numbers and dates as strings. */
const fromTexts = when(
  'Conversion',
  ...csvTargets.map((format) => `CSV to ${format}`),
  'XLSX to CSV',
  'XLSX to NCSV',
)
const toSeries = when('Conversion', 'CSV to NCSV', 'XLSX to NCSV', 'Parquet to NCSV')

function problemOf(inputs: Readonly<Record<string, string>>): string | undefined {
  const {
    Conversion: name = '',
    'Header row': row = '',
    Sheet: sheet = '',
    'Date format': format = '',
  } = inputs
  if (name !== '' && !Object.hasOwn(conversions, name))
    return `“${name.slice(0, 40)}” is not a conversion of this task.`
  if (row !== '' && !/^[1-9]\d{0,6}$/.test(row)) return 'The header row must be a number from 1.'
  if (!['', unchangedDates, detectedFormat].includes(format) && !isDateFormat(format))
    return `“${format.slice(0, 40)}” is not a date format such as dd.MM.yyyy.`
  if (sheet.length > maxSheetName) return `The name of a sheet can have at most ${maxSheetName} characters.`
  return conversions[name]?.extension === 'ncsv' ? problemOfSymbols(inputs) : undefined
}

/** Input of a conversion. */
interface ConversionWork {
  source: ByteSource
  inputs: Readonly<Record<string, string>>
  signal: AbortSignal
}

type Parts = AsyncIterable<Uint8Array | string>

interface Conversion {
  extension: string
  fileType: string
  convert: (work: ConversionWork) => Parts
}

const conversions: Readonly<Record<string, Conversion>> = {
  'CSV to JSON': {
    extension: 'json',
    fileType: 'SOURCE',
    convert: ({ source, inputs }) => csvToJson(bytesOf(source), textsOf(inputs)),
  },
  'CSV to NCSV': {
    extension: 'ncsv',
    fileType: 'NCSV',
    convert: ({ source, inputs }) =>
      csvToNcsv(bytesOf(source), seriesColumnsOf(inputs), undefined, seriesTextsOf(inputs)),
  },
  'CSV to XLSX': { extension: 'xlsx', fileType: 'SOURCE', convert: inProcess('CSV to XLSX') },
  'CSV to Parquet': { extension: 'parquet', fileType: 'SOURCE', convert: inProcess('CSV to Parquet') },
  'JSON to CSV': {
    extension: 'csv',
    fileType: 'SOURCE',
    convert: ({ source, inputs }) => jsonToCsv(bytesOf(source), inputs),
  },
  'XLSX to CSV': { extension: 'csv', fileType: 'SOURCE', convert: inProcess('XLSX to CSV') },
  'XLSX to NCSV': seriesFrom('XLSX to CSV'),
  'Parquet to CSV': { extension: 'csv', fileType: 'SOURCE', convert: inProcess('Parquet to CSV') },
  'Parquet to NCSV': seriesFrom('Parquet to CSV'),
}

function textsOf(inputs: Readonly<Record<string, string>>): ValueTexts {
  const { 'Decimal separator': separator, 'Date format': format = '', 'Date columns': columns = '' } = inputs
  return {
    decimalSign: separator === 'comma' ? ',' : '.',
    dateFormat: format === '' || format === unchangedDates ? undefined : format,
    dateColumns: listOf(columns),
  }
}

/**
 * Returns the formats for a conversion to series: symbols are not converted to numbers, and the date column is converted by
 * default.
 */
function seriesTextsOf(inputs: Readonly<Record<string, string>>): ValueTexts {
  const { symbols, date } = seriesColumnsOf(inputs)
  const { dateColumns = [], ...texts } = textsOf(inputs)
  return { ...texts, textColumns: [...symbols, date], dateColumns: [date, ...dateColumns] }
}

/** Returns a conversion that runs in a separate process. */
function inProcess(
  formats: TableConversion['formats'],
  texts = textsOf,
): (work: ConversionWork) => AsyncIterable<Uint8Array> {
  return ({ source, inputs, signal }) => {
    const { Sheet: sheet, 'Header row': row, Columns: columns = '' } = inputs
    const conversion: TableConversion = {
      formats,
      sheet: sheet || undefined,
      headerRow: row ? Number(row) : undefined,
      columns: columns === '' ? [] : listOf(columns),
      ...texts(inputs),
    }
    return convertTable(source, conversion, signal)
  }
}

function seriesFrom(formats: TableConversion['formats']): Conversion {
  const toCsv = inProcess(formats, seriesTextsOf)
  return {
    extension: 'ncsv',
    fileType: 'NCSV',
    convert: (work) => csvToNcsv(toCsv(work), seriesColumnsOf(work.inputs), ','),
  }
}

/**
 * Ends a conversion if the result becomes far larger than its source, for example because many cells of a workbook refer to one
 * long string.
 */
async function* limited(chunks: AsyncIterable<Uint8Array>, sourceBytes: number): AsyncGenerator<Uint8Array> {
  const maxBytes = Math.max(minResultBytes, maxGrowth * sourceBytes)
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.byteLength
    if (bytes > maxBytes)
      throw new TableError(
        `The result would be larger than ${formatFileSize(maxBytes)}, more than ${maxGrowth} times the file. Split the file, or choose fewer columns.`,
      )
    yield chunk
  }
}

/** Joins strings into larger chunks. */
async function* encoded(parts: Parts): AsyncGenerator<Uint8Array> {
  let text = ''
  for await (const part of parts) {
    if (typeof part !== 'string') {
      yield part
      continue
    }
    text += part
    if (text.length < 65_536) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}

async function* csvToJson(stream: AsyncIterable<Uint8Array>, texts: ValueTexts): AsyncGenerator<string> {
  let header: string[] | undefined
  let separator = '[\n'
  for await (const row of withPlainValues(csvRows(stream), texts)) {
    const { cells } = row
    if (header === undefined) {
      header = requireHeader(cells)
      continue
    }
    requireWidth(row, header)
    // A column named `__proto__` would set the prototype of a plain object.
    const object = Object.fromEntries(header.map((name, index) => [name, jsonValue(cells[index]!)]))
    yield `${separator}${JSON.stringify(object)}`
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

/** Converts a cell to a number only if it is the canonical form of that number, so that 007 remains a string. */
function jsonValue(text: string): string | number | null {
  if (text === '') return null
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text ? number : text
}

async function* jsonToCsv(
  stream: AsyncIterable<Uint8Array>,
  { Columns: given = '' }: Readonly<Record<string, string>>,
): AsyncGenerator<string> {
  let columns = given === '' ? undefined : requireHeader(listOf(given))
  const first: Record<string, unknown>[] = []
  let number = 0
  let known: ReadonlySet<string> = new Set()
  const row = (object: Record<string, unknown>, names: readonly string[]) => {
    number++
    const lost = given === '' ? Object.keys(object).find((key) => !known.has(key)) : undefined
    if (lost !== undefined)
      throw new TableError(
        `Object ${number} has the key “${lost}”, which the first ${sampledObjects.toLocaleString('en')} objects do not have. Set the columns.`,
      )
    return `${formatCsvRow(names.map((name) => cellOf(Object.hasOwn(object, name) ? object[name] : '')))}\n`
  }
  const begin = () => {
    known = new Set(first.flatMap((object) => Object.keys(object)))
    columns ??= requireHeader([...known])
    if (columns.length === 0) throw new TableError('The file has no objects. Nothing was stored.')
    const names = columns
    return [`${formatCsvRow(names)}\n`, ...first.splice(0).map((object) => row(object, names))]
  }
  let hasBegun = false
  for await (const object of jsonObjects(stream)) {
    if (hasBegun) yield row(object, columns!)
    else {
      first.push(object)
      if (first.length < sampledObjects) continue
      hasBegun = true
      yield* begin()
    }
  }
  if (!hasBegun) yield* begin()
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
