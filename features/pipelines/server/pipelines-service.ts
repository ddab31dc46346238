import { AppError, type Page } from '@headwater/contract'
import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { Pipeline, PipelineDetails, PipelineInput } from '../contract/index.ts'
import { accessToPipelines } from './pipeline-access.ts'
import { builtInDetails, toDetails, toListedPipelines, type BuiltInPipeline } from './pipeline-view.ts'
import type { PipelinesServiceDependencies } from './pipelines-dependencies.ts'
import { pipelineConditions, type TaskInput } from './pipelines-store.ts'
import { createPipeline, updatePipeline } from './save-pipelines.ts'
import { patchPipeline, type PipelinePatch } from './patch-pipeline.ts'
import {
  listVersionsByName,
  searchPipelines,
  type PipelineSearch,
  type VersionSearch,
} from './search-pipelines.ts'

/** A version of a pipeline by group and name. */
interface PipelineName {
  groupName: string
  name: string
  /** Number of the version. Default: the newest one. */
  version?: number | undefined
}

/** The pipelines service. */
export type PipelinesService = ReturnType<typeof createPipelinesService>

/** Creates the pipelines service. Access to a pipeline depends on access to its group. */
export function createPipelinesService(deps: PipelinesServiceDependencies) {
  const builtIns: BuiltInPipeline[] = []
  const access = accessToPipelines(deps)
  return {
    require: (...names: Parameters<typeof access.require>) => access.require(...names),

    get: (principal: Principal, id: string, version?: number): Promise<PipelineDetails> =>
      getPipeline(deps, principal, id, version),

    /** Adds an example pipeline. */
    addBuiltIn: (pipeline: BuiltInPipeline): void => void builtIns.push(pipeline),

    findByName: (principal: Principal, by: PipelineName): Promise<PipelineDetails | undefined> =>
      findPipelineByName(deps, builtIns, principal, by),

    findByInput: (
      principal: Principal,
      criteria: { tag: string; input: TaskInput },
    ): Promise<PipelineDetails | undefined> => findPipelineByInput(deps, principal, criteria),

    async getByName(principal: Principal, by: PipelineName): Promise<PipelineDetails> {
      const pipeline = await findPipelineByName(deps, builtIns, principal, by)
      if (pipeline === undefined) throw access.notFound({ groupName: by.groupName, name: by.name })
      return pipeline
    },

    search: (principal: Principal, search: PipelineSearch): Promise<Page<Pipeline>> =>
      searchPipelines(deps, principal, search),

    /** Returns all versions of a pipeline, newest first. */
    async listVersions(
      principal: Principal,
      id: string,
      { favorite, ...page }: { from: number; size: number; favorite?: boolean | undefined },
    ): Promise<Page<Pipeline>> {
      const { item } = await access.require(principal, { id }, 'R')
      if (favorite !== undefined) {
        const isFavourite = (await deps.favouriteIds(principal.userId)).includes(item.id)
        if (isFavourite !== favorite) return { from: page.from, totalSize: 0, items: [] }
      }
      const { items, total } = await deps.store.listVersions(item.id, page)
      return { from: page.from, totalSize: total, items: await toListedPipelines(deps, principal, items) }
    },

    listVersionsByName: (principal: Principal, search: VersionSearch): Promise<Page<Pipeline>> =>
      listVersionsByName(deps, principal, search),

    /** Returns a page of the tags of the pipelines that the caller can read. */
    async listTags(
      principal: Principal,
      { query, ...page }: { query: string; sortOrder: 'asc' | 'desc'; from: number; size: number },
    ): Promise<Page<string>> {
      const scope = await deps.groups.scope(principal)
      const { items, total } = await deps.store.listTexts('tags', { scope, contains: query }, page)
      return { from: page.from, totalSize: total, items }
    },

    patch: (principal: Principal, id: string, patch: PipelinePatch): Promise<Pipeline> =>
      patchPipeline(deps, principal, id, patch),

    create: async (principal: Principal, input: PipelineInput): Promise<PipelineDetails> =>
      getPipeline(deps, principal, await createPipeline(deps, principal, input)),

    update: async (
      principal: Principal,
      id: string,
      change: PipelineInput & { version?: number | undefined },
    ): Promise<PipelineDetails> =>
      getPipeline(deps, principal, await updatePipeline(deps, principal, id, change)),

    /** Deletes a pipeline with its versions and stops its runs. */
    async remove(principal: Principal, id: string): Promise<void> {
      const { item } = await access.require(principal, { id }, 'RW')
      await deps.store.transaction(async (executor) => {
        await deps.stopRuns({ pipelineIds: [item.id] }, executor)
        await deps.store.remove(item.id, executor)
      })
    },
  }
}

async function getPipeline(
  deps: PipelinesServiceDependencies,
  principal: Principal,
  id: string,
  version?: number,
): Promise<PipelineDetails> {
  return toDetails(deps, principal, await accessToPipelines(deps).require(principal, { id }, 'R', version))
}

/** Returns a version of a pipeline that the caller can read; undefined if there is none. */
async function findPipelineByName(
  deps: PipelinesServiceDependencies,
  builtIns: readonly BuiltInPipeline[],
  principal: Principal,
  { groupName, name, version }: PipelineName,
): Promise<PipelineDetails | undefined> {
  try {
    const group = await deps.groups.getGroup(principal, groupName, 'R')
    const stored = await deps.store.find({ groupId: group.id, name }, version)
    if (stored !== undefined) return await toDetails(deps, principal, { item: stored, group })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'groupNotFound') throw error
  }
  const builtIn = builtIns.find((known) => known.groupName === groupName && known.name === name)
  return builtIn === undefined || (version ?? 1) !== 1 ? undefined : builtInDetails(deps, principal, builtIn)
}

/** Returns the oldest pipeline with a tag and an input that the caller can read; undefined if there is none. */
async function findPipelineByInput(
  deps: PipelinesServiceDependencies,
  principal: Principal,
  criteria: { tag: string; input: TaskInput },
): Promise<PipelineDetails | undefined> {
  const { items } = await deps.store.search(
    { scope: await deps.groups.scope(principal), latest: true, where: pipelineConditions(criteria) },
    { sortBy: 'created', sortOrder: 'asc', from: 0, size: 1 },
  )
  return items[0] && unlessRefused(getPipeline(deps, principal, items[0].id))
}
