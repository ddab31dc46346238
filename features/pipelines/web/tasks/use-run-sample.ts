import { isReference } from '@headwater/runs/contract'
import type { RunSample } from '@headwater/tasks/web'
import { call } from '@headwater/web-kit'
import { getPipeline, listGeneratedValues } from '../../contract/index.ts'

/** Returns the values of a task of a pipeline for its test run; undefined if the URL names none. */
export function useRunSample(pipelineId: string | null, nodeId: string | null): RunSample | undefined {
  return pipelineId === null || nodeId === null ? undefined : { load: () => loadValues(pipelineId, nodeId) }
}

/** Returns the inputs of a task that refer to values of the caller's latest run; undefined if there is no run. */
async function loadValues(
  pipelineId: string,
  nodeId: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const [{ batchConfig }, { items }] = await Promise.all([
    call(getPipeline, { params: { pipelineId }, query: {} }),
    call(listGeneratedValues, { params: { pipelineId }, query: {} }),
  ])
  const ofRun = items.filter(({ name }) => isReference(name))
  if (items.every(({ jobId }) => jobId === null)) return undefined
  const params = batchConfig.tasks.find(({ id }) => id === nodeId)?.taskOverrides.params ?? []
  return Object.fromEntries(
    params.flatMap((param) => {
      const stored = param.type === 'INPUT' && ofRun.find(({ name }) => name === param.value)
      return stored ? [[param.name, stored.value]] : []
    }),
  )
}
