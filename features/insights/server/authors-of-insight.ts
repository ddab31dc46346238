import type { Preps } from '@headwater/preps/server'
import type { Principal } from '@headwater/server-kit'
import type { InsightFiles } from './insight-files.ts'
import type { StoredInsight } from './insights-read-model.ts'
import { unlessRefused } from './refusals.ts'

/** Who decided what an insight shows: who saved it last, and who saved the data preps that its tiles ask. */
export interface AuthorsOfInsight {
  /** The others than the one who asks; undefined stands for somebody who has gone. */
  find(principal: Principal, stored: StoredInsight): Promise<(Principal | undefined)[]>
}

/** Makes the finder. */
export function createAuthorsOfInsight({
  insightFiles,
  preps,
  findPrincipal,
  findUserId,
}: {
  insightFiles: Pick<InsightFiles, 'readContent'>
  preps: Pick<Preps, 'get'>
  /** The principal of an active user. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  findUserId: (userName: string) => Promise<number | undefined>
}): AuthorsOfInsight {
  /** The data prep that a tile asks, by its id or its names; undefined when it asks none. */
  function addressOf({ source }: { source?: unknown }) {
    const { type, value } = (source ?? {}) as { type?: unknown; value?: unknown }
    if (type !== 'DATA_PREP' || typeof value !== 'object' || value === null) return undefined
    const { id, groupName, name } = value as Record<string, unknown>
    if (typeof id === 'string') return { id }
    return typeof groupName === 'string' && typeof name === 'string' ? { groupName, name } : undefined
  }

  return {
    async find(principal, stored) {
      const { tiles } = await insightFiles.readContent(principal, stored)
      const userIds = new Set<number | undefined>([stored.savedById])
      for (const tile of tiles) {
        const address = addressOf(tile)
        const view = { withMetadata: false, resolvePattern: false }
        const prep = address && (await unlessRefused(preps.get(principal, address, view)))
        if (prep !== undefined) userIds.add(await findUserId(prep.modifiedBy))
      }
      userIds.delete(principal.userId)
      return Promise.all(
        [...userIds].map(async (userId) => (userId === undefined ? undefined : findPrincipal(userId))),
      )
    },
  }
}
