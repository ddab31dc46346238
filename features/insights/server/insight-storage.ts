import type { Files } from '@headwater/files/server'
import type { Groups } from '@headwater/groups/server'
import type { Clock, Principal } from '@headwater/server-kit'
import type { InsightContent } from '@headwater/tiles/contract'
import type { InsightAccess } from './insight-access.ts'
import type { InsightFiles } from './insight-files.ts'
import type { InsightLocks } from './insight-locks.ts'
import type { InsightsReadModel } from './insights-read-model.ts'

/** What reading and saving insights uses. */
export interface InsightStorage {
  readModel: InsightsReadModel
  insightFiles: InsightFiles
  insightAccess: InsightAccess
  locks: InsightLocks
  files: Pick<Files, 'getReadable' | 'listVersions' | 'update' | 'remove'>
  groups: Pick<Groups, 'access' | 'create' | 'remove'>
  /** Returns the groups that visitors of a definition see and that a user cannot share, in the order of their names. */
  groupsNotAllowed: (principal: Principal, content: InsightContent) => Promise<string[]>
  clock: Clock
  createId: () => string
}
