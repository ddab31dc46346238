import { type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useQuery } from '@tanstack/react-query'
import IconFileOff from '@tabler/icons-react/dist/esm/icons/IconFileOff.mjs'
import { getFile, type File } from '@headwater/files/contract'
import { maxCsvBytes } from '@headwater/files/web'
import { call, EmptyState, ErrorState, message, routeKey, type ToolProps } from '@headwater/web-kit'
import { Centered, FileToolHeader } from '../components/FileContent.tsx'
import CodeTool from '../text/CodeTool.tsx'
import { CsvEditor } from './CsvEditor.tsx'
import type { CsvLayout } from './index-csv.ts'
import { type CsvProgress, DamagedCsvError, loadCsv } from './load-csv.ts'

/** Loads a CSV file and opens it as a grid; a small file that is not a table opens as raw text. */
export function CsvTool(props: ToolProps & { isBasic: boolean }) {
  const { isBasic } = props
  const [fid, setFid] = useState(props.id)
  const input = { params: { fid } }
  const file = useQuery({
    queryKey: routeKey(getFile, input),
    queryFn: ({ signal }) => call(getFile, input, { signal }),
    staleTime: 'static',
  })
  if (file.error !== null) return <ErrorState error={file.error} onRetry={() => void file.refetch()} />
  if (file.data === undefined) return <Loading progress="DOWNLOAD" />
  return (
    <LoadedCsv key={file.data.fid} {...props} isBasic={isBasic} file={file.data} onOpenVersion={setFid} />
  )
}

function LoadedCsv({
  file,
  isBasic,
  onOpenVersion,
  ...props
}: ToolProps & { file: File; isBasic: boolean; onOpenVersion: (fid: string) => void }) {
  const [progress, setProgress] = useState<CsvProgress>('DOWNLOAD')
  const [layout, setLayout] = useState<CsvLayout>()
  const [error, setError] = useState<Error>()
  const [attempt, setAttempt] = useState(0)
  const isPreview = file.size > maxCsvBytes
  useEffect(() => {
    const stopped = new AbortController()
    // Displays each phase, even a short one.
    const onProgress = (next: CsvProgress) => flushSync(() => setProgress(next))
    loadCsv(file, { isPreview, isBasic, signal: stopped.signal, onProgress }).then(
      (loaded) => {
        if (!stopped.signal.aborted) setLayout(loaded)
      },
      (reason: Error) => {
        if (stopped.signal.aborted) return
        setError(reason)
        if (!isBasic && reason instanceof DamagedCsvError && !reason.isBinary)
          message('CSV file can not be parsed. Raw file will be displayed.', 'warn')
      },
    )
    return () => stopped.abort()
  }, [file, isPreview, isBasic, attempt])
  if (error instanceof DamagedCsvError) {
    if (!isBasic && !error.isBinary) return <CodeTool {...props} id={file.fid} />
    return (
      <>
        <FileToolHeader file={file} />
        <Centered>
          <EmptyState
            icon={<IconFileOff size={20} stroke={1.6} />}
            title={isBasic ? error.message : 'CSV file can not be parsed'}
          >
            {error.isBinary ? 'The file is not text.' : 'A quote is never closed.'} Download the file to open
            it in another program.
          </EmptyState>
        </Centered>
      </>
    )
  }
  if (error !== undefined)
    return (
      <ErrorState
        error={error}
        onRetry={() => {
          setError(undefined)
          setProgress('DOWNLOAD')
          setAttempt(attempt + 1)
        }}
      />
    )
  if (layout === undefined) return <Loading progress={progress} />
  return (
    <CsvEditor
      file={file}
      suggested={file}
      layout={layout}
      isBasic={isBasic}
      editable={props.editable === true && props.disabled !== true && !isPreview}
      onOpenVersion={onOpenVersion}
      onClose={props.onClose}
    />
  )
}

function Loading({ progress }: { progress: CsvProgress }): ReactNode {
  return (
    <Centered>
      <p role="status">{typeof progress === 'number' ? `${progress}%` : progress}</p>
    </Centered>
  )
}
