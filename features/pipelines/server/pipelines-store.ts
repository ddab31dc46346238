import { sql } from 'kysely'
import type { ItemFilter, Items, ItemStore, StoredItem } from '@headwater/items/server'
import type { Trigger } from '@headwater/schedules/server'
import type { PipelineTask } from '../contract/index.ts'

/** Fields that a version of a pipeline stores besides name and group. */
export interface PipelineContent {
  /** Tasks, in any order. */
  tasks: readonly PipelineTask[]
  /** Canvas data of clients, as JSON text. */
  payload: string
  /** Tags. */
  tags: readonly string[]
  /** Id of the file with the documentation; null without one. */
  markdownId: string | null
}

/** Fields of a version in lists. */
type PipelineSummary = Pick<PipelineContent, 'tags' | 'markdownId'>

/** Schedule of a pipeline in lists. */
interface PipelineSchedule {
  /** Triggers; null without a schedule. */
  triggers: Trigger[] | null
  /** Earliest next run of all triggers; null without a schedule or before the server has calculated it. */
  nextRunAt: Date | null
}

/** Kind of the items and of their schedules. */
export const pipelineKind = 'pipeline'

/** A version of a pipeline in a list. */
export type ListedPipeline = StoredItem<PipelineSummary> & PipelineSchedule

/** A version of a pipeline. */
export type StoredPipeline = ListedPipeline & { content: PipelineContent }

/** Store of pipelines in PostgreSQL. */
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

/** Input of a task in a pipeline. */
export interface TaskInput {
  /** Name of the task. */
  taskName: string
  /** Name of the input. */
  name: string
  /** Value of the input. */
  value: string
}

/** Returns SQL conditions for a search. */
export function pipelineConditions({
  tag,
  input,
  isScheduled,
}: {
  tag?: string | undefined
  /** Only pipelines with a task that has this input. */
  input?: TaskInput | undefined
  /** Only pipelines with a schedule, or only those without one. */
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
