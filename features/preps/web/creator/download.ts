import { parseCsv } from '@headwater/csv'
import { callRaw, nothingToDownload, saveBlob } from '@headwater/web-kit'
import { streamData } from '@headwater/symbols/contract'
import { toDataQuery, type DataPrepDefinition } from '../../contract/index.ts'

/** Forms of a download, as the setting of the user stores them. */
export const downloadFormats = [
  { value: 'STANDARD', label: 'Standard', extension: 'json' },
  { value: 'FAST_NCSV', label: 'Ncsv', extension: 'csv' },
] as const
export type DownloadFormat = (typeof downloadFormats)[number]['value']

/** Larger answers have more than a heading. */
const longestHeading = 1024 * 1024

/**
 * Saves the whole answer to a data prep as a file. As Ncsv it is what a run writes.
 * @throws Error when there is no row in it, ApiError when the query fails
 */
export async function downloadPrep(prep: DataPrepDefinition, format: DownloadFormat): Promise<void> {
  const body = { ...toDataQuery(prep), ...(format === 'STANDARD' ? { formatType: 'STANDARD' } : {}) }
  const Accept = format === 'STANDARD' ? 'application/json' : 'text/csv'
  const response = await callRaw(
    streamData,
    { body, query: { size: -1 } },
    { keep: true, headers: { Accept } },
  )
  const answer = await response.blob()
  if (await isWithoutRows(answer, format)) throw new Error(nothingToDownload)
  const { extension } = downloadFormats.find(({ value }) => value === format)!
  saveBlob(answer, `${prep.name}.${extension}`)
}

async function isWithoutRows(answer: Blob, format: DownloadFormat): Promise<boolean> {
  if (answer.size > longestHeading) return false
  const text = await answer.text()
  return format === 'STANDARD' ? /"values":\[\s*\]/.test(text) : parseCsv(text).length < 2
}
