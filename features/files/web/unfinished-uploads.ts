import { readStoredList, writeStoredList } from '@headwater/web-kit'
import type { PartsTicket } from './upload-in-parts.ts'

const storageKey = 'headwater.unfinishedUploads'
/** Maximum age of an upload to continue, in ms, because its permit expires after a day. */
const maxAgeMs = 23 * 3_600_000
/** Maximum number of stored uploads; the oldest are removed. */
const maxUploads = 50

/** An upload in parts that this browser began. */
interface UnfinishedUpload extends PartsTicket {
  /** See {@link uploadKey}. */
  key: string
  /** Time of the announcement, epoch milliseconds. */
  begun: number
}

/** Returns the key of an upload. It is the same for the same file, details and user. */
export function uploadKey(userName: string, file: File, details: unknown): string {
  return JSON.stringify([userName, file.name, file.size, file.lastModified, details])
}

/** Returns the announcement of an upload that was begun earlier; undefined without one. */
export function findUnfinishedUpload(key: string): PartsTicket | undefined {
  return unfinishedUploads().find((upload) => upload.key === key)
}

/** Stores an upload, so that it continues after a reload of the page. */
export function storeUpload(key: string, { fileId, permit }: PartsTicket): void {
  const upload: UnfinishedUpload = { key, fileId, permit, begun: Date.now() }
  writeStoredList(storageKey, [upload, ...unfinishedUploads()].slice(0, maxUploads))
}

/** Removes an upload that is complete or cannot be continued. */
export function forgetUpload(key: string): void {
  writeStoredList(
    storageKey,
    unfinishedUploads().filter((upload) => upload.key !== key),
  )
}

function unfinishedUploads(): UnfinishedUpload[] {
  return readStoredList(storageKey).filter(
    (item): item is UnfinishedUpload => isUnfinishedUpload(item) && Date.now() - item.begun < maxAgeMs,
  )
}

function isUnfinishedUpload(item: unknown): item is UnfinishedUpload {
  const { key, fileId, permit, begun } = Object(item) as Record<string, unknown>
  return [key, fileId, permit].every((text) => typeof text === 'string') && typeof begun === 'number'
}
