import type { Principal } from '@headwater/server-kit'
import type { Pipeline } from '../contract/index.ts'
import { accessToPipelines } from './pipeline-access.ts'
import { toDetails } from './pipeline-view.ts'
import type { PipelinesServiceDependencies } from './pipelines-dependencies.ts'

/** A change to a pipeline that creates no new version. */
export interface PipelinePatch {
  /** The changed fields. */
  objToUpdate: { name?: string | undefined; tags?: readonly string[] | undefined }
  /** Version that the change is based on. Default: the newest. */
  version?: number | undefined
}

/**
 * Changes the name and tags of the newest version of a pipeline. The author and time of the version remain unchanged, because
 * scheduled runs have the access of the author.
 * @throws pipelineNotFound, pipelineChanged, pipelineExists, pipelineGroupForbidden
 */
export async function patchPipeline(
  deps: PipelinesServiceDependencies,
  principal: Principal,
  id: string,
  { objToUpdate: { name, tags }, version: basedOn }: PipelinePatch,
): Promise<Pipeline> {
  const access = accessToPipelines(deps)
  const { item, group } = await access.require(principal, { id }, 'RW')
  const outcome = await deps.store.amend(item.id, {
    name,
    basedOn,
    ...(tags === undefined ? {} : { content: (content) => ({ ...content, tags }) }),
  })
  await access.requireSaved(principal, outcome, { id, name: name ?? item.name, group: group.name })
  return (await toDetails(deps, principal, await access.require(principal, { id }, 'R'))).pipeline
}
