import { executorOf, type Database, type Executor } from '@headwater/server-kit'
import type { PrepsStore } from './preps-store.ts'

interface RunTables {
  data_prep_runs: {
    id: string
    data_prep_id: string
    version: number
    user_id: number
    queue_job_id: string | null
    file_id: string | null
    upload_permit: string | null
  }
  ready_files: { group_id: number; name: string; type: string; latest: boolean }
}

/** A run that goes on. */
export interface StoredRun {
  /** Id of its job. */
  id: string
  prepId: string
  version: number
  userId: number
  /** The file it writes, once it is announced. */
  file?: { id: string; permit: string } | undefined
}

/** The runs in PostgreSQL. */
export interface RunsStore {
  /** Runs `work` in one transaction; an error takes everything back. */
  transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T>
  /** Notes a run; false when one of this user and data prep goes on, or the data prep is gone. Part of a transaction. */
  start(run: Omit<StoredRun, 'file'>, executor: Executor): Promise<boolean>
  find(id: string): Promise<StoredRun | undefined>
  /** The run of a user that goes on, with the job of the queue that does the work. */
  findActive(prepId: string, userId: number): Promise<{ id: string; queueJobId: string | null } | undefined>
  /** Notes the job of the queue that does the work. Part of a transaction. */
  setQueueJob(id: string, queueJobId: string, executor: Executor): Promise<void>
  /** Notes the file of a run, or that it has none any more. */
  setFile(id: string, file: { id: string; permit: string } | undefined): Promise<void>
  /** Forgets a run that has ended. */
  end(id: string, executor?: Executor): Promise<void>
  /** Type of the newest version of a file; undefined when there is none of this name. */
  fileType(groupId: number, fileName: string): Promise<string | undefined>
}

/** Makes the store. */
export function createRunsStore(database: Database, preps: Pick<PrepsStore, 'hold'>): RunsStore {
  const db = database.tables<RunTables>()
  return {
    transaction: (work) => db.transaction().execute((tx) => work(executorOf(tx))),
    async start({ id, prepId, version, userId }, executor) {
      if (!(await preps.hold(prepId, executor))) return false
      const { rows } = await executor.query(
        `insert into data_prep_runs (id, data_prep_id, version, user_id) values ($1, $2, $3, $4)
         on conflict (data_prep_id, user_id) do nothing returning id`,
        [id, prepId, version, userId],
      )
      return rows.length > 0
    },
    async find(id) {
      const row = await db.selectFrom('data_prep_runs').selectAll().where('id', '=', id).executeTakeFirst()
      if (row === undefined) return undefined
      const { file_id: fileId, upload_permit: permit } = row
      return {
        id,
        prepId: row.data_prep_id,
        version: row.version,
        userId: row.user_id,
        file: fileId === null || permit === null ? undefined : { id: fileId, permit },
      }
    },
    findActive: (prepId, userId) =>
      db
        .selectFrom('data_prep_runs')
        .select(['id', 'queue_job_id as queueJobId'])
        .where('data_prep_id', '=', prepId)
        .where('user_id', '=', userId)
        .executeTakeFirst(),
    async setQueueJob(id, queueJobId, executor) {
      await executor.query('update data_prep_runs set queue_job_id = $2 where id = $1', [id, queueJobId])
    },
    async setFile(id, file) {
      await db
        .updateTable('data_prep_runs')
        .set({ file_id: file?.id ?? null, upload_permit: file?.permit ?? null })
        .where('id', '=', id)
        .execute()
    },
    async end(id, executor = database.pool) {
      await executor.query('delete from data_prep_runs where id = $1', [id])
    },
    async fileType(groupId, fileName) {
      const row = await db
        .selectFrom('ready_files')
        .select('type')
        .where('latest', '=', true)
        .where('group_id', '=', groupId)
        .where('name', '=', fileName)
        .executeTakeFirst()
      return row?.type
    },
  }
}
