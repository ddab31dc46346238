import { Readable } from 'node:stream'
import { isUuid, parseJson } from '@headwater/contract'
import { isReference } from '@headwater/runs/contract'
import type { StoredRun } from '@headwater/runs/server'
import type { Principal } from '@headwater/server-kit'
import { objectValue } from '@headwater/tasks/core'
import { pipelineErrors } from '../contract/index.ts'
import type { RunChange } from './resume-run.ts'
import type { RunsServiceDependencies } from './runs-dependencies.ts'
import { requirePipeline } from './stored-values.ts'

/**
 * Stores the edited content of a file as a new version. If the edit states the version that it is based on, tasks of the run
 * that have not started use the new version.
 * @throws pipelineGroupForbidden, editRejected, and the errors of files
 */
export async function editFile(
  deps: RunsServiceDependencies,
  principal: Principal,
  run: StoredRun,
  edit: Extract<RunChange, { action: 'FILE_EDIT' }>['payload'],
): Promise<void> {
  const { groupName = run.groupName, fileName, fileType, content, fileId: basedOn } = edit
  const base = basedOn === undefined ? undefined : await deps.files.getReadable(principal, basedOn)
  const uses = base === undefined ? [] : await usesOf(deps, run, base.id)
  // The values of a run determine what its tasks do with the secrets of the group.
  if (uses.length > 0 && run.pipelineId !== undefined)
    await requirePipeline(deps, principal, run.pipelineId, 'RW')
  const { fileId, token } = await deps.files.create(
    principal,
    { groupName, fileName, fileType, fields: [], zipped: false },
    run.id,
  )
  const receipt = await deps.files.putContent(fileId, token, {
    stream: Readable.from([Buffer.from(content)]),
    announcedBytes: undefined,
    announcedHash: undefined,
    basedOn,
    keepsMetadata: true,
  })
  if (receipt.status === 'REJECTED') throw pipelineErrors.editRejected({ fileName, reason: receipt.message })
  // The group does not store content again that it already has.
  if (receipt.status === 'DUPLICATE') return
  for (const { object, store } of uses) await store(JSON.stringify({ ...object, id: receipt.fileId }))
}

interface Use {
  object: { id: string }
  /** Replaces the value. */
  store: (value: string) => Promise<unknown>
}

/** Returns the uses of a file version in the values of a run and in the inputs of steps that have not started. */
async function usesOf({ runs }: RunsServiceDependencies, run: StoredRun, fileId: string): Promise<Use[]> {
  const objectOf = (value: string) => {
    const { data } = objectValue.safeParse(parseJson(value))
    return data !== undefined && isUuid(data.id) && data.id.toLowerCase() === fileId ? data : undefined
  }
  const values = [...(await runs.values(run.id))].flatMap(([key, value]): Use[] => {
    const object = objectOf(value)
    return object === undefined ? [] : [{ object, store: (next) => runs.setValue(run.id, key, next) }]
  })
  const steps = (await runs.steps(run.id)).filter(({ state }) =>
    ['waiting', 'ready', 'paused'].includes(state),
  )
  const inputs = steps.flatMap(({ number, task }) =>
    Object.entries(task.inputs).flatMap(([name, value]): Use[] => {
      const object = isReference(value) || task.expressions?.includes(name) ? undefined : objectOf(value)
      return object === undefined
        ? []
        : [{ object, store: (next) => runs.setInput({ runId: run.id, number }, name, next) }]
    }),
  )
  return [...values, ...inputs]
}
