import { useQueryClient } from '@tanstack/react-query'
import type { Pipeline } from '../../contract/index.ts'
import { pipelineByIdQuery } from '../pipelines-client.ts'
import { saveTexts } from './save-texts.ts'
import { type PipelineTarget, SavePipelineDialog } from './SavePipelineDialog.tsx'
import { useSavePipeline } from './use-save-pipeline.ts'

/** Dialog that copies, renames or moves a stored pipeline, without opening it. */
export function ListSaveDialog({
  purpose,
  pipeline,
  onClose,
}: {
  purpose: 'copy' | 'move'
  pipeline: Pipeline
  onClose: () => void
}) {
  const client = useQueryClient()
  const save = useSavePipeline()
  const { id, name, groupName, tags, version, writeAccess } = pipeline
  const isCopy = purpose === 'copy'

  async function saveAs(target: PipelineTarget) {
    const { batchConfig, payload } = await client.fetchQuery({ ...pipelineByIdQuery(id), staleTime: 0 })
    const { markdownId, executionMode } = pipeline
    const input = { ...target, markdownId, executionMode, payload, tasks: batchConfig.tasks }
    await save(input, isCopy ? undefined : { id, version, groupName })
    onClose()
  }
  return (
    <SavePipelineDialog
      {...saveTexts[purpose]}
      initial={{
        name: isCopy ? `${name} copy` : name,
        groupName: isCopy && !writeAccess ? '' : groupName,
        tags: [...tags],
      }}
      onSave={saveAs}
      onClose={onClose}
    />
  )
}
