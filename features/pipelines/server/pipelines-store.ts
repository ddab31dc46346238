import { sql } from 'kysely'
import type { ItemFilter, Items, ItemStore, StoredItem } from '@headwater/items/server'
import type { Trigger } from '@headwater/schedules/server'
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

/** The pipelines in PostgreSQL. */
export type PipelinesStore = ItemStore<PipelineContent, PipelineSummary, PipelineSchedule>

/** Creates the store. */
export function createPipelinesStore(items: Items): PipelinesStore {
  return items.storeOf<PipelineContent, PipelineSummary, PipelineSchedule>({
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
}

/** A value that a pipeline gives to a task. */
export interface TaskInput {
  taskName: string
  name: string
  value: string
}

/** Conditions of pipelines. */
export function pipelineConditions({
  tag,
  input,
  isScheduled,
}: {
  tag?: string | undefined
  /** Only with a task that has this value as an input. */
  input?: TaskInput | undefined
  /** Only with a schedule, or only without one. */
  isScheduled?: boolean | undefined
}): NonNullable<ItemFilter['where']> {
  const conditions = []
  if (tag !== undefined) conditions.push(sql`saved.summary -> 'tags' ? ${tag}`)
  if (input !== undefined) {
    const { taskName, name, value } = input
    const part = { tasks: [{ taskName, params: [{ type: 'INPUT', name, value }] }] }
    conditions.push(sql`saved.content @> ${JSON.stringify(part)}::jsonb`)
  }
  if (isScheduled !== undefined)
    conditions.push(isScheduled ? sql`schedule.next_at is not null` : sql`schedule.next_at is null`)
  return conditions
}
