import { wildcardMatcher } from '@headwater/contract'
import type { FileVersion } from '@headwater/files/server'
import type { Executor } from '@headwater/server-kit'
import type { TriggerValues } from '../../contract/index.ts'
import { enqueueFirings } from './fire-triggers.ts'
import type { TriggersDependencies } from './triggers-dependencies.ts'

/**
 * Stores the arrival of a file version as an event for matching triggers, in the transaction of the arrival.
 */
export async function onFileArrived(
  deps: Pick<TriggersDependencies, 'triggers' | 'queue'>,
  file: FileVersion,
  executor: Executor,
): Promise<void> {
  const candidates = await deps.triggers.listFileTriggers(file.groupId, executor)
  const matching = candidates.filter(({ namePattern }) => wildcardMatcher(namePattern)(file.name))
  if (matching.length === 0) return
  const values: TriggerValues = {
    fileId: file.id,
    fileName: file.name,
    fileVersion: String(file.version),
    groupName: matching[0]!.groupName,
  }
  const event = { cause: `file ${file.id}`, values, causedByJob: file.runId, occurredAt: file.arrivedAt }
  const firings = await deps.triggers.addFirings(
    matching.map(({ id }) => id),
    event,
    executor,
  )
  await enqueueFirings(deps, firings, executor)
}
