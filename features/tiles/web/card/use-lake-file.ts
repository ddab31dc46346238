import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { downloadFile, searchFiles, type File } from '@headwater/files/contract'
import { ApiError, callRaw, intervals, refreshEvery } from '@headwater/web-kit'
import type { FileReference } from '../../contract/index.ts'
import { tooLargeText } from '../data/file-limit.ts'
import { findLakeFile } from '../data/find-lake-file.ts'
import { useTileNear } from './TileCard.tsx'

/** A file of the lake and its content. */
export interface LakeFile {
  file: File
  content: Blob
}

/** A file that a tile shows, as far as it is here. */
export interface LakeFileState {
  data: LakeFile | undefined
  error: Error | null
  retry: () => void
  /** When it was last asked for, epoch milliseconds; 0 = never. */
  refreshedAt: number
}

/**
 * The newest version of a file of the lake, once its tile comes near the window. A new version takes the place of the
 * old one by itself; the content of a version is read once.
 * @param reference undefined or without a name: nothing is read
 * @param limitBytes the largest content that is read; of a larger file the error says so
 */
export function useLakeFile(reference: FileReference | undefined, limitBytes: number): LakeFileState {
  const { near, visible } = useTileNear()
  const wanted = reference !== undefined && reference.fileName !== '' ? reference : undefined
  const file: UseQueryResult<File> = useQuery({
    queryKey: [searchFiles.name, 'tile', wanted],
    enabled: near && wanted !== undefined,
    queryFn: ({ signal }) => findLakeFile(wanted!, signal),
    refetchInterval: visible ? refreshEvery(intervals.listMs) : false,
  })
  const newest = file.data
  const content = useQuery({
    queryKey: [downloadFile.name, newest?.fid],
    enabled: newest !== undefined,
    staleTime: Infinity,
    queryFn: ({ signal }) => readContent(newest!, limitBytes, signal),
    placeholderData: (before) => before,
  })
  return {
    data: newest && content.data && { file: newest, content: content.data },
    error: file.error ?? content.error,
    retry: () => void (file.error ? file.refetch() : content.refetch()),
    refreshedAt: file.dataUpdatedAt,
  }
}

async function readContent(file: File, limitBytes: number, signal: AbortSignal): Promise<Blob> {
  if (file.size > limitBytes)
    throw new ApiError({
      status: 413,
      code: 'fileTooLarge',
      message: tooLargeText(file.fileName, file.size, limitBytes),
    })
  const response = await callRaw(downloadFile, { params: { fid: file.fid } }, { signal })
  return response.blob()
}
