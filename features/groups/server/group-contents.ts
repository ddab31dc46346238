import type { JobQueue } from '@headwater/jobs'
import type { Executor } from '@headwater/server-kit'
import type { GroupContentsCount } from '../contract/index.ts'
import type { LimitedGroup } from './access-scope.ts'
import type { AccessibleGroup } from './group-access.ts'

/** Returns the numbers of objects that a feature stores in a group. */
export type CountContents = (
  group: Pick<AccessibleGroup, 'id' | 'name' | 'scope'>,
) => Promise<Partial<GroupContentsCount>>

/** The series of groups, which are stored outside PostgreSQL. */
export interface GroupSeries {
  /**
   * Returns the ids of the groups with symbols. Groups with a range are included only if they have a symbol in the
   * range.
   */
  groupIdsWithSymbols(limited: readonly LimitedGroup[]): Promise<number[]>
  /** Deletes the series of a deleted group. It is retried until it succeeds, so it must be idempotent. */
  clear(groupId: number): Promise<void>
  /** Returns the serial key of the jobs that write series of a group, so that clearing runs after them. */
  serialKey(groupId: number): string
}

/** Contents of groups that belong to later features. */
export interface GroupContents {
  /** Adds the counts of a feature. */
  addCount(count: CountContents): void
  /** Sets the feature that stores series. Called once. */
  connectSeries(series: GroupSeries): void
  /** Sets the function that returns the names of the groups whose data is visible in public insights. Called once. */
  connectPublic(find: FindPublicGroups): void
}

/** Returns the names of the groups whose data is visible in public insights. */
export type FindPublicGroups = () => Promise<ReadonlySet<string>>

/** The contents of groups inside this feature. */
export interface InternalGroupContents extends GroupContents {
  /** Returns the numbers of objects in a group, from the counts of all features. */
  count: (group: Parameters<CountContents>[0]) => Promise<GroupContentsCount>
  /**
   * Returns the ids of the groups with symbols. Groups with a range are included only if they have a symbol in the
   * range.
   */
  groupIdsWithSymbols(limited: readonly LimitedGroup[]): Promise<number[]>
  /** Returns the names of the groups whose data is visible in public insights. */
  publicGroupNames: FindPublicGroups
  /** Enqueues the job that clears the series of a group, in the transaction that deletes the group. */
  enqueueClear(groupId: number, executor: Executor): Promise<void>
}

const clearJobKind = 'clear-group'
/** Practically unlimited, because no other code would remove the remaining series of a deleted group. */
const clearAttempts = 2 ** 31 - 1
const noContents: GroupContentsCount = {
  files: 0,
  insights: 0,
  symbols: 0,
  dataPreps: 0,
  pipelines: 0,
  tasks: 0,
  emailExports: 0,
  publicViews: 0,
}

/** Creates the contents without any features, and registers the job that clears deleted groups. */
export function createGroupContents({ jobs }: { jobs: JobQueue }): InternalGroupContents {
  const counts: CountContents[] = []
  let series: GroupSeries | undefined
  let findPublic: FindPublicGroups | undefined
  jobs.handle<{ groupId: number }>(clearJobKind, { run: async (job) => series?.clear(job.payload.groupId) })
  return {
    addCount(count) {
      counts.push(count)
    },
    connectSeries(next) {
      if (series !== undefined) throw new Error('Two features store the series of groups.')
      series = next
    },
    async count(group) {
      const total = { ...noContents }
      for (const countPart of counts) Object.assign(total, await countPart(group))
      return total
    },
    connectPublic(next) {
      if (findPublic !== undefined) throw new Error('Two features provide the groups of public insights.')
      findPublic = next
    },
    publicGroupNames: async () => (await findPublic?.()) ?? new Set(),
    groupIdsWithSymbols: async (limited) => (await series?.groupIdsWithSymbols(limited)) ?? [],
    async enqueueClear(groupId, executor) {
      if (series === undefined) return
      const options = { serialKey: series.serialKey(groupId), maxAttempts: clearAttempts }
      await jobs.enqueue(clearJobKind, { groupId }, options, executor)
    },
  }
}
