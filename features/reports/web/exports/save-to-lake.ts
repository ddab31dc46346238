import { contentReceipt, createFile, type FieldPair } from '@headwater/files/contract'
import { callRaw, uploadBytes } from '@headwater/web-kit'

/** Where what is saved comes from; it becomes metadata of the file. */
export interface SavedFrom {
  userName: string
  insightName: string
  groupName: string
  tileTitle: string
  /** The range that the page chose for the tile, in words; absent = it has its own. */
  range?: string | undefined
}

/** What came of saving a tile as a file. */
export interface SavedFile {
  fileId: string
  /** The job that takes the file over; null when the server named none. */
  jobId: string | null
}

/** The metadata of a file that was saved from a tile. */
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

/** Saves content as a file of the lake. Throws what the server refuses. */
export async function saveToLake(
  content: Blob,
  { groupName, fileName, from }: { groupName: string; fileName: string; from: SavedFrom },
): Promise<SavedFile> {
  const body = { groupName, fileName, fileType: 'SOURCE', fields: savedFields(from), zipped: false }
  const announced = await callRaw(createFile, { body }, { keep: true })
  const { location, fileId } = (await announced.json()) as { location: string; fileId: string }
  // The address is absolute for other programs; the browser stays on its own origin.
  const { pathname, search } = new URL(location)
  const answer = await uploadBytes(pathname + search, content)
  const { status, message } = contentReceipt.parse(JSON.parse(answer.text))
  if (status === 'REJECTED') throw new Error(message)
  return { fileId, jobId: announced.headers.get('X-KH-JOB-ID') }
}
