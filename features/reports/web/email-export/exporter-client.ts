import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCan } from '@headwater/accounts/web'
import {
  createPipeline,
  executePipeline,
  getPipelineByName,
  updatePipeline,
  type PipelineDetails,
} from '@headwater/pipelines/contract'
import { beginningOf } from '@headwater/contract'
import { searchStatuses, type Job } from '@headwater/statuses/contract'
import { dismissAtEnd, followRun, isRunOver, useRun } from '@headwater/statuses/web'
import {
  ApiError,
  call,
  fieldProblems,
  intervals,
  message,
  pageSizes,
  refreshEvery,
  routeKey,
  toast,
  toastError,
} from '@headwater/web-kit'
import {
  exportDetails,
  exporterName,
  exporterOf,
  exporterTemplate,
  findInsightExporter,
  type ExportDetails,
} from '../../contract/index.ts'

/** An insight with an e-mail export. */
export interface ExportedInsight {
  /** Id of the insight. */
  id: string
  /** Group of the insight. */
  groupName: string
  /** Name of the insight. */
  insightName: string
}

/** Returns the query key of the exporter of an insight. */
export function exporterKey({ id }: ExportedInsight): readonly unknown[] {
  return routeKey(findInsightExporter, { params: { id } })
}

/** Query of the exporter of an insight; null without one, and for users without access to pipelines. */
export function useExporter(insight: ExportedInsight) {
  const canSee = useCan()('Science')
  return useQuery({
    queryKey: exporterKey(insight),
    queryFn: async ({ signal }) =>
      canSee ? (await call(findInsightExporter, { params: { id: insight.id } }, { signal })).pipeline : null,
  })
}

/** Number of characters of the insight id in the name of an exporter whose usual name is taken. */
const idCharacters = 8

/**
 * Creates the exporter of an insight from the template, or updates it.
 * @throws ApiError with the invalid fields
 */
export async function saveExporter(
  insight: ExportedInsight,
  existing: PipelineDetails | null,
  form: ExportDetails,
): Promise<PipelineDetails> {
  const details = validated(form)
  const template = existing ?? (await call(getPipelineByName, { query: exporterTemplate }, { keep: true }))
  const exported = { ...insight, fileName: `${insight.insightName}.json` }
  const save = (body: ReturnType<typeof exporterOf>) => {
    if (existing === null) return call(createPipeline, { body }, { keep: true })
    const { id: pipelineId, markdownId, version } = existing.pipeline
    return call(
      updatePipeline,
      { params: { pipelineId }, body: { ...body, pipelineId, markdownId, version } },
      { keep: true },
    )
  }
  const name = exporterName(exported.fileName)
  try {
    return await save(exporterOf(template, exported, details, name))
  } catch (error) {
    // The name belongs to the exporter of another insight, which was renamed.
    if (!(error instanceof ApiError) || error.code !== 'pipelineExists') throw error
    return save(exporterOf(template, exported, details, `${name} ${beginningOf(insight.id, idCharacters)}`))
  }
}

/**
 * Returns the run of an exporter that is in progress or was started here, and a function that starts one. Users without access to
 * statuses see no run.
 * @param exporter null without one, undefined while it loads
 */
export function useExporterRun(exporter: PipelineDetails | null | undefined) {
  const client = useQueryClient()
  const canSee = useCan()('Statuses')
  const [starting, setStarting] = useState(false)
  const [jobId, setJobId] = useState<string>()
  const [hiddenId, setHiddenId] = useState<string>()
  const inProgress = useRunInProgress(canSee ? exporter?.pipeline.id : undefined)
  if (inProgress !== undefined && inProgress !== jobId) setJobId(inProgress)
  const { data: job, error } = useRun(canSee ? jobId : undefined)
  const isRunning = job
    ? !isRunOver(job)
    : canSee && jobId !== undefined && job === undefined && error === null

  async function start({ pipeline }: PipelineDetails): Promise<void> {
    setStarting(true)
    try {
      const { id: pipelineId, version } = pipeline
      const input = { params: { pipelineId }, body: { pipelineId, details: { version } } }
      const started = await call(executePipeline, input, { keep: true })
      setJobId(started.jobId)
      void dismissAtEnd(message('Pipeline has been run.'), followRun(started.jobId, showResult))
      await client.invalidateQueries({ queryKey: routeKey(searchStatuses) })
    } catch (problem) {
      toastError(problem)
    } finally {
      setStarting(false)
    }
  }
  return {
    start,
    /** Whether a run is starting or in progress. */
    busy: starting || isRunning,
    /** Visible run; undefined without one. */
    job: job && job.jobId !== hiddenId ? job : undefined,
    hide: () => setHiddenId(jobId),
  }
}

/** Returns the job of the newest run of a pipeline while it is in progress. */
function useRunInProgress(pipelineId: string | undefined): string | undefined {
  const query = { type: 'PIPELINE', pipelineRootIds: pipelineId ?? '', size: pageSizes.details }
  const { data } = useQuery({
    queryKey: routeKey(searchStatuses, { query }),
    queryFn: async ({ signal }) => (await call(searchStatuses, { query }, { signal })).items[0] ?? null,
    refetchInterval: refreshEvery(intervals.pipelineDetailsMs),
    enabled: pipelineId !== undefined,
  })
  return data && !isRunOver(data) ? data.jobId : undefined
}

function showResult({ status, latestStatus }: Job): void {
  const kind = status === 'ERROR' ? 'error' : status === 'WARN' ? 'warn' : 'success'
  const title = kind === 'success' ? 'The insight has been sent.' : 'The insight was not sent.'
  toast({ kind, title, text: latestStatus.message })
}

function validated(form: ExportDetails): ExportDetails {
  const validationErrors = fieldProblems(exportDetails, form)
  if (validationErrors.length === 0) return exportDetails.parse(form)
  throw new ApiError({
    status: 400,
    code: 'validation',
    message: validationErrors[0]!.message,
    validationErrors,
  })
}
