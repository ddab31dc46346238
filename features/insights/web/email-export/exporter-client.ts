import { useQuery } from '@tanstack/react-query'
import {
  createPipeline,
  executePipeline,
  getPipelineByName,
  updatePipeline,
  type PipelineDetails,
} from '@headwater/pipelines/contract'
import { ApiError, call, ifThere, routeKey } from '@headwater/web-kit'
import {
  exportDetails,
  exporterName,
  exporterOf,
  exporterTemplate,
  type ExportDetails,
} from '../../contract/index.ts'

/** The insight that is exported. */
export interface ExportedInsight {
  groupName: string
  insightName: string
}

function exporterQuery({ groupName, insightName }: ExportedInsight) {
  return { query: { groupName, name: exporterName(`${insightName}.json`), version: 'latest' } }
}

/** Key of the exporter of an insight among what has been asked. */
export function exporterKey(insight: ExportedInsight): readonly unknown[] {
  return routeKey(getPipelineByName, exporterQuery(insight))
}

/** The exporter of an insight; null when none was made. */
export function useExporter(insight: ExportedInsight) {
  return useQuery({
    queryKey: exporterKey(insight),
    queryFn: async ({ signal }) =>
      (await ifThere(call(getPipelineByName, exporterQuery(insight), { signal }))) ?? null,
  })
}

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
  const place = { groupName: insight.groupName, fileName: `${insight.insightName}.json` }
  const body = exporterOf(model, place, details)
  if (there === null) return call(createPipeline, { body }, { keep: true })
  const { id: pipelineId, markdownId, version } = there.pipeline
  return call(
    updatePipeline,
    { params: { pipelineId }, body: { ...body, pipelineId, markdownId, version } },
    { keep: true },
  )
}

/** Runs an exporter; answers with the job. */
export async function runExporter({ pipeline }: PipelineDetails): Promise<string> {
  const input = { params: { pipelineId: pipeline.id }, body: { pipelineId: pipeline.id } }
  return (await call(executePipeline, input, { keep: true })).jobId
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
