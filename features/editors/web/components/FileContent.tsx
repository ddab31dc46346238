import { type ReactNode, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconFileAlert from '@tabler/icons-react/dist/esm/icons/IconFileAlert.mjs'
import { downloadFile, getFile, type File } from '@headwater/files/contract'
import { type ContentRoute, readContent, useDownload } from '@headwater/files/web'
import {
  Button,
  call,
  EmptyState,
  ErrorState,
  formatFileSize,
  routeKey,
  Skeleton,
  ToolHeader,
} from '@headwater/web-kit'
import styles from './FileContent.module.css'

interface Contents {
  blob: Blob
  arraybuffer: ArrayBuffer
}

/** Size in bytes above which files are loaded only after confirmation. */
const largeBytes = 20_000_000

/**
 * Loads the content of a version of a file for a tool. The user confirms the loading of a large file.
 * @param form blob for content that the browser opens, arraybuffer for content that the tool decodes
 * @param route call that returns the content, default the download of any file
 * @param limitBytes maximum size of the content; larger files can only be downloaded
 */
export function FileContent<Form extends keyof Contents>({
  fid,
  form,
  limitBytes,
  confirmsLarge,
  route = downloadFile,
  children,
}: {
  fid: string
  form: Form
  limitBytes: number
  confirmsLarge: boolean
  route?: ContentRoute | undefined
  children: (file: File, content: Contents[Form]) => ReactNode
}) {
  const [isWanted, setWanted] = useState(false)
  const input = { params: { fid } }
  const file = useQuery({
    queryKey: routeKey(getFile, input),
    queryFn: ({ signal }) => call(getFile, input, { signal }),
    staleTime: 'static',
  })
  const size = file.data?.size ?? 0
  const isTooLarge = size > limitBytes
  const isConfirming = confirmsLarge && !isWanted && file.data !== undefined && isLargeFile(file.data)
  const content = useQuery({
    queryKey: [...routeKey(route, input), form],
    queryFn: ({ signal }) => readContent(fid, form, signal, route),
    enabled: file.data !== undefined && !isTooLarge && !isConfirming,
    // Not reloaded, because a version never changes and edits start from the loaded content.
    staleTime: 'static',
    gcTime: 0,
  })
  if (file.data === undefined)
    return file.error === null ? (
      <Loading text="Loading the file" />
    ) : (
      <ErrorState error={file.error} onRetry={() => void file.refetch()} />
    )
  const download = <DownloadButton file={file.data} />
  if (isTooLarge)
    return (
      <Centered>
        <EmptyState
          icon={<IconFileAlert size={20} stroke={1.6} />}
          title="This file is too large to display"
          action={download}
        >
          The file has {formatFileSize(size)}; the limit is {formatFileSize(limitBytes)}. Download it instead.
        </EmptyState>
      </Centered>
    )
  if (isConfirming) return <LargeFile file={file.data} onShow={() => setWanted(true)} />
  if (content.data === undefined)
    return content.error === null ? (
      <Loading text={`Reading ${formatFileSize(size)}`} />
    ) : (
      <ErrorState error={content.error} onRetry={() => void content.refetch()} />
    )
  return children(file.data, content.data)
}

/** Returns whether a file is loaded only after confirmation. */
export function isLargeFile({ size }: Pick<File, 'size'>): boolean {
  return size >= largeBytes
}

/** Asks whether to open a large file. */
export function LargeFile({ file, onShow }: { file: File; onShow: () => void }) {
  return (
    <Centered>
      <EmptyState
        icon={<IconFileAlert size={20} stroke={1.6} />}
        title="Open this large file?"
        action={
          <span className={styles.choices}>
            <DownloadButton file={file} />
            <Button variant="primary" onClick={onShow}>
              Show it
            </Button>
          </span>
        }
      >
        The file has {formatFileSize(file.size)}. Opening it may take a while and use a lot of memory.
      </EmptyState>
    </Centered>
  )
}

/** The header of a tool: name of the file, download, and the buttons of the tool. */
export function FileToolHeader({
  file,
  note,
  children,
}: {
  file: File
  /** Additional information about the file. */
  note?: string
  children?: ReactNode
}) {
  const parts = [file.groupName, `version ${file.version}`, formatFileSize(file.size), note]
  return (
    <ToolHeader
      note={parts.filter(Boolean).join(' · ')}
      actions={
        <>
          <DownloadButton file={file} />
          {children}
        </>
      }
    />
  )
}

function DownloadButton({ file }: { file: File }) {
  const download = useDownload()
  return (
    <Button icon={<IconDownload size={16} stroke={1.6} />} onClick={() => void download([file])}>
      Download
    </Button>
  )
}

/** A message in a tool instead of a file. */
export function Centered({ children }: { children: ReactNode }) {
  return <div className={styles.centered}>{children}</div>
}

/** States what a tool is waiting for. */
export function Loading({ text }: { text: string }) {
  return (
    <div className={styles.loading} role="status">
      <p>{text}…</p>
      <Skeleton lines={8} height={12} />
    </div>
  )
}
