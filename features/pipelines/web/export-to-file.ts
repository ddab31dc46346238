import { call, saveBlob, toastError } from '@headwater/web-kit'
import { exportPipeline, type Pipeline } from '../contract/index.ts'

/** Saves a pipeline as a JSON file on the computer of the user. */
export async function exportToFile({ id, name }: Pick<Pipeline, 'id' | 'name'>): Promise<void> {
  try {
    const file = await call(exportPipeline, { params: { pipelineId: id } })
    saveBlob(new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' }), `${name}.pipeline.json`)
  } catch (error) {
    toastError(error)
  }
}
