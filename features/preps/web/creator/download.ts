import { parseCsv } from '@headwater/csv'
import { callRaw, nothingToDownload, saveBlob } from '@headwater/web-kit'
import { streamData } from '@headwater/symbols/contract'
import { loadEscapedCsv } from '@headwater/symbols/web'
import { toDataQuery, type DataPrepDefinition } from '../../contract/index.ts'

/** Formats of a download, as stored in the user settings. */
export const downloadFormats = [
  { value: 'STANDARD', label: 'Standard', extension: 'json' },
  { value: 'FAST_NCSV', label: 'Ncsv', extension: 'csv' },
] as const
/** A value of {@link downloadFormats}. */
export type DownloadFormat = (typeof downloadFormats)[number]['value']

/** Size in bytes above which a result certainly has rows. */
const longestHeading = 1024 * 1024

/**
 * Downloads the whole result of a data prep. As Ncsv with exact values it equals the file of a run; otherwise text that a
 * spreadsheet would run as a formula is escaped.
 * @throws Error if the result has no rows, ApiError if the query fails
 */
export async function downloadPrep(
  prep: DataPrepDefinition,
  format: DownloadFormat,
  { isExact = false }: { isExact?: boolean | undefined } = {},
): Promise<void> {
  const body = { ...toDataQuery(prep), ...(format === 'STANDARD' ? { formatType: 'STANDARD' } : {}) }
  const Accept = format === 'STANDARD' ? 'application/json' : 'text/csv'
  const response = await callRaw(
    streamData,
    { body, query: { size: -1 } },
    { keep: true, headers: { Accept } },
  )
  const isEscaped = format === 'FAST_NCSV' && !isExact
  const blob = isEscaped ? await (await loadEscapedCsv()).readEscapedCsv(response) : await response.blob()
  if (await isWithoutRows(blob, format)) throw new Error(nothingToDownload)
  const { extension } = downloadFormats.find(({ value }) => value === format)!
  saveBlob(blob, `${prep.name}.${extension}`)
}

async function isWithoutRows(blob: Blob, format: DownloadFormat): Promise<boolean> {
  if (blob.size > longestHeading) return false
  const text = await blob.text()
  return format === 'STANDARD' ? /"values":\[\s*\]/.test(text) : parseCsv(text).length < 2
}
