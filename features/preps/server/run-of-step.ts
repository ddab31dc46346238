import { createHash } from 'node:crypto'
import type { RunAttempt } from '@headwater/server-kit'
import type { Statuses } from '@headwater/statuses/server'

/**
 * Returns the run of a data prep that a step of a pipeline starts. All attempts at the step find the same one, so a step that is
 * executed again after a crash does not start a second run; only a run that failed is followed by a new one.
 */
export async function findRunOfStep(
  statuses: Pick<Statuses, 'statusesOfComponents'>,
  { eId }: RunAttempt,
  prepId: string,
): Promise<{ id: string; isStarted: boolean }> {
  for (let number = 0; ; number++) {
    const id = uuidOf(`data prep ${prepId} ${number} of step ${eId}`)
    const status = (await statuses.statusesOfComponents([{ jobId: id, eId: id }])).get(id)?.status
    if (status !== 'ERROR') return { id, isStarted: status !== undefined }
  }
}

/** Returns the UUID (version 8) of a string. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
