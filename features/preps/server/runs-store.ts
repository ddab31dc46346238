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

/** A run in progress. */
export interface StoredRun {
  /** Id of the run and of its job. */
  id: string
  /** Id of the data prep. */
  prepId: string
  /** Version of the data prep. */
  version: number
  /** Id of the user who started it. */
  userId: number
  /** File that it writes; undefined until it is created. */
  file?: { id: string; permit: string } | undefined
}

/** Stores runs in progress. */
export interface RunsStore {
  /** Runs `work` in one transaction; an error rolls it back. */
  transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T>
  /** Stores a run in a transaction; returns false if the user has a run of this data prep in progress, or it was deleted. */
  start(run: Omit<StoredRun, 'file'>, executor: Executor): Promise<boolean>
  /** Returns a run by id. */
  find(id: string): Promise<StoredRun | undefined>
  /** Returns the run in progress of a user, with its queue job. */
  findActive(prepId: string, userId: number): Promise<{ id: string; queueJobId: string | null } | undefined>
  /** Stores the queue job of a run, in a transaction. */
  setQueueJob(id: string, queueJobId: string, executor: Executor): Promise<void>
  /** Sets or clears the file of a run. */
  setFile(id: string, file: { id: string; permit: string } | undefined): Promise<void>
  /** Deletes a run that has finished or that a user stops; returns whether it was still stored. */
  end(id: string, executor?: Executor): Promise<boolean>
  /** Deletes the runs of some data preps in a transaction, and returns their ids. */
  endOf(prepIds: readonly string[], executor: Executor): Promise<string[]>
  /** Returns the runs of these ids that are no longer stored: a user stopped them or deleted their data preps. */
  stopRequested(ids: readonly string[]): Promise<{ id: string }[]>
  /** Returns the type of the newest version of a file; undefined if it does not exist. */
  fileType(groupId: number, fileName: string): Promise<string | undefined>
}

/** Creates the store in PostgreSQL. */
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
      const { rows } = await executor.query('delete from data_prep_runs where id = $1 returning id', [id])
      return rows.length > 0
    },
    async endOf(prepIds, executor) {
      const { rows } = await executor.query(
        'delete from data_prep_runs where data_prep_id = any($1::uuid[]) returning id',
        [prepIds],
      )
      return (rows as { id: string }[]).map(({ id }) => id).toSorted()
    },
    async stopRequested(ids) {
      const { rows } = await database.pool.query(
        'select id from unnest($1::uuid[]) as id except select id from data_prep_runs',
        [ids],
      )
      return rows as { id: string }[]
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
