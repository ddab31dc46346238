import type { Database } from '@headwater/server-kit'

interface TaskHostTables {
  task_hosts: { task_id: string; hosts: string[]; saved_by: number; saved_at: Date }
  user_names: { id: number; user_name: string }
}

/** Allowed hosts of a task. */
export interface StoredTaskHosts {
  /** Hosts in their canonical form. */
  hosts: string[]
  /** Name of the user who made the last change. */
  savedBy: string
  /** When the last change was made. */
  savedAt: Date
}

/** Store of allowed hosts in PostgreSQL. */
export interface TaskHostsStore {
  /** Returns the allowed hosts of a task; undefined if none were ever set. */
  find(taskId: string): Promise<StoredTaskHosts | undefined>
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
