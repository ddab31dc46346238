import { contentReceipt, createFile, type FieldPair } from '@headwater/files/contract'
import { callRaw, uploadBytes } from '@headwater/web-kit'

/** Source of a saved file, stored as its metadata. */
export interface SavedFrom {
  /** Name of the user. */
  userName: string
  /** Name of the insight. */
  insightName: string
  /** Group of the insight. */
  groupName: string
  /** Title of the tile. */
  tileTitle: string
  /** Range that the page sets for the tile, as text. Default: none; the tile has its own range. */
  range?: string | undefined
}

/** A file saved from a tile. */
export interface SavedFile {
  /** Id of the file. */
  fileId: string
  /** Id of the job that processes the file; null without one. */
  jobId: string | null
}

/** Returns the metadata of a file saved from a tile. */
export function savedFields({
  userName,
  insightName,
  groupName,
  tileTitle,
  range = '',
}: SavedFrom): FieldPair[] {
  return [
    { name: 'Saved by', value: userName },
    { name: 'Source name', value: insightName },
    { name: 'Source group', value: groupName },
    { name: 'Source type', value: 'Insight' },
    { name: 'Tile', value: tileTitle },
    { name: 'Range', value: range },
  ].filter(({ value }) => value !== '')
}

/**
 * Saves content as a file of the lake.
 * @throws ApiError, and an error with the message of a rejected file
 */
export async function saveToLake(
  content: Blob,
  { groupName, fileName, from }: { groupName: string; fileName: string; from: SavedFrom },
): Promise<SavedFile> {
  const body = { groupName, fileName, fileType: 'SOURCE', fields: savedFields(from), zipped: false }
  const announced = await callRaw(createFile, { body }, { keep: true })
  const { location, fileId } = (await announced.json()) as { location: string; fileId: string }
  // The URL is absolute for other clients; the browser must stay on its own origin.
  const { pathname, search } = new URL(location)
  const response = await uploadBytes(pathname + search, content)
  const { status, message } = contentReceipt.parse(JSON.parse(response.text))
  if (status === 'REJECTED') throw new Error(message)
  return { fileId, jobId: announced.headers.get('X-KH-JOB-ID') }
}
