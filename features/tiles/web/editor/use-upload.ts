import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { fileName as validName } from '@headwater/files/contract'
import { refreshFiles, uploadFile } from '@headwater/files/web'
import type { FileReference } from '@headwater/tile-data/contract'
import { findLakeFile } from '@headwater/tile-data/web'
import { ApiError, errorMessage, fieldProblems, message, toastError } from '@headwater/web-kit'
import { type UploadKind, uploadProblem } from './upload-kind.ts'

/** Progress of an upload. */
export type UploadStep =
  | { at: 'start'; problem?: string }
  | { at: 'checking' }
  /** A file is chosen, its group is not. */
  | { at: 'group'; file: File }
  /** Set if the group already has a file with this name. */
  | { at: 'exists'; file: File; groupName: string }
  | { at: 'sending'; name: string; progress: number }

/** An upload and what controls it. */
export interface Upload {
  /** Progress of the upload. */
  step: UploadStep
  /** Sets the progress. */
  setStep: Dispatch<SetStateAction<UploadStep>>
  /** Checks the chosen files and uploads the only one; `groupName` null = the user chooses the group next. */
  take: (files: readonly File[], groupName: string | null) => Promise<void>
  /** Uploads a checked file unless the group has a file with its name. */
  start: (file: File, groupName: string | null) => Promise<void>
  /** Uploads a file, as a new version if its name exists. */
  send: (file: File, reference: FileReference) => Promise<void>
  /** Aborts the upload. */
  cancel: () => void
}

/** Uploads one file to the lake for a tile. */
export function useUpload(kind: UploadKind, onUploaded: (file: FileReference) => void): Upload {
  const client = useQueryClient()
  const [step, setStep] = useState<UploadStep>({ at: 'start' })
  const abort = useRef<AbortController>(undefined)
  const isUnmounted = useRef(false)
  useEffect(() => {
    isUnmounted.current = false
    return () => {
      isUnmounted.current = true
    }
  }, [])

  async function take(files: readonly File[], groupName: string | null) {
    if (files.length === 0) return
    setStep({ at: 'checking' })
    const problem = await uploadProblem(files, kind).catch(problemOf)
    if (problem === undefined) await start(files[0]!, groupName)
    else setStep({ at: 'start', problem })
  }

  async function start(file: File, groupName: string | null) {
    const [problem] = fieldProblems(validName, file.name)
    if (problem !== undefined) return setStep({ at: 'start', problem: problem.message })
    if (groupName === null) return setStep({ at: 'group', file })
    setStep({ at: 'checking' })
    const reference = { groupName, fileName: validName.parse(file.name) }
    try {
      if (await fileExists(reference)) setStep({ at: 'exists', file, groupName })
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
      void refreshFiles(client)
      // After the panel was closed, the user may have chosen another file for the tile.
      if (isUnmounted.current)
        message(
          `${reference.fileName} was uploaded to the group ${reference.groupName}. Choose it as the file of the tile.`,
        )
      else {
        message('File has been uploaded.', 'success')
        setStep({ at: 'start' })
        onUploaded(reference)
      }
    } catch (error) {
      if (isUnmounted.current) toastError(error)
      else setStep(signal.aborted ? { at: 'start' } : { at: 'start', problem: problemOf(error) })
    }
  }

  return { step, setStep, take, start, send, cancel: () => abort.current?.abort() }
}

async function fileExists(reference: FileReference): Promise<boolean> {
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
