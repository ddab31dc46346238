import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import IconArrowsDiff from '@tabler/icons-react/dist/esm/icons/IconArrowsDiff.mjs'
import IconChartLine from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconRestore from '@tabler/icons-react/dist/esm/icons/IconRestore.mjs'
import IconSitemap from '@tabler/icons-react/dist/esm/icons/IconSitemap.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconUserShare from '@tabler/icons-react/dist/esm/icons/IconUserShare.mjs'
import { useCan, useStoragePages } from '@headwater/accounts/web'
import { useWritableGroups } from '@headwater/groups/web'
import {
  Button,
  call,
  CopyButton,
  DetailsPanel,
  DetailsSection,
  ErrorState,
  Fact,
  Facts,
  FileSize,
  GroupLink,
  links,
  openUsage,
  routeKey,
  Skeleton,
  Time,
  toastError,
} from '@headwater/web-kit'
import { getFile, isSeriesFile, type File } from '../../contract/index.ts'
import { useDownload } from '../download-files.ts'
import { useFileVersions, useRestoreVersion } from '../files-client.ts'
import {
  canCompareVersions,
  canCreateNcsv,
  canRestoreVersion,
  fileToolOf,
  openFileTool,
  openNcsvCreator,
  openSeriesPreview,
  openVersionComparison,
  usedObjectOf,
} from '../file-tools.ts'
import { readContent } from '../read-content.ts'
import { DeleteFilesDialog } from './DeleteFilesDialog.tsx'
import { FileMetadata } from './FileMetadata.tsx'
import { FileToolIcon } from './FileToolIcon.tsx'
import { TransferDialog, useCanTransfer } from './TransferDialog.tsx'
import styles from './FilePanel.module.css'

/** The details of a file beside the list: its properties, metadata and versions. */
export function FilePanel({
  fid,
  onClose,
  onOpen,
}: {
  fid: string
  onClose: () => void
  onOpen: (fid: string) => void
}) {
  const input = { params: { fid } }
  const query = useQuery({
    queryKey: routeKey(getFile, input),
    queryFn: ({ signal }) => call(getFile, input, { signal }),
  })
  return (
    <DetailsPanel id={fid} label="File details" title={query.data?.fileName ?? 'File'} onClose={onClose}>
      {query.error ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.data === undefined && !query.error ? <Skeleton lines={8} /> : null}
      {query.data === undefined ? null : (
        <FileDetails key={fid} file={query.data} onClose={onClose} onOpen={onOpen} />
      )}
    </DetailsPanel>
  )
}

function FileDetails({
  file,
  onClose,
  onOpen,
}: {
  file: File
  onClose: () => void
  onOpen: (fid: string) => void
}) {
  const can = useCan()
  const canWrite = useWritableGroups([file.groupName]).has(file.groupName) && can('Files', 'RW', 'Lake')
  const download = useDownload()
  const hasStoragePages = useStoragePages()
  const [deleted, setDeleted] = useState(false)
  const [isTransferring, setTransferring] = useState(false)
  const canTransfer = useCanTransfer()
  const tool = fileToolOf(file, canWrite)
  return (
    <>
      <div className={styles.actions}>
        {tool === undefined ? null : (
          <Button
            size="small"
            icon={<FileToolIcon action={tool.action} size={14} />}
            onClick={() => openFileTool(file, tool)}
          >
            {tool.action}
          </Button>
        )}
        {isSeriesFile(file.fileType) && tool?.action !== 'Preview' ? (
          <Button
            size="small"
            icon={<FileToolIcon action="Preview" size={14} />}
            onClick={() => openSeriesPreview(file)}
          >
            Preview
          </Button>
        ) : null}
        <Button
          size="small"
          icon={<IconDownload size={14} stroke={1.6} />}
          onClick={() => void download([file])}
        >
          Download
        </Button>
        <Button
          size="small"
          icon={<IconSitemap size={14} stroke={1.6} />}
          onClick={() => openUsage(usedObjectOf(file), file.fileName)}
        >
          Usage
        </Button>
        {canWrite && canCreateNcsv(file) ? (
          <Button
            size="small"
            icon={<IconChartLine size={14} stroke={1.6} />}
            onClick={() => openNcsvCreator(file)}
          >
            Create NCSV
          </Button>
        ) : null}
        {file.fileType === 'INSIGHT' ? (
          <Button size="small" href={links.insight(file.groupName, file.fileName.replace(/\.json$/i, ''))}>
            Open insight
          </Button>
        ) : null}
        {isSeriesFile(file.fileType) && hasStoragePages ? (
          <Button
            size="small"
            href={links.symbols(file.groupName, { fileId: file.fid })}
            icon={<IconChartLine size={14} stroke={1.6} />}
          >
            Show symbols
          </Button>
        ) : null}
        {canWrite && canRestoreVersion(file) ? <RestoreButton file={file} onRestored={onOpen} /> : null}
        {canTransfer(file) ? (
          <Button
            size="small"
            icon={<IconUserShare size={14} stroke={1.6} />}
            onClick={() => setTransferring(true)}
          >
            Transfer ownership
          </Button>
        ) : null}
        {canWrite ? (
          <Button
            size="small"
            variant="dangerQuiet"
            icon={<IconTrash size={14} stroke={1.6} />}
            onClick={() => setDeleted(true)}
          >
            Delete
          </Button>
        ) : null}
      </div>
      <Facts>
        <Fact name="Group">
          <GroupLink href={links.group(file.groupName)}>{file.groupName}</GroupLink>
        </Fact>
        <Fact name="Type">{file.fileType}</Fact>
        <Fact name="Size">
          <FileSize bytes={file.size} />
        </Fact>
        <Fact name="Version">
          {file.version}
          {file.latest ? ' (latest)' : ''}
        </Fact>
        <Fact name="Owner">{file.owner}</Fact>
        <Fact name="Uploaded">
          <Time value={file.arrivalTime} show="datetime" relative />
        </Fact>
        <Fact name="ID">
          <span className={styles.id}>
            <code>{file.fid}</code>
            <CopyButton value={file.fid} label="File id" />
          </span>
        </Fact>
      </Facts>
      <FileMetadata file={file} editable={canWrite} />
      <Versions file={file} canWrite={canWrite} onOpen={onOpen} />
      <TransferDialog file={isTransferring ? file : undefined} onClose={() => setTransferring(false)} />
      <DeleteFilesDialog
        files={deleted ? [file] : []}
        onClose={() => setDeleted(false)}
        onDeleted={onClose}
      />
    </>
  )
}

/** Makes the version the newest one again. */
function RestoreButton({ file, onRestored }: { file: File; onRestored: (fid: string) => void }) {
  const restore = useRestoreVersion()
  const [isReading, setReading] = useState(false)
  async function onClick(): Promise<void> {
    setReading(true)
    try {
      onRestored(await restore.mutateAsync({ file, content: await readContent(file.fid, 'blob') }))
    } catch (error) {
      toastError(error)
      setReading(false)
    }
  }
  return (
    <Button
      size="small"
      icon={<IconRestore size={14} stroke={1.6} />}
      busy={isReading}
      onClick={() => void onClick()}
    >
      {`Restore version ${file.version}`}
    </Button>
  )
}

function Versions({
  file,
  canWrite,
  onOpen,
}: {
  file: File
  canWrite: boolean
  onOpen: (fid: string) => void
}) {
  const versions = useFileVersions(file.fid)
  const pair = comparedVersions(file, versions.data?.items ?? [])
  return (
    <DetailsSection title="Versions">
      {versions.error ? <ErrorState error={versions.error} onRetry={() => void versions.refetch()} /> : null}
      {versions.data === undefined && !versions.error ? <Skeleton lines={3} /> : null}
      <ol className={styles.versions}>
        {versions.data?.items.map((version) => (
          <li key={version.fid} aria-current={version.fid === file.fid || undefined}>
            <button type="button" onClick={() => onOpen(version.fid)}>
              <span>v{version.version}</span>
              <Time value={version.arrivalTime} show="datetime" />
              <span>{version.owner}</span>
              <FileSize bytes={version.size} />
            </button>
          </li>
        ))}
      </ol>
      {pair === undefined ? null : (
        <Button
          size="small"
          icon={<IconArrowsDiff size={14} stroke={1.6} />}
          onClick={() => openVersionComparison(pair.earlier, pair.later, canWrite)}
        >
          {file.latest
            ? `Compare with version ${pair.earlier.version}`
            : `Compare with version ${pair.later.version} (latest)`}
        </Button>
      )}
    </DetailsSection>
  )
}

/** Returns an older version and the newest one, or the newest one and the version before it; undefined if they cannot be compared. */
function comparedVersions(file: File, versions: readonly File[]): { earlier: File; later: File } | undefined {
  if (!canCompareVersions(file)) return undefined
  const sorted = versions.toSorted((a, b) => b.version - a.version)
  const later = sorted.find(({ latest }) => latest)
  const earlier = file.latest ? sorted.find(({ version }) => version < file.version) : file
  return later === undefined || earlier === undefined ? undefined : { earlier, later }
}
