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

const dayMicros = 86_400_000_000n
/** 18 digits fit into 64 bits. */
const integerPattern = /^(?:0|-?[1-9]\d{0,17})$/
/** A double has 17 digits at most. */
const maxDigits = 17

const micros = (cell: string) => parseDateText(cell)!.micros

/** The forms of columns, by name. */
export const columnForms: Readonly<Record<ColumnForm, FormDefinition>> = {
  boolean: { element: { type: 'BOOLEAN' }, value: (cell) => cell.toLowerCase() === 'true' },
  integer: { element: { type: 'INT64' }, value: BigInt },
  number: { element: { type: 'DOUBLE' }, value: Number },
  date: {
    element: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
    value: (cell) => Number(micros(cell) / dayMicros),
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
  #isText = false

  /** Adds a non-empty cell. */
  add(cell: string): void {
    if (this.#isText) return
    this.#seen.add(formOf(cell))
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

function formOf(cell: string): ColumnForm {
  const first = cell.charCodeAt(0)
  // A digit or a minus.
  if (first === 45 || (first >= 48 && first <= 57)) {
    if (integerPattern.test(cell)) return 'integer'
    if (parseNumberText(cell, maxDigits) !== undefined) return 'number'
    const date = parseDateText(cell)
    if (date === undefined) return 'text'
    if (!date.hasTime) return 'date'
    return date.zone === '' ? 'localTime' : 'instant'
  }
  return /^(?:true|false)$/i.test(cell) ? 'boolean' : 'text'
}
