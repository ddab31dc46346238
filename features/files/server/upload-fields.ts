import { fitsFieldType, type GroupField } from '@headwater/groups/contract'
import { fileErrors, rangeMarkers, uploadFlags, type FieldMap, type FieldPair } from '../contract/index.ts'

/** The parsed `fields` of an upload. */
export interface UploadFields {
  /** Metadata to store. */
  fields: FieldMap
  /** Whether empty cells keep the stored values. */
  partialUpdate: boolean
  /** Whether stored rows are skipped, and a file with only stored rows is a duplicate. */
  avoidDuplicates: boolean
  /** Whether metadata columns are ignored. */
  skipMetadata: boolean
  /** First timestamp of the data, epoch milliseconds; undefined if not sent. */
  dataStart: number | undefined
  /** Last timestamp of the data, epoch milliseconds; undefined if not sent. */
  dataEnd: number | undefined
}

/**
 * Splits the `fields` of an upload into metadata, flags and data range, checks metadata against the fields of the
 * group, and adds the defaults of the group. Fields that the group does not define accept any value.
 */
export function readUploadFields(
  pairs: readonly FieldPair[],
  groupFields: readonly GroupField[],
): UploadFields {
  const { fields, markers } = readFields(pairs, groupFields)
  for (const { name, type, defaultValue } of groupFields)
    if (!fields.has(name) && defaultValue !== undefined && defaultValue !== '')
      fields.set(name, type === 'array' ? parseList(defaultValue) : defaultValue)
  const range = readRange(markers)
  return {
    fields: Object.fromEntries(fields),
    partialUpdate: readFlag(markers, 'PARTIAL_UPDATE'),
    avoidDuplicates: readFlag(markers, 'AVOID_DUPLICATES'),
    skipMetadata: readFlag(markers, 'SKIP_METADATA'),
    ...range,
  }
}

/**
 * Returns metadata after a change. The given fields get their new value, an empty value removes a field, and other fields
 * remain.
 */
export function changeFields(
  stored: FieldMap,
  pairs: readonly FieldPair[],
  groupFields: readonly GroupField[],
): FieldMap {
  const { fields } = readFields(pairs, groupFields)
  const changed = new Map([...Object.entries(stored), ...fields])
  for (const { name, value } of pairs) if (value.length === 0) changed.delete(name)
  return Object.fromEntries(changed)
}

function readFields(pairs: readonly FieldPair[], groupFields: readonly GroupField[]) {
  const types = new Map(groupFields.map((field) => [field.name, field.type]))
  const fields = new Map<string, string | string[]>()
  const markers = new Map<string, string>()
  for (const { name, value } of pairs) {
    if (fields.has(name) || markers.has(name)) throw fileErrors.fieldTwice({ name })
    if (isMarker(name)) markers.set(name, String(value))
    else if (value.length > 0) fields.set(name, typedValue(name, value, types.get(name)))
  }
  return { fields, markers }
}

function isMarker(name: string): boolean {
  return [...uploadFlags, ...rangeMarkers].some((marker) => marker === name)
}

function typedValue(
  name: string,
  value: string | string[],
  type: GroupField['type'] | undefined,
): string | string[] {
  if (type === 'array') return typeof value === 'string' ? parseList(value) : value
  if (type === undefined) return value
  const text = typeof value === 'string' ? value : undefined
  if (text !== undefined && fitsFieldType(text.trim(), type)) return text
  throw fileErrors.metadataNotValid({ name, type, value: String(value).slice(0, 100) })
}

/** Parses a list: a JSON list of strings, or strings separated by commas. */
function parseList(text: string): string[] {
  try {
    const parsed: unknown = JSON.parse(text)
    if (Array.isArray(parsed)) return parsed.map(String)
  } catch {
    // The text is not JSON, so commas separate its items.
  }
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function readFlag(markers: Map<string, string>, name: string): boolean {
  const value = markers.get(name) ?? ''
  if (['true', '1', 'yes'].includes(value.toLowerCase())) return true
  if (['', 'false', '0', 'no'].includes(value.toLowerCase())) return false
  throw fileErrors.flagNotValid({ name, value: value.slice(0, 100) })
}

const largestTimeMs = 8_640_000_000_000_000

function readRange(markers: Map<string, string>) {
  const [dataStart, dataEnd] = rangeMarkers.map((name) => {
    const value = markers.get(name) ?? ''
    if (value === '') return undefined
    const time = Number(value)
    if (Number.isInteger(time) && Math.abs(time) <= largestTimeMs) return time
    throw fileErrors.rangeNotValid({ name, value: value.slice(0, 100) })
  })
  if (dataStart !== undefined && dataEnd !== undefined && dataStart > dataEnd)
    throw fileErrors.rangeNotValid({ name: 'dataStart', value: String(dataStart) })
  return { dataStart, dataEnd }
}
