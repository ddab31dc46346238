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
import { followRun, isRunOver, useRun } from '@headwater/statuses/web'
import {
  ApiError,
  call,
  intervals,
  dismissToast,
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

/** The insight that is exported. */
export interface ExportedInsight {
  id: string
  groupName: string
  insightName: string
}

/** Query key of the exporter of an insight. */
export function exporterKey({ id }: ExportedInsight): readonly unknown[] {
  return routeKey(findInsightExporter, { params: { id } })
}

/** The exporter of an insight; null when none was made, and for users who see no pipelines. */
export function useExporter(insight: ExportedInsight) {
  const maySee = useCan()('Science')
  return useQuery({
    queryKey: exporterKey(insight),
    queryFn: async ({ signal }) =>
      maySee ? (await call(findInsightExporter, { params: { id: insight.id } }, { signal })).pipeline : null,
  })
}

/** Characters of the id of an insight that tell its exporter from another one of the same name. */
const idCharacters = 8

/**
 * Makes the exporter of an insight after the model of all exporters, or changes it.
 * @throws ApiError with the fields that are not valid
 */
export async function saveExporter(
  insight: ExportedInsight,
  there: PipelineDetails | null,
  form: ExportDetails,
): Promise<PipelineDetails> {
  const details = validated(form)
  const model = there ?? (await call(getPipelineByName, { query: exporterTemplate }, { keep: true }))
  const place = { ...insight, fileName: `${insight.insightName}.json` }
  const save = (body: ReturnType<typeof exporterOf>) => {
    if (there === null) return call(createPipeline, { body }, { keep: true })
    const { id: pipelineId, markdownId, version } = there.pipeline
    return call(
      updatePipeline,
      { params: { pipelineId }, body: { ...body, pipelineId, markdownId, version } },
      { keep: true },
    )
  }
  const name = exporterName(place.fileName)
  try {
    return await save(exporterOf(model, place, details, name))
  } catch (error) {
    // An insight that had this name before, and has an exporter, was renamed.
    if (!(error instanceof ApiError) || error.code !== 'pipelineExists') throw error
    return save(exporterOf(model, place, details, `${name} ${beginningOf(insight.id, idCharacters)}`))
  }
}

/**
 * The run of an exporter that was started here or goes on, and how to start one. While one goes on no other is started; who
 * may not see runs is told of none.
 * @param exporter null or undefined when there is none yet
 */
export function useExporterRun(exporter: PipelineDetails | null | undefined) {
  const client = useQueryClient()
  const maySee = useCan()('Statuses')
  const [starting, setStarting] = useState(false)
  const [jobId, setJobId] = useState<string>()
  const [hiddenId, setHiddenId] = useState<string>()
  const goesOn = useRunThatGoesOn(maySee ? exporter?.pipeline.id : undefined)
  if (goesOn !== undefined && goesOn !== jobId) setJobId(goesOn)
  const { data: job, error } = useRun(maySee ? jobId : undefined)
  const isRunning = job
    ? !isRunOver(job)
    : maySee && jobId !== undefined && job === undefined && error === null

  async function start({ pipeline }: PipelineDetails): Promise<void> {
    setStarting(true)
    try {
      const { id: pipelineId, version } = pipeline
      const input = { params: { pipelineId }, body: { pipelineId, details: { version } } }
      const started = await call(executePipeline, input, { keep: true })
      setJobId(started.jobId)
      const startMessage = message('Pipeline has been run.')
      void followRun(started.jobId, (ended) => {
        dismissToast(startMessage)
        tellEnd(ended)
      })
      await client.invalidateQueries({ queryKey: routeKey(searchStatuses) })
    } catch (problem) {
      toastError(problem)
    } finally {
      setStarting(false)
    }
  }
  return {
    start,
    /** Whether a run is being started or goes on. */
    busy: starting || isRunning,
    /** The run to be shown; undefined for none. */
    job: job && job.jobId !== hiddenId ? job : undefined,
    hide: () => setHiddenId(jobId),
  }
}

/** The job of the newest run of a pipeline while it goes on. */
function useRunThatGoesOn(pipelineId: string | undefined): string | undefined {
  const query = { type: 'PIPELINE', pipelineRootIds: pipelineId ?? '', size: pageSizes.details }
  const { data } = useQuery({
    queryKey: routeKey(searchStatuses, { query }),
    queryFn: async ({ signal }) => (await call(searchStatuses, { query }, { signal })).items[0] ?? null,
    refetchInterval: refreshEvery(intervals.pipelineDetailsMs),
    enabled: pipelineId !== undefined,
  })
  return data && !isRunOver(data) ? data.jobId : undefined
}

function tellEnd({ status, latestStatus }: Job): void {
  const kind = status === 'ERROR' ? 'error' : status === 'WARN' ? 'warn' : 'success'
  const title = kind === 'success' ? 'The insight has been sent.' : 'The insight was not sent.'
  toast({ kind, title, text: latestStatus.message })
}

function validated(form: ExportDetails): ExportDetails {
  const parsed = exportDetails.safeParse(form)
  if (parsed.success) return parsed.data
  const validationErrors = parsed.error.issues.map(({ path, message }) => ({
    field: path.join('.'),
    message,
  }))
  throw new ApiError({
    status: 400,
    code: 'validation',
    message: validationErrors[0]!.message,
    validationErrors,
  })
}
