import { executorOf, type Database, type Executor } from '@headwater/server-kit'

interface RunTables {
  data_prep_runs: {
    id: string
    data_prep_id: string
    version: number
    user_id: number
    file_id: string | null
    upload_permit: string | null
  }
  files: { group_id: number; name: string; type: string; latest: boolean }
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
  /** Notes a run; false when one of this user and data prep goes on. Part of a transaction. */
  start(run: Omit<StoredRun, 'file'>, executor: Executor): Promise<boolean>
  find(id: string): Promise<StoredRun | undefined>
  /** Job of the run of a user that goes on. */
  findActive(prepId: string, userId: number): Promise<string | undefined>
  /** Notes the file of a run, or that it has none any more. */
  setFile(id: string, file: { id: string; permit: string } | undefined): Promise<void>
  /** Forgets a run that has ended. */
  end(id: string, executor?: Executor): Promise<void>
  /** Type of the newest version of a file; undefined when there is none of this name. */
  fileType(groupId: number, fileName: string): Promise<string | undefined>
}

/** Makes the store. */
export function createRunsStore(database: Database): RunsStore {
  const db = database.tables<RunTables>()
  return {
    transaction: (work) => db.transaction().execute((tx) => work(executorOf(tx))),
    async start({ id, prepId, version, userId }, executor) {
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
    async findActive(prepId, userId) {
      const row = await db
        .selectFrom('data_prep_runs')
        .select('id')
        .where('data_prep_id', '=', prepId)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row?.id
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
        .selectFrom('files')
        .select('type')
        .where('latest', '=', true)
        .where('group_id', '=', groupId)
        .where('name', '=', fileName)
        .executeTakeFirst()
      return row?.type
    },
  }
}
