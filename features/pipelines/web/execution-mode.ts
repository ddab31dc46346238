import type { Pipeline, PipelineInput } from '../contract/index.ts'

/** Returns the execution mode as a field of a save; a save without the field keeps the mode, which is durable at first. */
export function modeOf(mode: Pipeline['executionMode'] = 'durable'): Pick<PipelineInput, 'executionMode'> {
  return mode === 'durable' ? {} : { executionMode: mode }
}
