import { type ReactNode, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useCan } from '@headwater/accounts/web'
import { ApiError, message, toastError, useAttemptToasts } from '@headwater/web-kit'
import type { PipelineDetails, PipelineInput } from '../../contract/index.ts'
import { pipelineDifference, type PipelineDifference, refusalOf } from '../../core/index.ts'
import { comparedPipeline, pipelineByIdQuery } from '../pipelines-client.ts'
import { PipelineConflictDialog } from './PipelineConflictDialog.tsx'
import { allMessages } from './save-problems.ts'
import { type SaveDialog, saveTexts } from './save-texts.ts'
import { type PipelineTarget, SavePipelineDialog } from './SavePipelineDialog.tsx'
import { type EditedPipeline, useSavePipeline } from './use-save-pipeline.ts'

/** A newer version that caused a save to be rejected. */
interface Conflict {
  newest: PipelineDetails
  difference: PipelineDifference
  input: PipelineInput
}

/**
 * Saves the pipeline of a page, directly or through a dialog for name and group, and shows the difference to a newer
 * version.
 */
export function usePipelineSaving({
  draft,
  edited,
  isExecuting,
  isGroupParam,
  onSaved,
  onOpenNewest,
}: {
  /** Returns the pipeline with the edits of the user. */
  draft: () => PipelineInput
  /** Stored pipeline that the edits are based on; undefined for a new one. */
  edited: EditedPipeline | undefined
  /** Whether a run of the pipeline is in progress. */
  isExecuting: boolean
  /** Whether a parameter of a task names a group. */
  isGroupParam?: (taskIndex: number, paramName: string) => boolean
  /** Called after a save with the version, the purpose, and the body that was sent. */
  onSaved: (saved: PipelineDetails, purpose: SaveDialog | 'quick', sent: PipelineInput) => void
  /** Discards the edits and opens the newest version. */
  onOpenNewest: (newest: PipelineDetails) => void
}): {
  /**
   * Saves at once; opens the dialog only before the first save. Returns whether it saved.
   * @param submitLabel label of the button of this dialog, default “Save”
   */
  quickSave: (submitLabel?: string) => Promise<boolean>
  /** Saves an older version as the newest one, under the current name. */
  restore: () => Promise<void>
  /** Opens the dialog. */
  openDialog: (dialog: SaveDialog) => void
  /** Whether a save is in progress. */
  isSaving: boolean
  /** Whether a dialog is open. */
  isOpen: boolean
  /** The open dialog. */
  dialogs: ReactNode
} {
  const client = useQueryClient()
  const canWrite = useCan()('Creator', 'RW', 'Science')
  const save = useSavePipeline()
  const [dialog, setDialog] = useState<SaveDialog>()
  const [firstLabel, setFirstLabel] = useState(saveTexts.create.submitLabel)
  const [conflict, setConflict] = useState<Conflict>()
  const [isSaving, setSaving] = useState(false)
  const rejections = useAttemptToasts()

  /** Reports why a save is rejected. A copy can be saved during a run. */
  function isRefused(input: PipelineInput, isCopy: boolean): boolean {
    rejections.begin()
    const reason = refusalOf('save', {
      isExecuting: isExecuting && !isCopy,
      canWrite,
      tasks: input.tasks,
      ...(isGroupParam === undefined ? {} : { isGroupParam }),
    })
    if (reason !== undefined) rejections.add(message(reason, 'warn'))
    return reason !== undefined
  }
  function openDialog(next: SaveDialog) {
    if (!isRefused(draft(), next === 'copy')) setDialog(next)
  }
  /** Saves, or opens the dialog about a newer version. Returns the saved pipeline; throws other errors. */
  async function saveOrCompare(
    input: PipelineInput,
    base: EditedPipeline | undefined,
  ): Promise<PipelineDetails | undefined> {
    setSaving(true)
    try {
      return await save(input, base)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'pipelineChanged') || base === undefined) throw error
      const newest = await client.fetchQuery({ ...pipelineByIdQuery(base.id), staleTime: 0 })
      setConflict({ newest, difference: pipelineDifference(comparedPipeline(newest), input), input })
      return undefined
    } finally {
      setSaving(false)
    }
  }
  async function quickSave(submitLabel = saveTexts.create.submitLabel): Promise<boolean> {
    if (isSaving) return false
    const input = draft()
    if (isRefused(input, false)) return false
    if (edited === undefined) {
      setFirstLabel(submitLabel)
      setDialog('create')
      return false
    }
    return saveQuietly(input, edited)
  }
  async function restore(): Promise<void> {
    if (isSaving || edited === undefined) return
    const input = draft()
    if (isRefused(input, false)) return
    try {
      const { pipeline } = await client.fetchQuery({ ...pipelineByIdQuery(edited.id), staleTime: 0 })
      const { id, version, name, groupName } = pipeline
      if (await saveQuietly({ ...input, name, groupName }, { id, version, groupName }))
        message(`Version ${edited.version} has been restored as the newest version.`)
    } catch (error) {
      rejections.add(toastError(error))
    }
  }
  /** Saves without a form: all problems are messages. */
  async function saveQuietly(input: PipelineInput, base: EditedPipeline): Promise<boolean> {
    try {
      const saved = await saveOrCompare(input, base)
      if (saved !== undefined) onSaved(saved, 'quick', input)
      return saved !== undefined
    } catch (error) {
      for (const text of allMessages(error)) rejections.add(message(text, 'error'))
      return false
    }
  }
  async function submit(purpose: SaveDialog, target: PipelineTarget) {
    const input = { ...draft(), ...target }
    const saved = await saveOrCompare(input, purpose === 'move' ? edited : undefined)
    setDialog(undefined)
    if (saved !== undefined) onSaved(saved, purpose, input)
  }
  const { name, groupName, tags } = dialog === undefined ? { name: '', groupName: '', tags: [] } : draft()
  return {
    quickSave,
    restore,
    openDialog,
    isSaving,
    isOpen: dialog !== undefined || conflict !== undefined,
    dialogs: (
      <>
        {dialog === undefined ? null : (
          <SavePipelineDialog
            key={dialog}
            {...saveTexts[dialog]}
            {...(dialog === 'create' ? { submitLabel: firstLabel } : {})}
            initial={{ name: dialog === 'copy' ? `${name} copy` : name, groupName, tags: [...tags] }}
            onSave={(target) => submit(dialog, target)}
            onClose={() => setDialog(undefined)}
          />
        )}
        {conflict === undefined ? null : (
          <PipelineConflictDialog
            newest={conflict.newest.pipeline}
            edited={edited}
            difference={conflict.difference}
            onClose={() => setConflict(undefined)}
            onOpenNewest={() => {
              setConflict(undefined)
              onOpenNewest(conflict.newest)
            }}
            onOverwrite={() => {
              const { id, version, groupName: group } = conflict.newest.pipeline
              setConflict(undefined)
              void saveQuietly(conflict.input, { id, version, groupName: group })
            }}
          />
        )}
      </>
    ),
  }
}
