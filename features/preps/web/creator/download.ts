import { callRaw, saveBlob } from '@headwater/web-kit'
import { streamData } from '@headwater/symbols/contract'
import { toDataQuery, type DataPrepDefinition } from '../../contract/index.ts'

/** Forms of a download, as the setting of the user stores them. */
export const downloadFormats = [
  { value: 'STANDARD', label: 'Standard', extension: 'json' },
  { value: 'FAST_NCSV', label: 'Ncsv', extension: 'csv' },
] as const
export type DownloadFormat = (typeof downloadFormats)[number]['value']

/** Saves the whole answer to a data prep as a file. As Ncsv it is what a run writes. */
export async function downloadPrep(prep: DataPrepDefinition, format: DownloadFormat): Promise<void> {
  const body = { ...toDataQuery(prep), ...(format === 'STANDARD' ? { formatType: 'STANDARD' } : {}) }
  const response = await callRaw(streamData, { body, query: { size: -1 } }, { keep: true })
  const { extension } = downloadFormats.find(({ value }) => value === format)!
  saveBlob(await response.blob(), `${prep.name}.${extension}`)
}
