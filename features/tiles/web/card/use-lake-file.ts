import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { downloadFile, searchFiles, type File } from '@headwater/files/contract'
import { readContent as readFile } from '@headwater/files/web'
import type { FileReference } from '@headwater/tile-data/contract'
import { tooLargeText, findLakeFile } from '@headwater/tile-data/web'
import { ApiError, intervals, refreshEvery } from '@headwater/web-kit'
import { useTileNear } from './TileCard.tsx'

/** A file in the lake with its content. */
export interface LakeFile {
  /** The newest loaded version. */
  file: File
  /** Its content. */
  content: Blob
}

/** Loading state of a file. */
export interface LakeFileState {
  /** The file; undefined while it loads. */
  data: LakeFile | undefined
  /** Error of the last attempt; null if it succeeded. */
  error: Error | null
  /** Loads the file again. */
  retry: () => void
  /** Time of the last load in epoch milliseconds; 0 means never. */
  refreshedAt: number
}

/**
 * Loads the newest version of a file in the lake when its tile comes near the viewport. It polls for new versions and reads the content of
 * each version once.
 * @param reference if it is undefined or has no name, nothing is loaded
 * @param limitBytes maximum file size; a larger file is an error
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
    queryFn: async ({ signal }): Promise<LakeFile> => ({
      file: newest!,
      content: await readContent(newest!, limitBytes, signal),
    }),
    placeholderData: (before) => before,
  })
  return {
    data: newest && content.data,
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
  return readFile(file.fid, 'blob', signal)
}
