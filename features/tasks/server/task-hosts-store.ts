import { sql } from 'kysely'
import type { Database } from '@headwater/server-kit'

interface TaskHostTables {
  task_hosts: { task_id: string; hosts: string[]; saved_by: number; saved_at: Date }
  user_names: { id: number; user_name: string }
  item_names: { id: string; kind: string; group_id: number; name: string }
  group_names: { id: number; name: string }
}

/** Allowed hosts of a task. */
export interface StoredTaskHosts {
  /** Hosts in canonical form. */
  hosts: string[]
  /** Name of the user who made the last change. */
  savedBy: string
  /** When the last change was made. */
  savedAt: Date
}

/** Allowed hosts of a task with its name. */
export interface NamedTaskHosts extends StoredTaskHosts {
  /** Id of the task. */
  taskId: string
  /** Name of the task. */
  taskName: string
  /** Group of the task. */
  groupName: string
}

/** Store of allowed hosts in PostgreSQL. */
export interface TaskHostsStore {
  /** Returns the allowed hosts of a task; undefined if none were ever set. */
  find(taskId: string): Promise<StoredTaskHosts | undefined>
  /** Returns one page of the tasks with allowed hosts, by group and name, and their total number. */
  list(page: { from: number; size: number }): Promise<{ items: NamedTaskHosts[]; total: number }>
  /** Replaces the allowed hosts of a task. */
  set(taskId: string, change: { hosts: string[]; savedBy: number; savedAt: Date }): Promise<void>
}

/** Creates the store. */
export function createTaskHostsStore(database: Database): TaskHostsStore {
  const db = database.tables<TaskHostTables>()
  return {
    find: (taskId) =>
      db
        .selectFrom('task_hosts')
        .innerJoin('user_names as users', 'users.id', 'task_hosts.saved_by')
        .where('task_id', '=', taskId)
        .select(['hosts', 'users.user_name as savedBy', 'saved_at as savedAt'])
        .executeTakeFirst(),

    async list({ from, size }) {
      const named = db
        .selectFrom('task_hosts')
        .innerJoin('user_names as users', 'users.id', 'task_hosts.saved_by')
        .innerJoin('item_names as task', 'task.id', 'task_hosts.task_id')
        .innerJoin('group_names as group', 'group.id', 'task.group_id')
        .where(sql<boolean>`task_hosts.hosts <> '{}'`)
      const [items, count] = await Promise.all([
        named
          .select(['hosts', 'users.user_name as savedBy', 'saved_at as savedAt', 'task_id as taskId'])
          .select(['task.name as taskName', 'group.name as groupName'])
          .orderBy('group.name')
          .orderBy('task.name')
          .offset(from)
          .limit(size)
          .execute(),
        named.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
      ])
      return { items, total: Number(count.total) }
    },

    async set(taskId, { hosts, savedBy, savedAt }) {
      const row = { hosts, saved_by: savedBy, saved_at: savedAt }
      await db
        .insertInto('task_hosts')
        .values({ task_id: taskId, ...row })
        .onConflict((conflict) => conflict.column('task_id').doUpdateSet(row))
        .execute()
    },
  }
}
