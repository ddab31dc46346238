import { type ReactNode, useState } from 'react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useSession } from '@headwater/accounts/web'
import { CodeField, FileDifference, originalText, readText, type TextContent } from '@headwater/editors/web'
import { downloadFile, type File, searchFiles } from '@headwater/files/contract'
import { readContent } from '@headwater/files/web'
import { maxValueLength } from '@headwater/tasks/contract'
import {
  Button,
  call,
  Dialog,
  EmptyState,
  ErrorNote,
  ErrorState,
  formatFileSize,
  message,
  routeKey,
  Select,
  Skeleton,
} from '@headwater/web-kit'
import { usePipelineCalls } from '../pipelines-client.ts'
import { useGeneratedValues } from './GeneratedValues.tsx'
import { type FileParam, objectIdsOf } from './run-files.ts'
import styles from './EditFileDialog.module.css'

const widthPx = 960

/** The paused task whose file is edited. */
export interface PausedTask {
  /** Id of the pipeline. */
  pipelineId: string
  /** Job of the run. */
  jobId: string
  /** Id of the task within the pipeline. */
  nodeId: string
  /** Name of the task. */
  name: string
  /** Inputs of the task; empty if they are not known. */
  params: readonly FileParam[]
}

/** Edits a file of a paused run. The user sees the change as a difference before it is stored and the task starts. */
export default function EditFileDialog({
  task,
  onClose,
  onDone,
}: {
  task: PausedTask
  onClose: () => void
  /** Called after the server has accepted the decision. */
  onDone: () => void
}) {
  const { files, error, refetch } = useRunFiles(task)
  const [chosen, setChosen] = useState<string>()
  const file = files?.find(({ fid }) => fid === chosen) ?? files?.[0]
  if (file === undefined)
    return (
      <Dialog open title={`Edit a file for ${task.name}`} onClose={onClose} width={widthPx}>
        {error !== null ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : files === undefined ? (
          <Skeleton lines={6} />
        ) : (
          <EmptyState title="No files">
            Neither the inputs of this task nor the outputs of this run include a file that you can read.
          </EmptyState>
        )}
      </Dialog>
    )
  return (
    <FileEdit
      key={file.fid}
      task={task}
      file={file}
      choice={
        <Select
          label="File"
          value={file.fid}
          options={files!.map(({ fid, fileName, groupName }) => ({
            value: fid,
            label: `${fileName} · ${groupName}`,
          }))}
          onChange={(fid) => setChosen(fid ?? undefined)}
        />
      }
      onClose={onClose}
      onDone={onDone}
    />
  )
}

function FileEdit({
  task,
  file,
  choice,
  onClose,
  onDone,
}: {
  task: PausedTask
  file: File
  /** Field that chooses the file. */
  choice: ReactNode
  onClose: () => void
  onDone: () => void
}) {
  const original = useFileText(file)
  const [text, setText] = useState<string>()
  const [isReview, setReview] = useState(false)
  const { decide, isSending, error } = useDecision(task, () => {
    onClose()
    onDone()
  })
  const before = original.data
  const isText = before !== undefined && before !== 'binary' && before !== 'large'
  const isChanged = isText && text !== undefined && text !== before.text
  const content = isChanged ? originalText(text, before) : undefined
  return (
    <Dialog
      open
      title={isReview ? `Review changes to ${file.fileName}` : `Edit a file for ${task.name}`}
      width={widthPx}
      busy={isSending}
      onClose={onClose}
      actions={
        isReview && content !== undefined ? (
          <>
            <Button disabled={isSending} onClick={() => setReview(false)}>
              Back to editing
            </Button>
            <Button variant="dangerQuiet" disabled={isSending} onClick={() => void decide(false)}>
              Decline task
            </Button>
            <Button
              variant="primary"
              busy={isSending}
              onClick={() =>
                void decide(true, {
                  groupName: file.groupName,
                  fileName: file.fileName,
                  fileType: file.fileType,
                  fileId: file.fid,
                  content,
                })
              }
            >
              Accept and approve
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              variant="primary"
              disabled={content === undefined || content.length > maxValueLength}
              onClick={() => setReview(true)}
            >
              Review changes
            </Button>
          </>
        )
      }
    >
      <div className={styles.body}>
        {isReview && isChanged ? (
          <>
            <p className={styles.note}>
              {`Accepting stores a new version of ${file.fileName} in ${file.groupName} and starts ${task.name}. The tasks of this run that have not started use the new version.`}
            </p>
            <FileDifference fileName={file.fileName} before={before.text} after={text} />
          </>
        ) : (
          <>
            {choice}
            {original.error !== null ? (
              <ErrorState error={original.error} onRetry={() => void original.refetch()} />
            ) : before === undefined ? (
              <Skeleton lines={8} />
            ) : !isText ? (
              <EmptyState title="This file cannot be edited here">
                {before === 'binary'
                  ? 'The file is not UTF-8 text.'
                  : `The file is ${formatFileSize(file.size)}; the limit is ${formatFileSize(maxValueLength)}. Edit it in the data lake.`}
              </EmptyState>
            ) : (
              <div className={styles.editor}>
                <CodeField
                  label="Content"
                  value={text ?? before.text}
                  fileName={file.fileName}
                  editable
                  error={
                    content !== undefined && content.length > maxValueLength
                      ? `The content is too long: at most ${maxValueLength.toLocaleString('en')} characters are allowed.`
                      : undefined
                  }
                  onChange={setText}
                />
              </div>
            )}
          </>
        )}
        {error === undefined ? null : <ErrorNote error={error} />}
      </div>
    </Dialog>
  )
}

interface FileEditPayload {
  groupName: string
  fileName: string
  fileType: string
  fileId: string
  content: string
}

/** Sends a decision about the task, with the edited file if there is one. */
function useDecision(task: PausedTask, onDone: () => void) {
  const calls = usePipelineCalls()
  const { userName } = useSession()
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<unknown>()
  async function decide(isApproved: boolean, edit?: FileEditPayload): Promise<void> {
    setSending(true)
    setError(undefined)
    try {
      const edits = edit === undefined ? [] : [{ action: 'FILE_EDIT' as const, payload: edit }]
      await calls.decide(task.jobId, { nodeId: task.nodeId, isApproved, userName, edits })
      if (edit !== undefined) message('New version of file has been saved.')
      onDone()
    } catch (problem) {
      setError(problem)
      setSending(false)
    }
  }
  return { decide, isSending, error }
}

/** Returns the files that tasks of a run use or have passed on. Excludes files that the user cannot read. */
function useRunFiles({ pipelineId, jobId, params }: PausedTask) {
  const values = useGeneratedValues(pipelineId, jobId, false)
  const ids = values.data === undefined ? [] : objectIdsOf(params, values.data)
  const found = useQueries({
    queries: ids.map((id) => {
      const query = { query: `uuid=${id}`, size: 1 }
      return {
        queryKey: routeKey(searchFiles, { query }),
        queryFn: async ({ signal }: { signal: AbortSignal }) =>
          (await call(searchFiles, { query }, { signal })).items,
        staleTime: 'static' as const,
      }
    }),
  })
  const error = values.error ?? found.find((each) => each.error !== null)?.error ?? null
  const isLoaded = values.data !== undefined && found.every(({ data }) => data !== undefined)
  return {
    files: isLoaded ? found.flatMap(({ data }) => data!) : undefined,
    error,
    refetch: () => {
      void values.refetch()
      for (const each of found) void each.refetch()
    },
  }
}

/** Returns the text of a version of a file; `binary` or `large` if it cannot be edited. */
function useFileText({ fid, size }: File) {
  const input = { params: { fid } }
  return useQuery({
    queryKey: [...routeKey(downloadFile, input), 'text'],
    queryFn: async ({ signal }): Promise<TextContent | 'binary' | 'large'> => {
      if (size > maxValueLength) return 'large'
      return readText(await readContent(fid, 'arraybuffer', signal)) ?? 'binary'
    },
    // A version never changes.
    staleTime: 'static',
    gcTime: 0,
  })
}
