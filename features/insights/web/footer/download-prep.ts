import { getDataPrepByName, toDataQuery } from '@headwater/preps/contract'
import { streamData } from '@headwater/symbols/contract'
import { loadEscapedCsv } from '@headwater/symbols/web'
import { ApiError, call, callRaw, nothingToDownload, saveBlob } from '@headwater/web-kit'
import { fileNameOf } from '@headwater/tiles/web'
import { noPrepMessage } from '@headwater/tile-data/contract'

/** Maximum offset of the first row, in bytes. */
const headBytes = 1_000_000

/** Saves all rows of a saved data prep as a CSV file for spreadsheets. Throws if the data prep is missing or empty. */
export async function downloadPrep({ groupName, name }: { groupName: string; name: string }): Promise<void> {
  const query = { groupName, name, latest: true, withMetadata: false, resolvePattern: false }
  const prep = await call(getDataPrepByName, { query }).catch((error: unknown) => {
    const isGone = error instanceof ApiError && (error.status === 403 || error.status === 404)
    throw isGone ? new Error(noPrepMessage) : failed(error)
  })
  const request = { body: toDataQuery(prep), query: { size: -1 } }
  const response = await callRaw(streamData, request, { keep: true })
    .then(async (response) => (await loadEscapedCsv()).readEscapedCsv(response))
    .catch((error: unknown) => {
      throw failed(error)
    })
  if (!(await hasRows(response))) throw new Error(nothingToDownload)
  saveBlob(response, fileNameOf(name, 'csv'))
}

function failed(cause: unknown): Error {
  return new Error(nothingToDownload, { cause })
}

/** Returns whether there is content after the header. */
async function hasRows(csv: Blob): Promise<boolean> {
  return /\n[^\r\n]/.test(await csv.slice(0, headBytes).text())
}
