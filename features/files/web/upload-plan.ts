import type { GroupField } from '@headwater/groups/contract'
import { createZoneClock } from '@headwater/zones'
import type { FieldPair } from '../contract/index.ts'

/** A row of metadata in the upload form. */
export interface MetadataRow {
  /** Name of the field. */
  name: string
  /** Value of the field. */
  value: string
  /** Type of the field. */
  type: GroupField['type']
  /** Whether the user added it; fields of the group cannot be removed. */
  removable: boolean
}

/** Fields of the upload form, except the files. */
export interface UploadOptions {
  /** Whether empty cells keep the stored values. */
  partialUpdate: boolean
  /** Whether stored rows are skipped, and a file with only stored rows is a duplicate. */
  avoidDuplicates: boolean
  /** Whether metadata columns are ignored. */
  skipMetadata: boolean
  /** Fields of the group and free metadata. Rows without a name, and fields of the group without a value, are omitted. */
  metadata: MetadataRow[]
  /** Range of the data: date `YYYY-MM-DD` and time `HH:mm`; an empty date is no limit. */
  range: { startDate: string; startTime: string; endDate: string; endTime: string }
}

/** The initial form. */
export const emptyUploadOptions: UploadOptions = {
  partialUpdate: false,
  avoidDuplicates: false,
  skipMetadata: false,
  metadata: [],
  range: { startDate: '', startTime: '00:00', endDate: '', endTime: '23:59' },
}

/**
 * Returns the rows with the fields of a group first. Typed values are preserved; fields of another group are
 * removed.
 */
export function withGroupFields(
  rows: readonly MetadataRow[],
  fields: readonly Pick<GroupField, 'name' | 'type'>[],
): MetadataRow[] {
  const own = fields.map(({ name, type }) => {
    const typed = rows.find((row) => !row.removable && row.name === name)
    return { name, type, value: typed?.value ?? '', removable: false }
  })
  return [...own, ...rows.filter(({ removable }) => removable)]
}

/** Returns the `fields` that an upload sends: metadata, the selected flags, and the range in UTC milliseconds. */
export function uploadFields(
  options: UploadOptions,
  toUtc: (date: string, time: string) => number,
): FieldPair[] {
  const fields: FieldPair[] = options.metadata
    .filter(({ name, value, removable }) => name.trim() !== '' && (removable || value.trim() !== ''))
    .map(({ name, value }) => ({ name: name.trim(), value }))
  if (options.partialUpdate) fields.push({ name: 'PARTIAL_UPDATE', value: 'true' })
  if (options.avoidDuplicates) fields.push({ name: 'AVOID_DUPLICATES', value: 'true' })
  if (options.skipMetadata) fields.push({ name: 'SKIP_METADATA', value: 'true' })
  const { startDate, startTime, endDate, endTime } = options.range
  if (startDate !== '') fields.push({ name: 'dataStart', value: String(toUtc(startDate, startTime)) })
  if (endDate !== '') fields.push({ name: 'dataEnd', value: String(toUtc(endDate, endTime)) })
  return fields
}

/**
 * Converts a local date and time in a time zone to UTC milliseconds. A time that a clock change skips becomes the end of the
 * gap.
 */
export function zonedToUtc(date: string, time: string, timeZone: string): number {
  return createZoneClock(timeZone).toUtc(Date.parse(`${date}T${time}:00Z`))
}

const dateHeader = /^"?\s*date(time|\([^)]+\))?\s*"?$/i

/**
 * Returns the file type that the first line of a text suggests: NCSV if it has a date column that is not the first
 * column, as in series files; otherwise SOURCE.
 */
export function suggestFileType(fileName: string, beginning: string): 'NCSV' | 'SOURCE' {
  if (!isTable(fileName)) return 'SOURCE'
  const header = beginning
    .replace(/^\uFEFF/, '')
    .split(/\r?\n|\r/)
    .find((line) => line.trim() !== '' && !line.startsWith('#'))
  const dateColumn = header?.split(',').findIndex((name) => dateHeader.test(name)) ?? -1
  return dateColumn > 0 ? 'NCSV' : 'SOURCE'
}

/** Returns whether a file name belongs to a table with separators, which may contain series or other data. */
export function isTable(fileName: string): boolean {
  return /\.(csv|ncsv|tsv)$/i.test(fileName)
}
