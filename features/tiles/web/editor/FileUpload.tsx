import { useEffect, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import IconExclamationCircle from '@tabler/icons-react/dist/esm/icons/IconExclamationCircle.mjs'
import { useCan, useSettings } from '@headwater/accounts/web'
import { fileName as validName } from '@headwater/files/contract'
import { refreshFiles, uploadFile } from '@headwater/files/web'
import { GroupPicker } from '@headwater/groups/web'
import { ApiError, Button, errorMessage, FileDrop, message, Progress, toastError } from '@headwater/web-kit'
import type { FileReference } from '../../contract/index.ts'
import { useInsightData } from '../insight/insight-data.ts'
import styles from './FileUpload.module.css'
import { type UploadKind, uploadProblem } from './upload-kind.ts'
import { findLakeFile } from '../data/find-lake-file.ts'

/** How far an upload is. */
type Step =
  | { at: 'start'; problem?: string }
  | { at: 'checking' }
  /** A file is chosen, and the group to put it in is not. */
  | { at: 'group'; file: File }
  /** The group has a file of this name already. */
  | { at: 'exists'; file: File; groupName: string }
  | { at: 'sending'; name: string; progress: number }

/** Uploads one file of the computer into the lake for a tile: chosen or dropped, with its progress. */
export function FileUpload({
  kind,
  onUploaded,
}: {
  kind: UploadKind
  onUploaded: (file: FileReference) => void
}) {
  const client = useQueryClient()
  const canUpload = useCan()('Files', 'RW', 'Lake')
  const own = useOwnGroup()
  const [chosen, setChosen] = useState<string | null>()
  const [picking, setPicking] = useState(false)
  const [step, setStep] = useState<Step>({ at: 'start' })
  const abort = useRef<AbortController>(undefined)
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])
  const area = useRef<HTMLDivElement>(null)
  const before = useRef(step.at)
  useEffect(() => {
    if (before.current === step.at) return
    before.current = step.at
    // the button that was pressed may have gone
    if (document.activeElement === document.body)
      area.current?.querySelector('button')?.focus({ preventScroll: true })
  }, [step.at])
  if (!canUpload) return null
  const group = chosen === undefined ? own : chosen
  const isBusy = step.at === 'sending' || step.at === 'checking'

  async function take(files: readonly File[]) {
    if (files.length === 0) return
    setStep({ at: 'checking' })
    const problem = await uploadProblem(files, kind).catch(problemOf)
    if (problem === undefined) await startUpload(files[0]!, group)
    else setStep({ at: 'start', problem })
  }

  async function startUpload(file: File, groupName: string | null) {
    const name = validName.safeParse(file.name)
    if (!name.success) return setStep({ at: 'start', problem: name.error.issues[0]!.message })
    if (groupName === null) return setStep({ at: 'group', file })
    setStep({ at: 'checking' })
    const reference = { groupName, fileName: name.data }
    try {
      if (await isThere(reference)) setStep({ at: 'exists', file, groupName })
      else await send(file, reference)
    } catch (error) {
      setStep({ at: 'start', problem: problemOf(error) })
    }
  }

  async function send(file: File, reference: FileReference) {
    const { signal } = (abort.current = new AbortController())
    const onProgress = (progress: number) => setStep({ at: 'sending', name: reference.fileName, progress })
    onProgress(0)
    try {
      const request = { ...reference, fileType: 'SOURCE', fields: [] }
      const receipt = await uploadFile(file, request, { signal, onProgress })
      if (receipt.status === 'REJECTED') throw new Error(receipt.message)
      refreshFiles(client)
      // Whoever has gone on meanwhile may have chosen another file for the tile.
      if (isGone.current)
        message(
          `${reference.fileName} was uploaded to the group ${reference.groupName}. Choose it as the file of the tile.`,
        )
      else {
        message('File has been uploaded.', 'success')
        setStep({ at: 'start' })
        onUploaded(reference)
      }
    } catch (error) {
      if (isGone.current) toastError(error)
      else setStep(signal.aborted ? { at: 'start' } : { at: 'start', problem: problemOf(error) })
    }
  }

  return (
    <div ref={area} className={styles.upload} role="group" aria-label="Upload from this computer">
      {step.at === 'sending' ? (
        <div className={styles.sending}>
          <p role="status">Uploading {step.name}</p>
          <Progress label={`Upload of ${step.name}`} value={step.progress} />
          <Button size="small" onClick={() => abort.current?.abort()}>
            Cancel upload
          </Button>
        </div>
      ) : (
        <FileDrop
          label={`A ${kind.noun} from this computer`}
          text={`Drop a ${kind.noun} here, or`}
          buttonLabel="choose a file"
          disabled={isBusy}
          accept={kind.extensions.map((each) => `.${each}`).join(',')}
          onFiles={(files) => void take(files)}
        />
      )}
      {step.at === 'exists' ? (
        <div className={styles.prompt} role="alert">
          <p>
            {step.groupName} already has a file {step.file.name}. The upload becomes its newest version
            everywhere it is used.
          </p>
          <div className={styles.buttons}>
            <Button
              size="small"
              onClick={() =>
                void send(step.file, {
                  groupName: step.groupName,
                  fileName: validName.parse(step.file.name),
                })
              }
            >
              Upload new version
            </Button>
            <Button size="small" onClick={() => setStep({ at: 'start' })}>
              Cancel
            </Button>
          </div>
        </div>
      ) : null}
      {step.at === 'start' && step.problem !== undefined ? (
        <p className={styles.problem} role="alert">
          <IconExclamationCircle size={14} stroke={1.6} aria-hidden="true" />
          <span>{step.problem}</span>
        </p>
      ) : null}
      {picking || group === null || step.at === 'group' ? (
        <GroupPicker
          label="Upload into"
          value={group}
          disabled={isBusy}
          error={step.at === 'group' ? `Choose a group for ${step.file.name}.` : undefined}
          onChange={(name) => {
            setChosen(name)
            if ((step.at === 'group' || step.at === 'exists') && name !== null)
              void startUpload(step.file, name)
            else setStep({ at: 'start' })
          }}
        />
      ) : (
        <p className={styles.into}>
          Uploads to the group {group}.
          <Button size="small" variant="quiet" disabled={isBusy} onClick={() => setPicking(true)}>
            Change
          </Button>
        </p>
      )}
    </div>
  )
}

/** The group that files of an insight go into at first: its own; for one that was never saved the group it begins with. */
function useOwnGroup(): string | null {
  const { name } = useInsightData()
  const [search] = useSearchParams()
  const settings = useSettings()
  return name?.groupName ?? (search.get('groupName') || settings?.defaultGroup || null)
}

async function isThere(reference: FileReference): Promise<boolean> {
  try {
    await findLakeFile(reference, new AbortController().signal)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false
    throw error
  }
}

function problemOf(error: unknown): string {
  const fields = error instanceof ApiError ? error.validationErrors : []
  return fields.length > 0 ? fields.map((field) => field.message).join(' ') : errorMessage(error)
}
