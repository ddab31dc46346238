import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { Groups } from '@headwater/groups/server'
import type { Preps } from '@headwater/preps/server'
import { type InsightContent } from '@headwater/tiles/contract'
import { groupsIn } from '@headwater/tiles/core'
import { publicContent } from '@headwater/insights/core'
import type { InsightsReadModel } from '@headwater/insights/server'
import { shownPreps } from './shown-preps.ts'

/** Tells whether a user can publish what an insight shows. */
export interface PublishingRights {
  /** Names of the groups that visitors of a definition see and that the user may not share, in order. */
  groupsNotAllowed(principal: Principal, content: InsightContent): Promise<string[]>
}

/** Publishing shares a group with everybody, so it needs RWS on the group, like sharing it with one person. */
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
      const shown = publicContent(content)
      const saved: unknown[] = []
      for (const { address } of shownPreps(shown))
        saved.push(
          await unlessRefused(preps.get(principal, address, { withMetadata: false, resolvePattern: false })),
        )
      const refused: string[] = []
      // A group that was deleted has nothing to publish, and must not keep anybody from saving.
      for (const name of await readModel.existingGroups([...groupsIn([shown, saved])]))
        if ((await unlessRefused(groups.access.getGroup(principal, name, 'RWS'))) === undefined)
          refused.push(name)
      return refused.toSorted()
    },
  }
}
