import { useQuery } from '@tanstack/react-query'
import { downloadFile, type File } from '@headwater/files/contract'
import { readContent } from '@headwater/files/web'
import { EmptyState, ErrorState, formatFileSize, routeKey } from '@headwater/web-kit'
import { Loading } from '../components/FileContent.tsx'
import { FileDifference } from '../difference/FileDifference.tsx'
import { maxComparedBytes } from '../size-limits.ts'
import { readText } from './text-content.ts'

/** Compares the newest version of a file with the edits of the user: what a save of the edits changes. */
export function ConflictComparison({
  newest,
  content,
}: {
  newest: File
  /** Returns the edits as content of a file. */
  content: () => Blob
}) {
  const { fid } = newest
  const texts = useQuery({
    queryKey: [...routeKey(downloadFile, { params: { fid } }), 'comparison'],
    queryFn: async ({ signal }) => {
      const mine = content()
      if (Math.max(mine.size, newest.size) > maxComparedBytes) return 'tooLarge'
      const contents = [readContent(fid, 'arraybuffer', signal), mine.arrayBuffer()] as const
      return (await Promise.all(contents)).map((bytes) => readText(bytes)?.text)
    },
    staleTime: 'static',
    // The edits can be different the next time.
    gcTime: 0,
  })
  if (texts.data === undefined)
    return texts.error === null ? (
      <Loading text={`Reading version ${newest.version}`} />
    ) : (
      <ErrorState error={texts.error} onRetry={() => void texts.refetch()} />
    )
  if (texts.data === 'tooLarge')
    return (
      <EmptyState title="These versions are too large to compare">
        The limit is {formatFileSize(maxComparedBytes)}. Download version {newest.version} to compare it in
        another program.
      </EmptyState>
    )
  const [theirs, mine] = texts.data
  if (theirs === undefined || mine === undefined)
    return (
      <EmptyState title={`Version ${newest.version} is not text`}>
        Only UTF-8 text can be compared.
      </EmptyState>
    )
  return (
    <>
      <p>Changes to version {newest.version} if you save yours:</p>
      <FileDifference fileName={newest.fileName} before={theirs} after={mine} />
    </>
  )
}
