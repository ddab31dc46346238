import { sql, type RawBuilder } from 'kysely'
import type { AccessScope } from '@headwater/groups/server'
import { containsPattern, refusedByConstraint, wildcardPattern, type Database } from '@headwater/server-kit'
import type { TaskInput } from '../contract/index.ts'

interface TaskTables {
  tasks: { id: string; group_id: number; name: string; version: number }
  task_versions: {
    task_id: string
    version: number
    input: TaskContent
    saved_by: number
    saved_at: Date
  }
  groups: { id: number; name: string }
  users: { id: number; user_name: string }
}

/** What a version of a task keeps besides name and group. */
export type TaskContent = Omit<TaskInput, 'name' | 'groupName'>

/** A version of a task. */
export interface StoredTask {
  id: string
  groupId: number
  groupName: string
  name: string
  version: number
  newestVersion: number
  content: TaskContent
  savedBy: string
  savedAt: Date
}

/** What a save writes. */
export interface SavedTask {
  groupId: number
  name: string
  content: TaskContent
  savedBy: number
  savedAt: Date
}

/** Which tasks are wanted; conditions are joined by “and”. Texts in any letter case; `*` in patterns stands for any text. */
export interface TaskFilter {
  scope: AccessScope
  id?: string | undefined
  /** Anywhere in the name or the readable name. */
  nameContains?: string | undefined
  namePattern?: string | undefined
  readableNamePattern?: string | undefined
  groupPattern?: string | undefined
  /** Kinds that are meant. */
  definitionNames?: readonly string[] | undefined
}

export type SaveOutcome = 'saved' | 'changed' | 'gone' | 'name-taken' | 'group-gone'

/** The tasks in PostgreSQL. */
export interface TasksStore {
  /** The newest versions, by name. */
  search(
    filter: TaskFilter,
    page: { from: number; size: number },
  ): Promise<{ tasks: StoredTask[]; total: number }>
  /** All versions of a task, newest first. */
  listVersions(
    id: string,
    page: { from: number; size: number },
  ): Promise<{ tasks: StoredTask[]; total: number }>
  /** A version, by default the newest; undefined when there is none. */
  find(
    by: { id: string } | { groupId: number; name: string },
    version?: number,
  ): Promise<StoredTask | undefined>
  /** Saves a new one as version 1. */
  create(id: string, task: SavedTask): Promise<'created' | 'name-taken' | 'group-gone'>
  /** Saves a new version, unless there is one after `editedVersion`. */
  save(id: string, task: SavedTask & { editedVersion: number }): Promise<SaveOutcome>
  remove(id: string): Promise<void>
}

const saveRefusals = { unique: 'name-taken', missing: 'group-gone' } as const

/** Makes the store. */
export function createTasksStore(database: Database): TasksStore {
  const db = database.tables<TaskTables>()

  const selectVersions = () =>
    db
      .selectFrom('tasks as task')
      .innerJoin('task_versions as saved', 'saved.task_id', 'task.id')
      .innerJoin('groups', 'groups.id', 'task.group_id')
      .innerJoin('users as saver', 'saver.id', 'saved.saved_by')
      .select([
        'task.id',
        'task.group_id as groupId',
        'groups.name as groupName',
        'task.name',
        'saved.version',
        'task.version as newestVersion',
        'saved.input as content',
        'saver.user_name as savedBy',
        'saved.saved_at as savedAt',
      ])

  return {
    async search(filter, { from, size }) {
      const where = sql<boolean>`${sql.join(conditionsOf(filter), sql` and `)}`
      const [tasks, count] = await Promise.all([
        selectVersions()
          .where(where)
          .orderBy(sql`lower(task.name)`)
          .orderBy('task.id')
          .limit(size)
          .offset(from)
          .execute(),
        db
          .selectFrom('tasks as task')
          .innerJoin('task_versions as saved', 'saved.task_id', 'task.id')
          .innerJoin('groups', 'groups.id', 'task.group_id')
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .where(where)
          .executeTakeFirstOrThrow(),
      ])
      return { tasks, total: Number(count.total) }
    },
    async listVersions(id, { from, size }) {
      const [tasks, count] = await Promise.all([
        selectVersions()
          .where('task.id', '=', id)
          .orderBy('saved.version', 'desc')
          .limit(size)
          .offset(from)
          .execute(),
        db
          .selectFrom('task_versions')
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .where('task_id', '=', id)
          .executeTakeFirstOrThrow(),
      ])
      return { tasks, total: Number(count.total) }
    },
    find(by, version) {
      return selectVersions()
        .$if('id' in by, (qb) => qb.where('task.id', '=', (by as { id: string }).id))
        .$if('name' in by, (qb) => {
          const { groupId, name } = by as { groupId: number; name: string }
          return qb.where('task.group_id', '=', groupId).where('task.name', '=', name)
        })
        .where('saved.version', '=', version === undefined ? sql<number>`task.version` : version)
        .executeTakeFirst()
    },
    create(id, task) {
      return refusedByConstraint(
        db.transaction().execute(async (tx) => {
          await tx
            .insertInto('tasks')
            .values({ id, group_id: task.groupId, name: task.name, version: 1 })
            .execute()
          await tx
            .insertInto('task_versions')
            .values(versionRow(id, 1, task))
            .execute()
          return 'created' as const
        }),
        saveRefusals,
      )
    },
    save(id, task) {
      return refusedByConstraint(
        db.transaction().execute(async (tx) => {
          const row = await tx
            .selectFrom('tasks')
            .select('version')
            .where('id', '=', id)
            .forUpdate()
            .executeTakeFirst()
          if (row === undefined) return 'gone' as const
          if (row.version !== task.editedVersion) return 'changed' as const
          const version = row.version + 1
          await tx
            .updateTable('tasks')
            .set({ group_id: task.groupId, name: task.name, version })
            .where('id', '=', id)
            .execute()
          await tx
            .insertInto('task_versions')
            .values(versionRow(id, version, task))
            .execute()
          return 'saved' as const
        }),
        saveRefusals,
      )
    },
    async remove(id) {
      await db.deleteFrom('tasks').where('id', '=', id).execute()
    },
  }
}

function versionRow(id: string, version: number, { content, savedBy, savedAt }: SavedTask) {
  return {
    task_id: id,
    version,
    input: JSON.stringify(content) as never,
    saved_by: savedBy,
    saved_at: savedAt,
  }
}

function conditionsOf(filter: TaskFilter): RawBuilder<unknown>[] {
  const conditions = [
    filter.scope.groupIds === 'all'
      ? sql`true`
      : sql`task.group_id = any(${filter.scope.groupIds}::bigint[])`,
    sql`saved.version = task.version`,
  ]
  const shownName = sql`lower(coalesce(nullif(saved.input ->> 'readableName', ''), task.name))`
  if (filter.id !== undefined) conditions.push(sql`task.id = ${filter.id}::uuid`)
  if (filter.nameContains !== undefined) {
    const pattern = containsPattern(filter.nameContains.toLowerCase())
    conditions.push(sql`(lower(task.name) like ${pattern} or ${shownName} like ${pattern})`)
  }
  if (filter.namePattern !== undefined)
    conditions.push(sql`lower(task.name) like ${wildcardPattern(filter.namePattern.toLowerCase())}`)
  if (filter.readableNamePattern !== undefined)
    conditions.push(sql`${shownName} like ${wildcardPattern(filter.readableNamePattern.toLowerCase())}`)
  if (filter.groupPattern !== undefined)
    conditions.push(sql`lower(groups.name) like ${wildcardPattern(filter.groupPattern.toLowerCase())}`)
  if (filter.definitionNames !== undefined)
    conditions.push(sql`saved.input ->> 'definitionName' = any(${filter.definitionNames}::text[])`)
  return conditions
}
