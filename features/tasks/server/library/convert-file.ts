import { Readable } from 'node:stream'
import { CsvError, formatCsvRow } from '@headwater/csv'
import { formatFileSize } from '@headwater/contract'
import type { StepOutcome, StepWork } from '@headwater/runs/server'
import { listOf } from '../../core/index.ts'
import type { TaskKind } from '../task-kinds.ts'
import { csvRows } from './csv-stream.ts'
import { JsonError, jsonObjects } from './json-stream.ts'
import {
  failed,
  input,
  libraryKind,
  openFile,
  output,
  safeFileName,
  storeContent,
  storedOutcome,
  when,
  type LibraryFiles,
} from './kind-parts.ts'

/** Objects whose keys become the columns of a CSV file, unless the columns are given. */
const sampledObjects = 1000

class ConversionError extends Error {}

/** Creates the kind of task that converts a file: CSV to JSON, JSON to CSV, CSV to NCSV. Only parts of the file are in memory. */
export function createConvertFile({ files }: { files: LibraryFiles }): TaskKind {
  async function run(work: StepWork): Promise<StepOutcome> {
    const { inputs } = work
    const conversion = conversions[inputs.Conversion || 'CSV to JSON']
    if (conversion === undefined) return failed(`“${inputs.Conversion}” is not a conversion of this task.`)
    const source = await openFile(files, work, 'File to convert')
    const groupName = inputs.Group ?? ''
    const name =
      inputs['File name'] || `${source.fileName.replace(/\.[A-Za-z0-9]{1,5}$/, '')}.${conversion.extension}`
    const fileName = safeFileName(name, `converted.${conversion.extension}`)
    const stream = Readable.from(encoded(conversion.convert(source.stream, inputs)), { objectMode: false })
    try {
      const target = { groupName, fileName, fileType: conversion.fileType }
      const stored = await storeContent(files, work, target, stream)
      return storedOutcome(stored, `Stored ${fileName} (${formatFileSize(stored.size)}) in ${groupName}.`)
    } catch (error) {
      const reason = stream.errored ?? error
      if (reason instanceof ConversionError || reason instanceof CsvError || reason instanceof JsonError)
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
    description: 'Converts CSV to JSON, JSON to CSV, or CSV to NCSV, and stores the result in a group.',
    params: [
      input('File to convert', 'FILE', 'The file, in UTF-8.'),
      input('Conversion', 'CHOICE', 'From and to.', {
        defaultValue: 'CSV to JSON',
        choices: Object.keys(conversions),
      }),
      input('Columns', 'LIST', 'Columns of the CSV file. Default: the keys of the first 1,000 objects.', {
        optional: true,
        condition: when('Conversion', 'JSON to CSV'),
      }),
      input('Symbol columns', 'LIST', 'Columns that identify a series.', {
        condition: when('Conversion', 'CSV to NCSV'),
      }),
      input('Date column', 'TEXT', 'Column with the date of each value.', {
        defaultValue: 'Date',
        condition: when('Conversion', 'CSV to NCSV'),
      }),
      input('Value columns', 'LIST', 'Columns with values. Default: all others.', {
        optional: true,
        condition: when('Conversion', 'CSV to NCSV'),
      }),
      input('Group', 'GROUP', 'Group for the result.'),
      input('File name', 'TEXT', 'Name of the result. Default: that of the file with its new extension.', {
        optional: true,
      }),
      output('File', 'FILE', 'The result.'),
    ],
    repeatable: true,
    run,
  }
}

interface Conversion {
  extension: string
  fileType: string
  convert: (
    stream: AsyncIterable<Uint8Array>,
    inputs: Readonly<Record<string, string>>,
  ) => AsyncGenerator<string>
}

const conversions: Readonly<Record<string, Conversion>> = {
  'CSV to JSON': { extension: 'json', fileType: 'SOURCE', convert: csvToJson },
  'JSON to CSV': { extension: 'csv', fileType: 'SOURCE', convert: jsonToCsv },
  'CSV to NCSV': { extension: 'csv', fileType: 'NCSV', convert: csvToNcsv },
}

/** Joins texts to larger chunks. */
async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let text = ''
  for await (const each of texts) {
    text += each
    if (text.length < 65_536) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}

async function* csvToJson(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let header: string[] | undefined
  let separator = '[\n'
  for await (const { number, cells } of csvRows(stream)) {
    if (header === undefined) {
      header = uniqueHeader(cells)
      continue
    }
    requireWidth(cells, header, number)
    // `__proto__` as a column would set the prototype of a plain object.
    const object = Object.fromEntries(header.map((name, index) => [name, jsonValue(cells[index]!)]))
    yield `${separator}${JSON.stringify(object)}`
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

/** Numbers become numbers if their text is exactly that of the number, so that 007 stays a text. */
function jsonValue(text: string): string | number | null {
  if (text === '') return null
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text ? number : text
}

async function* jsonToCsv(
  stream: AsyncIterable<Uint8Array>,
  { Columns: given = '' }: Readonly<Record<string, string>>,
): AsyncGenerator<string> {
  let columns = given === '' ? undefined : listOf(given)
  const first: Record<string, unknown>[] = []
  let number = 0
  const row = (object: Record<string, unknown>, names: readonly string[]) => {
    number++
    const lost = Object.keys(object).find((key) => !names.includes(key))
    if (lost !== undefined && given === '')
      throw new ConversionError(
        `Object ${number} has the key “${lost}”, which the first ${sampledObjects.toLocaleString('en')} objects do not have. Set the columns.`,
      )
    return `${formatCsvRow(names.map((name) => cellOf(Object.hasOwn(object, name) ? object[name] : '')))}\n`
  }
  const begin = () => {
    columns ??= [...new Set(first.flatMap((object) => Object.keys(object)))]
    if (columns.length === 0) throw new ConversionError('The file has no objects. Nothing was stored.')
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

async function* csvToNcsv(
  stream: AsyncIterable<Uint8Array>,
  inputs: Readonly<Record<string, string>>,
): AsyncGenerator<string> {
  const symbols = listOf(inputs['Symbol columns'] ?? '')
  const date = inputs['Date column'] || 'Date'
  const values = listOf(inputs['Value columns'] ?? '')
  let header: string[] | undefined
  let order: number[] = []
  for await (const { number, cells } of csvRows(stream)) {
    if (header === undefined) {
      header = uniqueHeader(cells)
      const others = header.filter((name) => !symbols.includes(name) && name !== date)
      const names = [...symbols, date, ...(values.length === 0 ? others : values)]
      order = names.map((name) => indexOf(header!, name))
      yield `${formatCsvRow(names.map((name) => (name === date ? 'Date' : name)))}\n`
      continue
    }
    requireWidth(cells, header, number)
    yield `${formatCsvRow(order.map((index) => cells[index]!))}\n`
  }
}

function uniqueHeader(cells: readonly string[]): string[] {
  const names = cells.map((cell) => cell.trim())
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    throw new ConversionError(`The header has the column “${twice}” twice. Rename one of them.`)
  return names
}

function indexOf(header: readonly string[], name: string): number {
  const index = header.indexOf(name)
  if (index < 0)
    throw new ConversionError(`The file has no column “${name}”. Its columns are ${header.join(', ')}.`)
  return index
}

function requireWidth(cells: readonly string[], header: readonly string[], number: number): void {
  if (cells.length !== header.length)
    throw new ConversionError(`Row ${number} has ${cells.length} cells, but the header has ${header.length}.`)
}
