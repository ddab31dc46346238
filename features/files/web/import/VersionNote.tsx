import { useQuery } from '@tanstack/react-query'
import IconVersions from '@tabler/icons-react/dist/esm/icons/IconVersions.mjs'
import { call, routeKey, useSettled } from '@headwater/web-kit'
import { isSeriesFile, previewSeries, searchFiles, type SeriesPreview } from '../../contract/index.ts'
import { columnsText } from './columns-text.ts'
import styles from './VersionNote.module.css'

/** Pause in typing before a name is searched, in milliseconds. */
const settledMs = 300

/** Note that an upload becomes a new version of a file that the group already has. Renders nothing for a new file. */
export function VersionNote({
  groupName,
  fileName,
  fileType,
  columns,
}: {
  /** Group of the upload; null before it is chosen. */
  groupName: string | null
  /** File name of the upload. */
  fileName: string
  /** File type of the upload. */
  fileType: string
  /** Names of the columns of a series file except dates, to compare them with the columns of the stored file. */
  columns?: readonly string[]
}) {
  const name = useSettled(fileName.trim().normalize('NFC'), settledMs)
  const search = { query: { name, groupName: groupName ?? '', latest: true, size: 10 } }
  const matches = useQuery({
    queryKey: routeKey(searchFiles, search),
    queryFn: ({ signal }) => call(searchFiles, search, { signal }),
    enabled: groupName !== null && groupName !== '' && name !== '',
  })
  // The search interprets `*` in a name as a wildcard.
  const file = matches.data?.items.find((each) => each.fileName === name)
  const isCompared = file !== undefined && columns !== undefined && isSeriesFile(file.fileType)
  const preview = { params: { fid: file?.fid ?? '' } }
  const stored = useQuery({
    queryKey: routeKey(previewSeries, preview),
    queryFn: ({ signal }) => call(previewSeries, preview, { signal }),
    enabled: isCompared,
    staleTime: 'static',
  })
  if (file === undefined) return null
  const sentences = [
    `This file becomes version ${file.version + 1} of ${file.fileName}.`,
    file.fileType === fileType ? '' : `The stored file has the type ${file.fileType}.`,
    isCompared && stored.data !== undefined ? columnsText(namesOf(stored.data), columns) : '',
  ]
  return (
    <p className={styles.note} role="status">
      <IconVersions size={15} stroke={1.6} aria-hidden />
      <span>{sentences.filter(Boolean).join(' ')}</span>
    </p>
  )
}

function namesOf({ columns }: SeriesPreview): string[] {
  return columns.flatMap(({ name, kind }) => (kind === 'date' ? [] : [name]))
}
