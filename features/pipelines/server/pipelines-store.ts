import { sql } from 'kysely'
import type { ItemFilter, ItemLink, Items, ItemStore, StoredItem } from '@headwater/items/server'
import { containsPattern } from '@headwater/server-kit'
import type { CronTrigger } from '@headwater/schedules/server'
import type { TriggerType } from '@headwater/statuses/contract'
import type { ExecutionMode, StoredPipelineTask } from '../contract/index.ts'
import { linksOfPipeline } from './pipeline-links.ts'
import type { TypedDefinition } from './triggers/trigger-definitions.ts'

/** Fields of a pipeline version in addition to its name and group. */
export interface PipelineContent {
  /** Tasks, in any order. */
  tasks: readonly StoredPipelineTask[]
  /** Canvas data of clients, as a JSON string. */
  payload: string
  /** Tags. */
  tags: readonly string[]
  /** Id of the file with the documentation; null if there is none. */
  markdownId: string | null
  /** Execution mode of steps. Absent in versions saved before modes existed, which are durable. */
  executionMode?: ExecutionMode
  /** Objects that values of the pipeline refer to. Absent in versions saved before they were stored. */
  valueLinks?: readonly ItemLink[]
}

/** Fields of a version in lists. */
type PipelineSummary = Pick<PipelineContent, 'tags' | 'markdownId' | 'executionMode'>

/** Triggers of a pipeline in lists. */
interface PipelineSchedule {
  /** Triggers of its `cron-trigger` tasks; null if there are none. */
  triggers: CronTrigger[] | null
  /** Earliest next run of these tasks; null if there is none or the server has not yet computed it. */
  nextRunAt: Date | null
  /** Its active triggers, in order; null if there are none. */
  activeTriggers: (TypedDefinition & { nextAt: string | null })[] | null
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
    summaryOf: ({ tags, markdownId, executionMode }) => ({ tags, markdownId, executionMode }),
    linksOf: linksOfPipeline,
    extra: {
      join: sql`left join schedule_moments schedule on schedule.target_id = item.id and schedule.kind = item.kind
        left join lateral (
          select jsonb_agg(jsonb_build_object('type', own.type, 'definition', own.definition, 'nextAt', due.next_at)
            order by own.position) as active
          from pipeline_triggers own
          left join schedule_moments due on due.target_id = own.id and due.kind = 'pipeline-trigger'
          where own.pipeline_id = item.id and own.active
        ) as triggers on true`,
      columns: {
        triggers: sql<CronTrigger[] | null>`schedule.triggers`,
        nextRunAt: sql<Date | null>`schedule.next_at`,
        activeTriggers: sql<PipelineSchedule['activeTriggers']>`triggers.active`,
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
  task,
  triggerType = 'ANY',
}: {
  tag?: string | undefined
  /** Only pipelines with a task that has this input. */
  input?: TaskInput | undefined
  /** Only pipelines that use this task. */
  task?: { taskName: string; taskGroup: string } | undefined
  /**
   * Only pipelines with an active trigger of this type; `None` for pipelines that only users and webhooks start. Default: all.
   */
  triggerType?: TriggerType | undefined
}): NonNullable<ItemFilter['where']> {
  const conditions = []
  if (tag !== undefined) conditions.push(sql`saved.summary -> 'tags' ? ${tag}`)
  if (input !== undefined) {
    const { taskName, name, value } = input
    const part = { tasks: [{ taskName, taskOverrides: { params: [{ type: 'INPUT', name, value }] } }] }
    conditions.push(sql`saved.content @> ${JSON.stringify(part)}::jsonb`)
  }
  if (task !== undefined) conditions.push(sql`saved.content @> ${JSON.stringify({ tasks: [task] })}::jsonb`)
  if (triggerType !== 'ANY') conditions.push(hasTrigger(triggerType))
  return conditions
}

/** Returns SQL conditions for pipelines that are (or are not) among the favourites with these ids. */
export function favouriteConditions(
  ids: readonly string[],
  isFavourite: boolean,
): NonNullable<ItemFilter['where']> {
  const among = sql`item.id::text = any(${ids}::text[])`
  return [isFavourite ? among : sql`not (${among})`]
}

/** Returns SQL conditions for versions by version number or part of the author's name. */
export function versionConditions(text: string): NonNullable<ItemFilter['where']> {
  const query = text.trim()
  if (query === '') return []
  const byAuthor = sql`exists (select from user_names author where author.id = saved.saved_by
    and lower(author.user_name) like ${containsPattern(query.toLowerCase())})`
  return [sql`(saved.version::text = ${query.replace(/^v/i, '')} or ${byAuthor})`]
}

function hasTrigger(type: TriggerType) {
  if (type === 'None')
    return sql`schedule.next_at is null
      and not exists (select from pipeline_triggers where pipeline_id = item.id and active and type <> 'None')`
  const isOfTask = type === 'CRON' ? sql`schedule.next_at is not null` : sql`false`
  return sql`(${isOfTask}
    or exists (select from pipeline_triggers where pipeline_id = item.id and active and type = ${type}))`
}
