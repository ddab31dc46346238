import type { SchemaElement } from 'hyparquet'
import { TableError } from '../table.ts'
import type { TableColumnType } from '../table-preview.ts'

/** Formats a non-null value as text. */
export type ColumnText = (value: unknown) => string

const decoder = new TextDecoder('utf-8', { fatal: true })
const unitsPerSecond = { MILLIS: 1000n, MICROS: 1_000_000n, NANOS: 1_000_000_000n }
type Unit = keyof typeof unitsPerSecond
/** First second of the year 0 and last second of the year 9999. */
const firstSecond = -62_167_219_200n
const lastSecond = 253_402_300_799n

/** How the values of a column are displayed. */
export interface ColumnFormat {
  /** Type of the values. */
  type: TableColumnType
  /** Formats a value. */
  text: ColumnText
}

/**
 * Returns the type of a column and the function that formats its values: exact decimals, ISO 8601 dates, texts.
 * @throws TableError for a type that has no text
 */
export function columnFormatOf(element: SchemaElement): ColumnFormat {
  const { name, type, converted_type: converted, logical_type: logical } = element
  const kind = logical?.type
  if (kind === 'DECIMAL' || converted === 'DECIMAL') return { type: 'decimal', text: decimalText(element) }
  if (kind === 'DATE' || converted === 'DATE')
    return { type: 'date', text: (days) => instantText(BigInt(days as number) * 86_400n).slice(0, 10) }
  if (logical?.type === 'TIMESTAMP') return timestampFormat(logical.unit, logical.isAdjustedToUTC ? 'Z' : '')
  if (converted === 'TIMESTAMP_MILLIS') return timestampFormat('MILLIS', 'Z')
  if (converted === 'TIMESTAMP_MICROS') return timestampFormat('MICROS', 'Z')
  if (logical?.type === 'TIME') return { type: 'time', text: timeText(logical.unit) }
  if (converted === 'TIME_MILLIS') return { type: 'time', text: timeText('MILLIS') }
  if (converted === 'TIME_MICROS') return { type: 'time', text: timeText('MICROS') }
  if (kind === 'UUID') return { type: 'text', text: (bytes) => uuidText(bytes as Uint8Array) }
  if (type === 'INT96') return timestampFormat('NANOS', '')
  if (converted?.startsWith('UINT_') || (logical?.type === 'INTEGER' && !logical.isSigned))
    return { type: 'integer', text: unsignedText(element) }
  if (type === 'BOOLEAN') return { type: 'boolean', text: String }
  if (type === 'INT32' || type === 'INT64') return { type: 'integer', text: String }
  if (type === 'DOUBLE') return { type: 'number', text: String }
  if (type === 'FLOAT') return { type: 'number', text: (value) => floatText(value as number) }
  const isText = kind === undefined || ['STRING', 'ENUM', 'JSON'].includes(kind)
  const isOther = converted === 'BSON' || converted === 'INTERVAL'
  if (type === 'BYTE_ARRAY' && isText && !isOther)
    return { type: 'text', text: (bytes) => bytesText(bytes as Uint8Array, name) }
  throw new TableError(
    `The column “${name}” has the type ${parquetTypeOf(element)}, which has no text. Choose other columns.`,
  )
}

/** Returns the Parquet type of a column, such as `DECIMAL`. */
export function parquetTypeOf({
  type,
  converted_type: converted,
  logical_type: logical,
}: SchemaElement): string {
  return logical?.type ?? converted ?? type ?? 'group'
}

function timestampFormat(unit: Unit, zone: string): ColumnFormat {
  return { type: 'timestamp', text: (value) => timestampText(BigInt(value as bigint), unit) + zone }
}

function bytesText(bytes: Uint8Array, name: string): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new TableError(`The column “${name}” contains bytes that are not text. Choose other columns.`)
  }
}

function decimalText({ scale = 0, logical_type: logical }: SchemaElement): ColumnText {
  const digits = logical?.type === 'DECIMAL' ? logical.scale : scale
  if (!(digits >= 0 && digits <= 100))
    throw new TableError(`A decimal number with the scale ${digits} is not supported.`)
  return (value) => {
    const number = value instanceof Uint8Array ? signedInteger(value) : BigInt(value as number | bigint)
    const text = (number < 0n ? -number : number).toString().padStart(digits + 1, '0')
    const sign = number < 0n ? '-' : ''
    return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
  }
}

/** Reads a signed big-endian integer. */
function signedInteger(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
}

function instantText(seconds: bigint): string {
  if (seconds < firstSecond || seconds > lastSecond)
    throw new TableError('The file has a date outside the years 0 to 9999.')
  return new Date(Number(seconds) * 1000).toISOString().slice(0, 19)
}

function timestampText(value: bigint, unit: Unit): string {
  const perSecond = unitsPerSecond[unit]
  const rest = ((value % perSecond) + perSecond) % perSecond
  return instantText((value - rest) / perSecond) + fractionText(rest, perSecond)
}

/** Fractions have 3, 6 or 9 digits. */
function fractionText(rest: bigint, perSecond: bigint): string {
  if (rest === 0n) return ''
  const digits = rest.toString().padStart(perSecond.toString().length - 1, '0')
  return `.${digits.replace(/(?:000)+$/, '')}`
}

function timeText(unit: Unit): ColumnText {
  const perSecond = unitsPerSecond[unit]
  return (value) => {
    const time = BigInt(value as number | bigint)
    const seconds = time / perSecond
    if (time < 0n || seconds >= 86_400n)
      throw new TableError('The file has a time of day outside 00:00 to 24:00.')
    return instantText(seconds).slice(11) + fractionText(time % perSecond, perSecond)
  }
}

function unsignedText({ type }: SchemaElement): ColumnText {
  return type === 'INT64'
    ? (value) => String(BigInt.asUintN(64, value as bigint))
    : (value) => String((value as number) >>> 0)
}

function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Returns the shortest text that parses to the same 32-bit float. */
function floatText(value: number): string {
  for (let digits = 6; digits < 9; digits++) {
    const text = Number(value.toPrecision(digits))
    if (Math.fround(text) === value) return String(text)
  }
  return String(value)
}
