import type { SchemaElement } from 'hyparquet'
import { parseDateText, parseNumberText } from '../cell-values.ts'

/** Form of the values in a column. */
export type ColumnForm = 'boolean' | 'integer' | 'number' | 'date' | 'localTime' | 'instant' | 'text'

/** Type of a column in a Parquet file, with the conversion of its cells. */
interface FormDefinition {
  /** Type of the column in the schema. */
  element: Pick<SchemaElement, 'type' | 'converted_type' | 'logical_type'>
  /** Converts a non-empty cell to its value. */
  value: (cell: string) => unknown
}

const dayMs = 86_400_000
/** 18 digits fit into 64 bits. */
const integerPattern = /^(?:0|-?[1-9]\d{0,17})$/
/** A double has 17 digits at most. */
const maxDigits = 17

const micros = (cell: string) => {
  const { ms, micros: rest } = parseDateText(cell)!
  return BigInt(ms) * 1000n + BigInt(rest)
}

/** Definition of each form. */
export const columnForms: Readonly<Record<ColumnForm, FormDefinition>> = {
  boolean: { element: { type: 'BOOLEAN' }, value: (cell) => cell.toLowerCase() === 'true' },
  integer: { element: { type: 'INT64' }, value: BigInt },
  number: { element: { type: 'DOUBLE' }, value: Number },
  date: {
    element: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
    value: (cell) => parseDateText(cell)!.ms / dayMs,
  },
  localTime: {
    element: {
      type: 'INT64',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' },
    },
    value: micros,
  },
  instant: {
    element: {
      type: 'INT64',
      converted_type: 'TIMESTAMP_MICROS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    },
    value: micros,
  },
  text: {
    element: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
    value: (cell) => cell,
  },
}

/** Finds the narrowest form that fits all cells of a column. */
export class ColumnClassifier {
  readonly #seen = new Set<ColumnForm>()
  #last: ColumnForm | undefined
  #isText = false

  /** Adds a non-empty cell. */
  add(cell: string): void {
    if (this.#isText) return
    const form = formOf(cell, this.#last)
    if (form === this.#last) return
    this.#last = form
    this.#seen.add(form)
    this.#isText = this.form() === 'text'
  }

  /** Returns the form of the cells so far. */
  form(): ColumnForm {
    const [only] = this.#seen
    if (this.#seen.size <= 1) return only ?? 'text'
    const isEach = (...forms: ColumnForm[]) => [...this.#seen].every((form) => forms.includes(form))
    if (isEach('integer', 'number')) return 'number'
    return isEach('date', 'localTime') ? 'localTime' : 'text'
  }
}

const timeForms: ReadonlySet<ColumnForm | undefined> = new Set<ColumnForm>(['date', 'localTime', 'instant'])

/** @param likely form of the cell above. It is tried first; a cell never has two forms */
function formOf(cell: string, likely: ColumnForm | undefined): ColumnForm {
  const first = cell.charCodeAt(0)
  // A digit or a minus.
  if (first !== 45 && !(first >= 48 && first <= 57))
    return /^(?:true|false)$/i.test(cell) ? 'boolean' : 'text'
  const isTimeLikely = timeForms.has(likely)
  return (isTimeLikely ? timeFormOf(cell) : undefined) ?? numberFormOf(cell) ?? timeFormOf(cell) ?? 'text'
}

function numberFormOf(cell: string): ColumnForm | undefined {
  if (integerPattern.test(cell)) return 'integer'
  return parseNumberText(cell, maxDigits) === undefined ? undefined : 'number'
}

function timeFormOf(cell: string): ColumnForm | undefined {
  const date = parseDateText(cell)
  if (date === undefined) return undefined
  if (!date.hasTime) return 'date'
  return date.zone === '' ? 'localTime' : 'instant'
}
