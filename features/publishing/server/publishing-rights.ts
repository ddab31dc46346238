import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { Groups } from '@headwater/groups/server'
import type { Preps } from '@headwater/preps/server'
import { type InsightContent } from '@headwater/tile-data/contract'
import { groupsIn } from '@headwater/tile-data/core'
import { publicContent } from '@headwater/insights/core'
import type { InsightsReadModel } from '@headwater/insights/server'
import { shareable } from './public-access.ts'
import { visiblePreps } from './visible-preps.ts'

/** Checks whether a user can publish an insight. */
export interface PublishingRights {
  /** Returns the names of the groups that visitors of a definition would see and that the user cannot share, sorted. */
  groupsNotAllowed(principal: Principal, content: InsightContent): Promise<string[]>
}

/** Creates the check. Publishing shares groups with everyone, so it needs RWS access to them, like sharing with one person. */
export function createPublishingRights({
  readModel,
  groups,
  preps,
}: {
  readModel: Pick<InsightsReadModel, 'existingGroups'>
  groups: Pick<Groups, 'access'>
  preps: Pick<Preps, 'get'>
}): PublishingRights {
  return {
    async groupsNotAllowed(principal, content) {
      const visible = publicContent(content)
      const saved: unknown[] = []
      for (const { address } of visiblePreps(visible))
        saved.push(
          await unlessRefused(preps.get(principal, address, { withMetadata: false, resolvePattern: false })),
        )
      const refused: string[] = []
      // A deleted group has no data to publish, so it must not prevent saves.
      for (const name of await readModel.existingGroups([...groupsIn([visible, saved])]))
        if ((await shareable(groups, principal, { name })) === undefined) refused.push(name)
      return refused.toSorted()
    },
  }
}
