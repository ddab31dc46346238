import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { maxPageSize, pathOf } from '@headwater/contract'
import { ApiError, call, intervals, message, refreshEvery, routeKey, uploadBytes } from '@headwater/web-kit'
import {
  contentReceipt,
  createFile,
  deleteFile,
  getFile,
  isSeriesFile,
  isZippedName,
  listFileVersions,
  saveMarkdown,
  searchFiles,
  transferOwnership,
  updateFile,
  type ContentReceipt,
  type FieldPair,
  type File,
} from '../contract/index.ts'
import { findUnfinishedUpload, forgetUpload, storeUpload, uploadKey } from './unfinished-uploads.ts'
import { minBytesOfParts, uploadInParts, type PartsOptions, type PartsTicket } from './upload-in-parts.ts'

/** Delay after an upload or a save before the list of files is read again, in milliseconds. */
const refreshAfterUploadMs = 3000

/** Fields of an upload in addition to its content. */
export interface UploadRequest {
  /** Group of the file. */
  groupName: string
  /** Name with extension. */
  fileName: string
  /** Type of the file. */
  fileType: string
  /** Metadata and options. */
  fields: FieldPair[]
  /** Whether the content is compressed; default by the extension of the name. */
  zipped?: boolean
}

/** Announces a file, sends its bytes and returns the receipt. */
export async function uploadFile(
  bytes: Blob,
  request: UploadRequest,
  options: {
    onProgress?: (fraction: number) => void
    signal?: AbortSignal
    /**
     * Id of the version that must still be the newest one when the content has arrived; `none`: the group must have no
     * file of this name.
     */
    basedOn?: string
    /** Whether the file gets the metadata of the version `basedOn`. Default false. */
    keepsMetadata?: boolean
    /** If set, an unfinished upload of this user continues. Default: a new upload begins. */
    userName?: string | undefined
    /** Whether one request sends the content, regardless of its size. Default: large contents are sent in parts. */
    inOneRequest?: boolean
  } = {},
): Promise<ContentReceipt> {
  const body = { zipped: isZippedName(request.fileName), ...request }
  const announce = () => call(createFile, { body }, { keep: true, signal: options.signal })
  if (bytes.size >= minBytesOfParts && !options.inOneRequest) {
    const key =
      options.userName !== undefined && bytes instanceof window.File
        ? uploadKey(options.userName, bytes, body)
        : undefined
    return uploadLargeFile(bytes, key, announce, options)
  }
  const ticket = await announce()
  // The URL is absolute for other programs; the browser uses its own origin.
  const { pathname, searchParams } = new URL(ticket.location)
  if (options.basedOn !== undefined) searchParams.set('basedOn', options.basedOn)
  if (options.keepsMetadata) searchParams.set('keepsMetadata', 'true')
  const response = await uploadBytes(`${pathname}?${searchParams.toString()}`, bytes, options)
  return contentReceipt.parse(JSON.parse(response.text))
}

/** Sends content in parts. With a key, continues an unfinished upload that has this key. */
async function uploadLargeFile(
  bytes: Blob,
  key: string | undefined,
  announce: () => Promise<PartsTicket>,
  options: PartsOptions,
): Promise<ContentReceipt> {
  const begun = key === undefined ? undefined : findUnfinishedUpload(key)
  try {
    const ticket = begun ?? (await announce())
    if (key !== undefined && begun === undefined) storeUpload(key, ticket)
    const receipt = await uploadInParts(ticket, bytes, { ...options, isResumed: begun !== undefined })
    if (key !== undefined) forgetUpload(key)
    return receipt
  } catch (error) {
    // The permit has expired, or the content is complete.
    const isOver = error instanceof ApiError && ['linkNotValid', 'contentThere'].includes(error.code)
    if (!isOver || key === undefined || begun === undefined) throw error
    forgetUpload(key)
    return uploadLargeFile(bytes, key, announce, options)
  }
}

/**
 * Saves content as a new version of a file in one request. It gets the metadata that the version `basedOn` has after the
 * transfer.
 * @param details name, group and type of the file
 * @param basedOn id of the version that must still be the newest one
 */
export async function saveFileVersion(
  { groupName, fileName, fileType, zipped }: Pick<File, 'groupName' | 'fileName' | 'fileType' | 'zipped'>,
  content: Blob,
  basedOn: string,
): Promise<ContentReceipt> {
  const request = { groupName, fileName, fileType, fields: [], zipped }
  return uploadFile(content, request, { basedOn, keepsMetadata: true, inOneRequest: true })
}

/** Same as {@link saveFileVersion}, with the route for markdown files. */
export async function saveMarkdownVersion(
  { fileType }: Pick<File, 'fileType'>,
  content: Blob,
  basedOn: string,
): Promise<ContentReceipt> {
  const query = new URLSearchParams({ fileType }).toString()
  const url = `${pathOf(saveMarkdown.path, { fid: basedOn })}?${query}`
  const response = await uploadBytes(url, content, { authorized: true })
  return contentReceipt.parse(JSON.parse(response.text))
}

/**
 * Saves content as a new file in one request.
 * @param base file from which the new one gets its metadata; default none
 * @throws ApiError with the field `fileName` if the group has a file of this name
 */
export async function saveNewFile(
  details: Pick<File, 'groupName' | 'fileName' | 'fileType'>,
  content: Blob,
  base?: File,
): Promise<ContentReceipt> {
  const { groupName, fileName, fileType } = details
  const fields = base === undefined ? [] : fieldsOf(base)
  return uploadFile(
    content,
    { groupName, fileName, fileType, fields },
    { basedOn: 'none', inOneRequest: true },
  )
}

/** Returns the metadata of a file as the fields of an upload. */
function fieldsOf({ fields, dataStart, dataEnd }: File): FieldPair[] {
  return Object.entries({ ...fields, dataStart, dataEnd }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value: typeof value === 'number' ? String(value) : value }],
  )
}

/** Returns the newest version of a file. */
export async function newestFileVersion(fid: string): Promise<File> {
  const { items } = await call(listFileVersions, { params: { fid }, query: { size: 1 } })
  return items[0]!
}

/**
 * Refreshes files and their lists immediately, and once more after the server has had time to work. Resolves when the
 * lists on the screen show the first result, even if reading failed.
 */
export async function refreshFiles(client: QueryClient): Promise<void> {
  const refresh = () =>
    Promise.all(
      [searchFiles, listFileVersions, getFile].map((route) =>
        client.invalidateQueries({ queryKey: routeKey(route) }),
      ),
    )
  setTimeout(() => void refresh(), refreshAfterUploadMs)
  await refresh()
}

/** Makes the content of an earlier version the newest version. Returns the id of the new version. */
export function useRestoreVersion() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ file, content }: { file: File; content: Blob }): Promise<string> => {
      const newest = await newestFileVersion(file.fid)
      const receipt = await saveFileVersion(file, content, newest.fid)
      if (receipt.status === 'REJECTED' || receipt.status === 'DUPLICATE') throw new Error(receipt.message)
      message(
        `Version ${file.version} has been restored as version ${newest.version + 1}.` +
          (isSeriesFile(file.fileType)
            ? ' Its rows replace the stored values. Rows that only newer versions contain stay in the series.'
            : ''),
      )
      await refreshFiles(client)
      return receipt.fileId
    },
  })
}

/** The versions of a file, newest first, at most 1,000. */
export function useFileVersions(fid: string | undefined) {
  const input = { params: { fid: fid ?? '' }, query: { size: maxPageSize } }
  return useQuery({
    queryKey: routeKey(listFileVersions, input),
    queryFn: ({ signal }) => call(listFileVersions, input, { signal }),
    enabled: fid !== undefined,
    refetchInterval: refreshEvery(intervals.listMs),
  })
}

/** The newest version of a file, read again while it is open. */
export function useNewestFileVersion(fid: string | undefined) {
  const input = { params: { fid: fid ?? '' }, query: { size: 1 } }
  return useQuery({
    queryKey: routeKey(listFileVersions, input),
    queryFn: ({ signal }) => call(listFileVersions, input, { signal }),
    select: ({ items }) => items[0],
    enabled: fid !== undefined,
    refetchOnWindowFocus: true,
    refetchInterval: refreshEvery(intervals.listMs),
  })
}

/** All versions of a file that belong to a user. */
export function useOwnedVersions(fid: string, userName: string) {
  const params = { fid }
  return useQuery({
    queryKey: [...routeKey(listFileVersions, { params, query: {} }), 'owned', userName],
    async queryFn({ signal }) {
      const owned: File[] = []
      for (let from = 0; ; from += maxPageSize) {
        const input = { params, query: { from, size: maxPageSize } }
        const { items, totalSize } = await call(listFileVersions, input, { signal })
        owned.push(...items.filter(({ owner }) => owner === userName))
        if (from + items.length >= totalSize || items.length === 0) return owned
      }
    },
  })
}

/** Changes metadata of a file, unless there is a newer version of it. */
export function useUpdateFile(fid: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ fields, metadataVersion }: { fields: FieldPair[]; metadataVersion: number }) =>
      call(updateFile, { params: { fid }, body: { fields, basedOn: metadataVersion } }),
    onSuccess: () => refreshFiles(client),
  })
}

/** Returns a function that reads a file again. */
export function useNewestMetadata(fid: string) {
  const client = useQueryClient()
  const input = { params: { fid } }
  return () =>
    client.fetchQuery({
      queryKey: routeKey(getFile, input),
      queryFn: () => call(getFile, input),
      staleTime: 0,
    })
}

/** Deletes versions of files sequentially. Stops at the first one that cannot be deleted. */
export function useDeleteFiles() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (fids: readonly string[]) => {
      for (const fid of fids) await call(deleteFile, { params: { fid } })
    },
    onSettled: () => refreshFiles(client),
  })
}

/** Transfers the ownership of versions of files to another user: all of them or none. */
export function useTransferFiles() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Parameters<typeof call<typeof transferOwnership>>[1]['body']) =>
      call(transferOwnership, { body }),
    onSuccess: () => refreshFiles(client),
  })
}
