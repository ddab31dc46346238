import { sql } from 'kysely'
import type { ItemFilter, Items, ItemStore, StoredItem } from '@headwater/items/server'
import type { Trigger } from '@headwater/schedules/server'
import type { Executor } from '@headwater/server-kit'
import type { PipelineTask } from '../contract/index.ts'

/** What a version of a pipeline stores besides name and group. */
export interface PipelineContent {
  tasks: readonly PipelineTask[]
  payload: string
  tags: readonly string[]
  markdownId: string | null
}

/** What lists show of a version. */
type PipelineSummary = Pick<PipelineContent, 'tags' | 'markdownId'>

/** What lists show of the schedule of a pipeline. */
interface PipelineSchedule {
  /** Null without a schedule. */
  triggers: Trigger[] | null
  /** The first next run of all triggers; null without a schedule, or before it has been worked out. */
  nextRunAt: Date | null
}

/** Kind of the items and of their schedules. */
export const pipelineKind = 'pipeline'

/** A version of a pipeline as lists show it. */
export type ListedPipeline = StoredItem<PipelineSummary> & PipelineSchedule

/** A version of a pipeline. */
export type StoredPipeline = ListedPipeline & { content: PipelineContent }

/** A pipeline that followed something else: where it was before, and the version that it got. */
export interface FollowedPipeline {
  id: string
  from: { groupId: number; name: string }
  version: number
}

/** The pipelines in PostgreSQL. */
export interface PipelinesStore extends ItemStore<PipelineContent, PipelineSummary, PipelineSchedule> {
  /**
   * Renames or moves a pipeline that follows another object, as a version of its last author. Changes nothing if there is no
   * such pipeline or the name is taken. Part of a transaction.
   * @param change of its tasks
   * @returns what `unfollow` undoes; undefined when nothing happened
   */
  follow(
    from: { groupId: number; name: string; tag: string },
    to: { groupId: number; name: string },
    change: (tasks: readonly PipelineTask[]) => readonly PipelineTask[],
    executor: Executor,
  ): Promise<FollowedPipeline | undefined>
  /**
   * Undoes what `follow` did, with the version that it saved. A pipeline that was saved or removed since stays as it is, and one
   * whose name is taken by now too. Part of a transaction.
   */
  unfollow(followed: FollowedPipeline, executor: Executor): Promise<void>
}

/** Creates the store. */
export function createPipelinesStore(items: Items): PipelinesStore {
  const store = items.storeOf<PipelineContent, PipelineSummary, PipelineSchedule>({
    kind: pipelineKind,
    summaryOf: ({ tags, markdownId }) => ({ tags, markdownId }),
    extra: {
      join: sql`left join schedule_moments schedule on schedule.target_id = item.id and schedule.kind = item.kind`,
      columns: {
        triggers: sql<Trigger[] | null>`schedule.triggers`,
        nextRunAt: sql<Date | null>`schedule.next_at`,
      },
    },
  })
  return {
    ...store,
    async follow({ groupId, name, tag }, to, change, executor) {
      const found = await store.find({ groupId, name }, undefined, { executor, lock: true })
      if (found === undefined || !found.summary.tags.includes(tag)) return undefined
      const { id, version, content, savedById: savedBy, savedAt } = found
      const followed = { ...content, tasks: change(content.tasks) }
      const saved = { ...to, content: followed, savedBy, savedAt, basedOn: version }
      const outcome = await store.save(id, saved, { executor })
      return outcome === 'saved' ? { id, from: { groupId, name }, version: version + 1 } : undefined
    },
    unfollow: ({ id, from, version }, executor) => store.undo(id, version, from, executor),
  }
}

/** Conditions of pipelines. */
export function pipelineConditions({
  tag,
  isScheduled,
}: {
  tag?: string | undefined
  /** Only with a schedule, or only without one. */
  isScheduled?: boolean | undefined
}): NonNullable<ItemFilter['where']> {
  const conditions = []
  if (tag !== undefined) conditions.push(sql`saved.summary -> 'tags' ? ${tag}`)
  if (isScheduled !== undefined)
    conditions.push(isScheduled ? sql`schedule.next_at is not null` : sql`schedule.next_at is null`)
  return conditions
}
