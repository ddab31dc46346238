import type { z } from 'zod'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, intervals, pageSizes, refreshEvery, routeKey } from '@headwater/web-kit'
import { searchStatuses } from '@headwater/statuses/contract'
import {
  continuePipeline,
  deletePipeline,
  executePipeline,
  findPipelineByName,
  getPipeline,
  getPipelineByName,
  listPipelineTags,
  listPipelineVersions,
  type PipelineDetails,
  repeatPipeline,
  resumePipeline,
  type runChange,
  searchPipelines,
  stopPipeline,
} from '../contract/index.ts'
import type { ComparedPipeline } from '../core/index.ts'

/** Maximum number of suggested tags. */
const maxTags = 50
/** Maximum number of versions in one request. */
const maxVersions = 100

/** A version of a pipeline in a URL. */
export interface PipelineAddress {
  /** Group of the pipeline. */
  groupName: string
  /** Name of the pipeline. */
  name: string
  /** Number of the version, or `latest`. */
  version: string
}

/** Query of a version of a pipeline with its tasks; refreshes every 30 s. */
export function pipelineQuery(query: PipelineAddress) {
  return queryOptions({
    queryKey: routeKey(getPipelineByName, { query }),
    queryFn: ({ signal }) => call(getPipelineByName, { query }, { signal }),
    refetchInterval: refreshEvery(intervals.pipelineDetailsMs),
    retry: 0,
  })
}

/**
 * Query of a version of a pipeline by id.
 * @param version default: the newest one
 */
export function pipelineByIdQuery(pipelineId: string, version?: number) {
  const input = { params: { pipelineId }, query: version === undefined ? {} : { version } }
  return queryOptions({
    queryKey: routeKey(getPipeline, input),
    queryFn: ({ signal }) => call(getPipeline, input, { signal }),
    retry: 0,
  })
}

/** Returns the part of a pipeline that comparisons read. */
export function comparedPipeline({ pipeline, payload, batchConfig }: PipelineDetails): ComparedPipeline {
  return { ...pipeline, payload, tasks: batchConfig.tasks }
}

/** Returns the query of known tags that contain a text, at most 50. */
export function pipelineTagsQuery(text: string) {
  const query = { query: text, sortOrder: 'asc', size: maxTags } as const
  return queryOptions({
    queryKey: routeKey(listPipelineTags, { query }),
    queryFn: ({ signal }) => call(listPipelineTags, { query }, { signal }),
  })
}

/** Returns known tags that contain a text, at most 50, and their total number. */
export function usePipelineTags(text: string): { tags: readonly string[]; total: number } {
  const { data } = useQuery({ ...pipelineTagsQuery(text), placeholderData: keepPreviousData })
  return { tags: data?.items ?? [], total: data?.totalSize ?? 0 }
}

/** Returns the query of the last 100 versions of a pipeline, newest first. */
export function pipelineVersionsQuery(pipelineId: string) {
  const input = { params: { pipelineId }, query: { size: maxVersions } }
  return queryOptions({
    queryKey: routeKey(listPipelineVersions, input),
    queryFn: ({ signal }) => call(listPipelineVersions, input, { signal }),
  })
}

/** Query of the last 100 versions of a pipeline, newest first; refreshes every 30 s. */
export function usePipelineVersions(pipelineId: string) {
  return useQuery({
    ...pipelineVersionsQuery(pipelineId),
    refetchInterval: refreshEvery(intervals.pipelineDetailsMs),
  })
}

/** Query of the newest job of a pipeline, of any version; null without one. Refreshes every 30 s. */
export function useNewestJob(pipelineId: string, { enabled }: { enabled: boolean }) {
  const query = { type: 'PIPELINE', pipelineRootIds: pipelineId, size: pageSizes.details }
  return useQuery({
    queryKey: routeKey(searchStatuses, { query }),
    queryFn: async ({ signal }) => (await call(searchStatuses, { query }, { signal })).items[0] ?? null,
    refetchInterval: refreshEvery(intervals.pipelineDetailsMs),
    enabled,
  })
}

/** The tasks of a run; default all. At most one field is set. */
export interface RunPart {
  /** Only this task. */
  onlyNodeId?: string
  /** This task and all that it waits for. */
  untilNodeId?: string
  /** This task and all after it. */
  fromNodeId?: string
}

/** Decision of the signed-in user about a paused task. */
export interface StepDecision {
  /** Name of the user. */
  userName: string
  /** Id of the task within the pipeline. */
  nodeId: string
  /** Whether the task starts; otherwise it ends with an error. */
  isApproved: boolean
  /** Files that are stored before the decision. Default: none. */
  edits?: readonly Extract<z.input<typeof runChange>, { action: 'FILE_EDIT' }>[]
}

/** Calls that run, stop, continue and delete pipelines. Each call refreshes the affected queries. */
export function usePipelineCalls() {
  const client = useQueryClient()
  const refresh = (...routes: Parameters<typeof routeKey>[0][]) =>
    Promise.all(routes.map((route) => client.invalidateQueries({ queryKey: routeKey(route) })))
  return {
    /** Starts a run of a version, or only of a part or of the tasks that have changed since the last run, and returns the id of its job. */
    async run(
      pipelineId: string,
      version: number,
      part: RunPart & { changedOnly?: boolean; valuesOfJobId?: string | undefined } = {},
    ): Promise<string> {
      const input = { params: { pipelineId }, body: { pipelineId, version, details: { version }, ...part } }
      const { jobId } = await call(executePipeline, input, { keep: true })
      void refresh(searchStatuses)
      return jobId
    },
    async stop(pipelineId: string | undefined, jobId: string): Promise<void> {
      await call(stopPipeline, { body: { pipelineId, jobId } }, { keep: true })
      void refresh(searchStatuses)
    },
    async continue(userName: string, jobId: string): Promise<void> {
      await call(continuePipeline, { body: { userName, jobId } }, { keep: true })
      void refresh(searchStatuses)
    },
    /** Approves or declines the paused task of a run, after edits of files. */
    async decide(jobId: string, { userName, nodeId, isApproved, edits = [] }: StepDecision): Promise<void> {
      const decision = {
        action: isApproved ? ('APPROVE' as const) : ('DECLINE' as const),
        approveTime: new Date().toISOString(),
        userName,
        nodeId,
      }
      const body = { jobId, userName, changes: [...edits, decision] }
      await call(resumePipeline, { body }, { keep: true })
      void refresh(searchStatuses)
    },
    /** Executes a run again, or a part of it, and returns the id of the new job. */
    async repeat(jobId: string, part: RunPart & { failedOnly?: boolean }): Promise<string> {
      const repeated = await call(repeatPipeline, { body: { jobId, ...part } }, { keep: true })
      void refresh(searchStatuses)
      return repeated.jobId
    },
    async remove(pipelineId: string): Promise<void> {
      await call(deletePipeline, { params: { pipelineId } }, { keep: true })
      for (const route of [getPipelineByName, findPipelineByName])
        client.removeQueries({ queryKey: routeKey(route) })
      await refresh(searchPipelines, listPipelineVersions)
    },
  }
}
