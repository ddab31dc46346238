import { countOf, utcDate } from '@headwater/contract'
import { createHash } from 'node:crypto'
import { CsvError, dateExample, dateFormats, parseDate, toNumberText } from '@headwater/csv'
import { csvRows } from '@headwater/tables'
import type { Clock } from '@headwater/server-kit'
import type { StepOutcome, StepWork } from '@headwater/runs/server'
import { listOf, parseDuration } from '../../core/index.ts'
import type { TaskKind } from '../task-kinds.ts'
import { failed, input, libraryKind, openFile, output, type LibraryFiles } from './kind-parts.ts'

/** Maximum number of distinct rows that are stored to find duplicates. */
const maxKeys = 2_000_000
/** Maximum number of problems in the message. */
const maxProblems = 20
const dayMs = 86_400_000
/** Value of the date format for ISO 8601. */
const isoDates = 'ISO'

/** Creates the kind of task that checks the columns, row count, value range, gaps, duplicates and age of a CSV file. */
export function createCheckFile({ files, clock }: { files: LibraryFiles; clock: Clock }): TaskKind {
  async function run(work: StepWork): Promise<StepOutcome> {
    const { inputs, signal } = work
    const problem = problemOf(inputs)
    if (problem !== undefined) return failed(problem)
    const source = await openFile(files, work, 'File to check')
    const check = new FileCheck(inputs, clock.now())
    try {
      for await (const { number, cells } of csvRows(source.stream)) {
        signal.throwIfAborted()
        check.row(number, cells)
      }
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      check.add(error.message)
    }
    const { problems, rows, count } = check.end()
    const outputs = { File: inputs['File to check'] ?? '', Problems: problems.join('\n'), Rows: String(rows) }
    if (count === 0)
      return { status: 'INFO', message: `All checks passed for ${countOf(rows, 'row')}.`, outputs }
    const more =
      count > problems.length ? `\n… and ${(count - problems.length).toLocaleString('en')} more.` : ''
    const message = `${count === 1 ? '1 problem' : `${count.toLocaleString('en')} problems`} in ${source.fileName}: ${problems.join('\n')}${more}`
    return { status: inputs['On problem'] === 'warn' ? 'WARN' : 'ERROR', message, outputs }
  }

  const optional = { optional: true }
  return {
    ...libraryKind,
    definitionId: 'check-file',
    definitionName: 'check-file',
    readableName: 'Check file',
    category: 'Check',
    description:
      'Checks a CSV file: its columns, rows, ranges, gaps, duplicates and age. Each check applies if it is set.',
    memory: 256,
    params: [
      input('File to check', 'FILE', 'The CSV file, in UTF-8.'),
      input(
        'On problem',
        'CHOICE',
        'block ends the task with an error, warn with a warning. Either stops the run, unless On failure is Continue.',
        {
          defaultValue: 'block',
          choices: ['block', 'warn'],
        },
      ),
      input('Columns', 'LIST', 'Columns that the file must have.', optional),
      input('Minimum rows', 'NUMBER', 'Minimum number of rows below the header.', optional),
      input('Unique columns', 'LIST', 'Columns that together identify a row.', optional),
      input(
        'Number column',
        'TEXT',
        'Column in which each row has a number. Empty cells count as problems.',
        optional,
      ),
      input('Minimum', 'NUMBER', 'Smallest allowed number.', optional),
      input('Maximum', 'NUMBER', 'Largest allowed number.', optional),
      input('Decimal separator', 'CHOICE', 'Decimal separator of the number column: comma for 1.234,5.', {
        defaultValue: 'point',
        choices: ['point', 'comma'],
        condition: { paramName: 'Number column', operator: 'is set', value: '' },
      }),
      input('Date column', 'TEXT', 'Column with dates for the checks of gaps and age.', optional),
      input('Date format', 'CHOICE', `Format of the dates. ${isoDates}: such as 2026-12-31.`, {
        defaultValue: isoDates,
        choices: [isoDates, ...dateFormats],
        condition: { paramName: 'Date column', operator: 'is set', value: '' },
      }),
      input(
        'Longest gap',
        'DURATION',
        'Maximum time between a date and the next one, such as 1d. Finds missing days.',
        optional,
      ),
      input(
        'Oldest newest date',
        'DURATION',
        'Maximum age of the newest date in the file, such as 2d. Finds files that are no longer updated.',
        optional,
      ),
      output('File', 'FILE', 'The checked file.'),
      output('Problems', 'LONG_TEXT', 'The problems, one per line.'),
      output('Rows', 'NUMBER', 'Number of rows below the header.'),
    ],
    repeatable: true,
    problemOf,
    run,
  }
}

function problemOf(inputs: Readonly<Record<string, string>>): string | undefined {
  const range = inputs.Minimum || inputs.Maximum
  if (range && inputs['Number column'] === '') return 'Set the number column for the minimum and the maximum.'
  const dates = inputs['Longest gap'] || inputs['Oldest newest date']
  return dates && inputs['Date column'] === ''
    ? 'Set the date column for the checks of gaps and age.'
    : undefined
}

/** Checks one file row by row. Memory is bounded, except for the digests of unique rows. */
class FileCheck {
  readonly #inputs: Readonly<Record<string, string>>
  readonly #now: Date
  readonly #problems: string[] = []
  #count = 0
  #rows = 0
  #header: readonly string[] | undefined
  #unique: number[] = []
  readonly #keys = new Set<string>()
  #number = -1
  #date = -1
  #previous: number | undefined
  #newest = -Infinity

  constructor(inputs: Readonly<Record<string, string>>, now: Date) {
    this.#inputs = inputs
    this.#now = now
  }

  add(problem: string): void {
    this.#count++
    if (this.#problems.length < maxProblems) this.#problems.push(problem)
  }

  row(number: number, cells: readonly string[]): void {
    if (this.#header === undefined) return this.#readHeader(cells)
    this.#rows++
    if (cells.length !== this.#header.length)
      return this.add(`Row ${number} has ${cells.length} cells, but the header has ${this.#header.length}.`)
    if (this.#unique.length > 0) this.#checkUnique(number, cells)
    if (this.#number >= 0) this.#checkNumber(number, cells[this.#number]!)
    if (this.#date >= 0) this.#checkDate(number, cells[this.#date]!)
    return undefined
  }

  end(): { problems: string[]; rows: number; count: number } {
    const least = Number(this.#inputs['Minimum rows'] || 0)
    if (this.#header === undefined) this.add('The file is empty.')
    else if (this.#rows < least) this.add(`The file has ${this.#rows} rows; at least ${least} are required.`)
    const age = parseDuration(this.#inputs['Oldest newest date'] ?? '')
    if (age !== undefined && this.#date >= 0 && this.#now.getTime() - this.#newest > age)
      this.add(
        this.#newest === -Infinity
          ? 'The file has no date.'
          : `The newest date is ${utcDate(this.#newest)}, older than ${this.#inputs['Oldest newest date']}.`,
      )
    return { problems: this.#problems, rows: this.#rows, count: this.#count }
  }

  #readHeader(cells: readonly string[]): void {
    const header = cells.map((cell) => cell.trim())
    this.#header = header
    for (const name of listOf(this.#inputs.Columns ?? ''))
      if (!header.includes(name)) this.add(`The file has no column “${name}”.`)
    this.#unique = listOf(this.#inputs['Unique columns'] ?? '').map((name) => this.#indexOf(name))
    this.#unique = this.#unique.filter((index) => index >= 0)
    this.#number = this.#indexOf(this.#inputs['Number column'] ?? '')
    this.#date = this.#indexOf(this.#inputs['Date column'] ?? '')
  }

  #indexOf(name: string): number {
    const index = name === '' ? -1 : this.#header!.indexOf(name)
    if (name !== '' && index < 0) this.add(`The file has no column “${name}”, which a check requires.`)
    return index
  }

  #checkUnique(number: number, cells: readonly string[]): void {
    const values = this.#unique.map((index) => cells[index]!)
    const key = createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 22)
    if (this.#keys.has(key))
      return this.add(`Row ${number} repeats an earlier row: ${values.join(', ').slice(0, 80)}.`)
    if (this.#keys.size >= maxKeys) {
      this.#unique = []
      return this.add(`Only the first ${maxKeys.toLocaleString('en')} rows were searched for duplicates.`)
    }
    this.#keys.add(key)
    return undefined
  }

  #checkNumber(number: number, text: string): void {
    const { Minimum: least = '', Maximum: most = '', 'Number column': column = '' } = this.#inputs
    if (text.trim() === '') return this.add(`Row ${number}: “${column}” is empty.`)
    const hasComma = this.#inputs['Decimal separator'] === 'comma'
    const value = Number(hasComma ? (toNumberText(text, ',') ?? Number.NaN) : text)
    if (Number.isNaN(value)) this.add(`Row ${number}: “${text.slice(0, 40)}” in “${column}” is not a number.`)
    else if (least !== '' && value < Number(least))
      this.add(`Row ${number}: ${value} in “${column}” is less than ${least}.`)
    else if (most !== '' && value > Number(most))
      this.add(`Row ${number}: ${value} in “${column}” is greater than ${most}.`)
    return undefined
  }

  #checkDate(number: number, text: string): void {
    const format = this.#inputs['Date format'] || isoDates
    const time = format === isoDates ? isoTimeOf(text.trim()) : timeOf(format, text)
    if (time === undefined) {
      const allowed = format === isoDates ? 'an ISO date' : `a date such as ${dateExample(format)}`
      return this.add(`Row ${number}: “${text.slice(0, 40)}” is not ${allowed}.`)
    }
    const gap = parseDuration(this.#inputs['Longest gap'] ?? '')
    if (gap !== undefined && this.#previous !== undefined && Math.abs(time - this.#previous) > gap)
      this.add(
        `Row ${number}: ${Math.round((Math.abs(time - this.#previous) / dayMs) * 10) / 10} days since the previous date.`,
      )
    this.#previous = time
    this.#newest = Math.max(this.#newest, time)
    return undefined
  }
}

/** Returns the timestamp of an ISO date in milliseconds; undefined for other strings. Dates without a zone are in UTC. */
function isoTimeOf(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}([T ][\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/.test(text)) return undefined
  const hasTime = text.length > 10
  const hasZone = /(Z|[+-]\d{2}:\d{2})$/.test(text.slice(10))
  const time = Date.parse(hasTime && !hasZone ? `${text.replace(' ', 'T')}Z` : text)
  return Number.isNaN(time) ? undefined : time
}

/** Returns the timestamp of a date in a format in milliseconds; undefined for other texts. Dates without a zone are in UTC. */
function timeOf(format: string, text: string): number | undefined {
  const date = parseDate(format, text)
  return date === undefined ? undefined : date.localMs - (date.offsetMs ?? 0)
}
