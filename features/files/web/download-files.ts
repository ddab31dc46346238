import { useQueryClient } from '@tanstack/react-query'
import { ApiError, call, callRaw, message, reportError, toastError } from '@headwater/web-kit'
import { createArchive, getFile, type File } from '../contract/index.ts'
import { refreshFiles } from './files-client.ts'

/** Pause between the downloads of several files, in milliseconds. */
const betweenDownloadsMs = 1000

type Downloaded = Pick<File, 'fid' | 'fileName'>

/**
 * Returns a function that downloads files, either one per second, each in a new tab, so that the browser offers to save it,
 * or as one archive. An error message contains the name of the file. If a listed file no longer exists, the lists are
 * refreshed.
 */
export function useDownload() {
  const client = useQueryClient()
  return async (files: readonly Downloaded[], { asArchive = false } = {}): Promise<void> => {
    try {
      await (asArchive ? downloadArchive(files) : downloadFiles(files))
    } catch (error) {
      toastError(error)
      if (error instanceof MissingFileError) await refreshFiles(client)
    }
  }
}

/** Error for a listed file that can no longer be read. */
class MissingFileError extends Error {
  constructor({ fileName }: Downloaded) {
    super(`“${fileName}” was not downloaded. It was deleted, or you no longer have access to it.`)
  }
}

async function downloadFiles(files: readonly Downloaded[]): Promise<void> {
  for (const [index, file] of files.entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, betweenDownloadsMs))
    const response = await callRaw(getFile, { params: { fid: file.fid } }).catch((error: unknown) => {
      throw withName(error, file)
    })
    const location = response.headers.get('Location')
    if (location === null) {
      reportError(new Error(`The response to file ${file.fid} has no Location header`))
      throw new ApiError({ status: 500, code: 'noLocation', message: 'Internal server error' })
    }
    openInNewTab(location)
    message('Download started.')
  }
}

async function downloadArchive(files: readonly Downloaded[]): Promise<void> {
  const body = { fileIds: files.map(({ fid }) => fid) }
  const { location } = await call(createArchive, { body }).catch((error: unknown) => {
    const refused = error instanceof ApiError ? error.validationErrors[0] : undefined
    const at = /^fileIds\[(\d+)\]$/.exec(refused?.field ?? '')?.[1]
    throw withName(error, files[Number(at)])
  })
  openInNewTab(location)
  message('Download started.')
}

function withName(error: unknown, file: Downloaded | undefined): unknown {
  const isMissing = error instanceof ApiError && error.code === 'fileNotFound'
  return isMissing && file !== undefined ? new MissingFileError(file) : error
}

/** Opens a URL of the server in a new tab. The URL is absolute for other programs; the browser uses its own origin. */
function openInNewTab(address: string): void {
  const { pathname, search } = new URL(address)
  window.open(pathname + search, '_blank', 'noopener')
}
