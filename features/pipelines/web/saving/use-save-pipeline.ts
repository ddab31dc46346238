import { useQueryClient } from '@tanstack/react-query'
import { call, message, routeKey } from '@headwater/web-kit'
import {
  createPipeline,
  findPipelineByName,
  getPipelineByName,
  listPipelineTags,
  listPipelineVersions,
  searchPipelines,
  updatePipeline,
  type PipelineDetails,
  type PipelineInput,
} from '../../contract/index.ts'
import { pipelineQuery } from '../pipelines-client.ts'

/** The stored pipeline that an edit is based on. */
export interface EditedPipeline {
  id: string
  /** Number of the edited version; the server rejects the save if a newer one exists. */
  version: number
  groupName: string
  /** Whether it was the newest version when it was opened. Default true. */
  latest?: boolean
}

/** Returns the function for all saves of pipelines: new ones, copies, changes, renames and moves. */
export function useSavePipeline() {
  const client = useQueryClient()
  /**
   * @param edited stored pipeline that the edit is based on; undefined saves a new pipeline or a copy
   * @returns the saved pipeline; throws errors of the server
   */
  return async function save(input: PipelineInput, edited?: EditedPipeline): Promise<PipelineDetails> {
    const body = { ...input, name: input.name.trim(), groupName: input.groupName.trim() }
    const saved =
      edited === undefined
        ? await call(createPipeline, { body: withoutDefault(body) }, { keep: true })
        : await call(
            updatePipeline,
            {
              params: { pipelineId: edited.id },
              body: { ...body, pipelineId: edited.id, version: edited.version },
            },
            { keep: true },
          )
    const { groupName, name } = saved.pipeline
    client.setQueryData(pipelineQuery({ groupName, name, version: 'latest' }).queryKey, saved)
    for (const route of [
      getPipelineByName,
      findPipelineByName,
      searchPipelines,
      listPipelineVersions,
      listPipelineTags,
    ])
      void client.invalidateQueries({ queryKey: routeKey(route) })
    message(messageOf(saved, edited))
    return saved
  }
}

/** Returns the body for a new pipeline, which is durable if the body has no mode. */
function withoutDefault({ executionMode, ...body }: PipelineInput): PipelineInput {
  return executionMode === 'durable' ? body : { ...body, executionMode }
}

function messageOf({ pipeline }: PipelineDetails, edited: EditedPipeline | undefined): string {
  if (edited === undefined) return 'New Pipeline has been created.'
  return pipeline.groupName === edited.groupName
    ? 'Pipeline has been saved.'
    : 'Pipeline has been moved to the new group.'
}
