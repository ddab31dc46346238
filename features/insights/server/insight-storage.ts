import type { Files } from '@headwater/files/server'
import type { Groups } from '@headwater/groups/server'
import type { Items } from '@headwater/items/server'
import type { Clock, Principal } from '@headwater/server-kit'
import type { InsightContent } from '@headwater/tile-data/contract'
import type { InsightAccess } from './insight-access.ts'
import type { InsightFiles } from './insight-files.ts'
import type { InsightLocks } from './insight-locks.ts'
import type { InsightsReadModel } from './insights-read-model.ts'

/** Dependencies of the functions that read and save insights. */
export interface InsightStorage {
  /** Queries of insights and files. Access is limited only by scope. */
  readModel: InsightsReadModel
  /** Reads and writes the files of insights. */
  insightFiles: InsightFiles
  /** Reads insights with access checks. */
  insightAccess: InsightAccess
  /** Serialises changes of the same insight. */
  locks: InsightLocks
  /** Files of the lake. */
  files: Pick<Files, 'getReadable' | 'listVersions' | 'versionIds' | 'update' | 'remove'>
  /** Finds the objects that use a file. */
  references: Items['references']
  /** Groups and the access of users to them. */
  groups: Pick<Groups, 'access' | 'create' | 'remove'>
  /** Returns the groups that are visible to visitors of a definition but that the user cannot share, sorted by name. */
  groupsNotAllowed: (principal: Principal, content: InsightContent) => Promise<string[]>
  /** Clock that determines whether a public view has ended. */
  clock: Clock
  /** Returns a new unique id for a part of a definition. */
  createId: () => string
}
