import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { AccessScope } from '@headwater/groups/server'
import type { Trigger } from '@headwater/schedules/server'
import {
  containsPattern,
  executorOf,
  refusedByConstraint,
  tablesOn,
  wildcardPattern,
  type Database,
  type Executor,
} from '@headwater/server-kit'
import type { PipelineTask } from '../contract/index.ts'

interface PipelineTables {
  pipelines: {
    id: string
    group_id: number
    name: string
    version: number
  }
  pipeline_versions: {
    pipeline_id: string
    version: number
    tasks: PipelineTask[]
    payload: string
    tags: string[]
    markdown_id: string | null
    saved_by: number
    saved_at: Date
  }
  schedule_moments: { kind: string; target_id: string; triggers: Trigger[]; next_at: Date | null }
  groups: { id: number; name: string }
  users: { id: number; user_name: string }
}

/** Kind of the schedules of pipelines. */
export const scheduleKind = 'pipeline'

/** A version of a pipeline as lists show it. */
export interface ListedPipeline {
  id: string
  groupId: number
  groupName: string
  name: string
  version: number
  newestVersion: number
  tags: string[]
  markdownId: string | null
  savedBy: string
  savedAt: Date
  /** Null without a schedule. */
  triggers: Trigger[] | null
  /** The first next run of all triggers; null without a schedule, or before it has been worked out. */
  nextRunAt: Date | null
}

/** A version of a pipeline without its payload. */
export interface StoredPipeline extends ListedPipeline {
  tasks: PipelineTask[]
}

/** What a save writes. */
export interface SavedPipeline {
  groupId: number
  name: string
  tasks: readonly PipelineTask[]
  payload: string
  tags: readonly string[]
  markdownId: string | null
  savedBy: number
  savedAt: Date
}

/** Which pipelines are wanted; conditions are joined by “and”. Texts in any letter case; `*` in patterns stands for any text. */
export interface PipelineFilter {
  scope: AccessScope
  /** Every version, or the newest of each only. */
  latest: boolean
  id?: string | undefined
  nameContains?: string | undefined
  namePattern?: string | undefined
  groupPattern?: string | undefined
  tag?: string | undefined
  /** Only with a schedule, or only without one. */
  scheduled?: boolean | undefined
}

/** The pipelines in PostgreSQL. */
export interface PipelinesStore {
  search(
    filter: PipelineFilter,
    page: { sortBy: 'updated' | 'name'; sortOrder: 'asc' | 'desc'; from: number; size: number },
  ): Promise<{ pipelines: ListedPipeline[]; total: number }>
  /** A version, by default the newest; undefined when there is none. */
  find(
    by: { id: string } | { groupId: number; name: string },
    version?: number,
  ): Promise<StoredPipeline | undefined>
  payload(id: string, version: number): Promise<string | undefined>
  /**
   * Saves a new one as version 1.
   * @param note takes part in the transaction
   */
  create(
    id: string,
    pipeline: SavedPipeline,
    note: (executor: Executor) => Promise<void>,
  ): Promise<'created' | 'name-taken' | 'group-gone'>
  /** Saves a new version, unless there is one after `editedVersion`; undefined takes any. */
  save(
    id: string,
    pipeline: SavedPipeline & { editedVersion: number | undefined },
    note: (executor: Executor) => Promise<void>,
  ): Promise<'saved' | 'changed' | 'gone' | 'name-taken' | 'group-gone'>
  /**
   * Renames or moves a pipeline that follows something else, as a version of who saved it last. Nothing happens without such a
   * pipeline, or when the name is taken. Part of a transaction.
   * @param change of its tasks
   * @returns what `unfollow` takes back; undefined when nothing happened
   */
  follow(
    from: { groupId: number; name: string; tag: string },
    to: { groupId: number; name: string },
    change: (tasks: readonly PipelineTask[]) => readonly PipelineTask[],
    executor: Executor,
  ): Promise<FollowedPipeline | undefined>
  /**
   * Takes back what `follow` did, with the version that it made. A pipeline that was saved or removed since stays as it is,
   * and one whose name is taken by now too. Part of a transaction.
   */
  unfollow(followed: FollowedPipeline, executor: Executor): Promise<void>
  remove(id: string, executor: Executor): Promise<void>
  /** Runs `work` in one transaction; an error takes everything back. */
  transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T>
}

/** A pipeline that followed something else: where it was before, and the version that it got. */
export interface FollowedPipeline {
  id: string
  from: { groupId: number; name: string }
  version: number
}

const saveRefusals = { unique: 'name-taken', missing: 'group-gone' } as const

/** Makes the store. */
export function createPipelinesStore(database: Database): PipelinesStore {
  const db = database.tables<PipelineTables>()

  const selectVersions = () =>
    db
      .selectFrom('pipelines as pipeline')
      .innerJoin('pipeline_versions as saved', 'saved.pipeline_id', 'pipeline.id')
      .innerJoin('groups', 'groups.id', 'pipeline.group_id')
      .innerJoin('users as saver', 'saver.id', 'saved.saved_by')
      .leftJoin('schedule_moments as schedule', (join) =>
        join.onRef('schedule.target_id', '=', 'pipeline.id').on('schedule.kind', '=', scheduleKind),
      )
      .select([
        'pipeline.id',
        'pipeline.group_id as groupId',
        'groups.name as groupName',
        'pipeline.name',
        'saved.version',
        'pipeline.version as newestVersion',
        'saved.tags',
        'saved.markdown_id as markdownId',
        'saver.user_name as savedBy',
        'saved.saved_at as savedAt',
        'schedule.triggers',
        'schedule.next_at as nextRunAt',
      ])

  return {
    transaction: (work) => db.transaction().execute((tx) => work(executorOf(tx))),
    async search(filter, { sortBy, sortOrder, from, size }) {
      const where = sql<boolean>`${sql.join(conditionsOf(filter), sql` and `)}`
      const order = sortBy === 'name' ? sql`lower(pipeline.name)` : sql`saved.saved_at`
      const [pipelines, count] = await Promise.all([
        selectVersions()
          .where(where)
          .orderBy(order, sortOrder)
          .orderBy('pipeline.id')
          .orderBy('saved.version', 'desc')
          .limit(size)
          .offset(from)
          .execute(),
        db
          .selectFrom('pipelines as pipeline')
          .innerJoin('pipeline_versions as saved', 'saved.pipeline_id', 'pipeline.id')
          .innerJoin('groups', 'groups.id', 'pipeline.group_id')
          .leftJoin('schedule_moments as schedule', (join) =>
            join.onRef('schedule.target_id', '=', 'pipeline.id').on('schedule.kind', '=', scheduleKind),
          )
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .where(where)
          .executeTakeFirstOrThrow(),
      ])
      return { pipelines, total: Number(count.total) }
    },
    find(by, version) {
      return selectVersions()
        .select('saved.tasks')
        .$if('id' in by, (qb) => qb.where('pipeline.id', '=', (by as { id: string }).id))
        .$if('name' in by, (qb) => {
          const { groupId, name } = by as { groupId: number; name: string }
          return qb.where('pipeline.group_id', '=', groupId).where('pipeline.name', '=', name)
        })
        .where('saved.version', '=', version === undefined ? sql<number>`pipeline.version` : version)
        .executeTakeFirst()
    },
    async payload(id, version) {
      const row = await db
        .selectFrom('pipeline_versions')
        .select('payload')
        .where('pipeline_id', '=', id)
        .where('version', '=', version)
        .executeTakeFirst()
      return row?.payload
    },
    create(id, pipeline, note) {
      return refusedByConstraint(
        db.transaction().execute(async (tx) => {
          const { groupId, name } = pipeline
          await tx.insertInto('pipelines').values({ id, group_id: groupId, name, version: 1 }).execute()
          await tx
            .insertInto('pipeline_versions')
            .values(versionRow(id, 1, pipeline))
            .execute()
          await note(executorOf(tx))
          return 'created' as const
        }),
        saveRefusals,
      )
    },
    save(id, pipeline, note) {
      return refusedByConstraint(
        db.transaction().execute(async (tx) => {
          const row = await tx
            .selectFrom('pipelines')
            .select('version')
            .where('id', '=', id)
            .forUpdate()
            .executeTakeFirst()
          if (row === undefined) return 'gone' as const
          if (pipeline.editedVersion !== undefined && row.version !== pipeline.editedVersion)
            return 'changed' as const
          const version = row.version + 1
          const { groupId, name } = pipeline
          await tx
            .updateTable('pipelines')
            .set({ group_id: groupId, name, version })
            .where('id', '=', id)
            .execute()
          await tx
            .insertInto('pipeline_versions')
            .values(versionRow(id, version, pipeline))
            .execute()
          await note(executorOf(tx))
          return 'saved' as const
        }),
        saveRefusals,
      )
    },
    async follow(from, to, change, executor) {
      const tx = tablesOn<PipelineTables>(executor)
      const row = await tx
        .selectFrom('pipelines as pipeline')
        .innerJoin('pipeline_versions as saved', (join) =>
          join.onRef('saved.pipeline_id', '=', 'pipeline.id').onRef('saved.version', '=', 'pipeline.version'),
        )
        .selectAll('saved')
        .where('pipeline.group_id', '=', from.groupId)
        .where('pipeline.name', '=', from.name)
        .where(sql<boolean>`${from.tag} = any(saved.tags)`)
        .forUpdate()
        .executeTakeFirst()
      if (row === undefined || (await isTaken(tx, to))) return undefined
      const version = row.version + 1
      await tx
        .updateTable('pipelines')
        .set({ group_id: to.groupId, name: to.name, version })
        .where('id', '=', row.pipeline_id)
        .execute()
      const tasks = JSON.stringify(change(row.tasks)) as never
      await tx
        .insertInto('pipeline_versions')
        .values({ ...row, version, tasks })
        .execute()
      return { id: row.pipeline_id, from: { groupId: from.groupId, name: from.name }, version }
    },
    async unfollow({ id, from, version }, executor) {
      const tx = tablesOn<PipelineTables>(executor)
      if (await isTaken(tx, from)) return
      const unchanged = await tx
        .updateTable('pipelines')
        .set({ group_id: from.groupId, name: from.name, version: version - 1 })
        .where('id', '=', id)
        .where('version', '=', version)
        .returning('id')
        .executeTakeFirst()
      if (unchanged === undefined) return
      await tx
        .deleteFrom('pipeline_versions')
        .where('pipeline_id', '=', id)
        .where('version', '=', version)
        .execute()
    },
    async remove(id, executor) {
      await executor.query('delete from pipelines where id = $1', [id])
    },
  }
}

async function isTaken(
  tx: Kysely<PipelineTables>,
  { groupId, name }: { groupId: number; name: string },
): Promise<boolean> {
  const there = await tx
    .selectFrom('pipelines')
    .select('id')
    .where('group_id', '=', groupId)
    .where('name', '=', name)
    .executeTakeFirst()
  return there !== undefined
}

function versionRow(id: string, version: number, pipeline: SavedPipeline) {
  return {
    pipeline_id: id,
    version,
    tasks: JSON.stringify(pipeline.tasks) as never,
    payload: pipeline.payload,
    tags: [...pipeline.tags],
    markdown_id: pipeline.markdownId,
    saved_by: pipeline.savedBy,
    saved_at: pipeline.savedAt,
  }
}

function conditionsOf(filter: PipelineFilter): RawBuilder<unknown>[] {
  const conditions = [
    filter.scope.groupIds === 'all'
      ? sql`true`
      : sql`pipeline.group_id = any(${filter.scope.groupIds}::bigint[])`,
  ]
  if (filter.latest) conditions.push(sql`saved.version = pipeline.version`)
  if (filter.id !== undefined) conditions.push(sql`pipeline.id = ${filter.id}::uuid`)
  if (filter.nameContains !== undefined)
    conditions.push(sql`lower(pipeline.name) like ${containsPattern(filter.nameContains.toLowerCase())}`)
  if (filter.namePattern !== undefined)
    conditions.push(sql`lower(pipeline.name) like ${wildcardPattern(filter.namePattern.toLowerCase())}`)
  if (filter.groupPattern !== undefined)
    conditions.push(sql`lower(groups.name) like ${wildcardPattern(filter.groupPattern.toLowerCase())}`)
  if (filter.tag !== undefined) conditions.push(sql`${filter.tag} = any(saved.tags)`)
  if (filter.scheduled !== undefined)
    conditions.push(filter.scheduled ? sql`schedule.next_at is not null` : sql`schedule.next_at is null`)
  return conditions
}
