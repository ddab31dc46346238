import { useState } from 'react'
import { useStoredDraft } from '@headwater/accounts/web'
import type { Pipeline, PipelineDetails, PipelineInput } from '../../contract/index.ts'
import { type Draft, draftOf } from './draft.ts'

/** The draft that the browser stores when the session or the page ends, in the format of a save. */
export interface StoredPipeline {
  /** Version that the draft is based on; absent for a new pipeline. */
  version?: number | undefined
  input: PipelineInput
}

/** Identifies the draft of a pipeline. Older versions have their own drafts. */
export function draftLocation(pipeline: Pipeline | undefined): { key: string; location: string } {
  const location =
    pipeline === undefined
      ? 'new'
      : pipeline.latest
        ? pipeline.id
        : `${pipeline.id} version ${pipeline.version}`
  return { key: 'ng-pipeline-draft', location }
}

/** Returns, once, the draft that the user left of a pipeline, and the version that it is based on. */
export function useRestoredPipeline(
  stored: PipelineDetails | undefined,
  canEdit: boolean,
): { draft: Draft; saved: PipelineDetails | undefined; time: number } | undefined {
  const left = useStoredDraft<StoredPipeline>(draftLocation(stored?.pipeline), canEdit)
  const [restored] = useState(() => left && restore(left, stored))
  return restored
}

function restore(
  { content: { version, input }, time }: { content: StoredPipeline; time: number },
  stored: PipelineDetails | undefined,
) {
  try {
    const { tasks, payload, executionMode = stored?.pipeline.executionMode ?? 'durable' } = input
    const draft = draftOf({ batchConfig: { tasks }, payload, pipeline: { executionMode } })
    // A draft of an older version conflicts with the newer one when it is saved.
    return { draft, time, saved: stored && withVersion(stored, version ?? stored.pipeline.version) }
  } catch {
    return undefined
  }
}

/** Returns a pipeline as the version that a draft is based on. */
export function withVersion(stored: PipelineDetails, version: number): PipelineDetails {
  const { pipeline } = stored
  return version === pipeline.version
    ? stored
    : // The time and the user of that version come with the list of versions.
      { ...stored, pipeline: { ...pipeline, version, latest: false, modifyDate: null, lastChangeBy: null } }
}
