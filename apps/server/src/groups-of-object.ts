import type { Files } from '@headwater/files/server'
import type { Preps } from '@headwater/preps/server'
import { unlessRefused, type Principal } from '@headwater/server-kit'
import { groupsIn } from '@headwater/tile-data/core'

/** Returns the groups of a file or data prep, and those whose series a data prep queries; none without access. */
export async function groupsOfObject(
  { files, preps }: { files: Pick<Files, 'get'>; preps: Pick<Preps, 'get'> },
  principal: Principal,
  type: 'FILE' | 'DATA_PREP',
  id: string,
): Promise<string[]> {
  if (type === 'DATA_PREP') {
    const plainView = { withMetadata: false, resolvePattern: false }
    return [...groupsIn(await unlessRefused(preps.get(principal, { id }, plainView)))]
  }
  const file = await unlessRefused(files.get(principal, id))
  return file === undefined ? [] : [file.groupName]
}
