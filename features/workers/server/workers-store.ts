import { sql } from 'kysely'
import type { Database } from '@headwater/server-kit'
import type { Worker, WorkKind } from '../contract/index.ts'

interface WorkerTables {
  workers: {
    id: string
    name: string
    kind: Worker['kind']
    tags: string[]
    version: string
    key_check: string
    started_at: Date
    seen_at: Date
    draining: boolean
    queue_owner: string
    slots: Slots[]
    drain_requested: boolean
  }
}

/** Capacity for a kind of work. */
export interface Slots {
  /** Kind of work. */
  kind: WorkKind
  /** Maximum concurrent jobs. */
  slots: number
}

/** A worker to store. */
export interface NewWorker {
  /** Id of the process. */
  id: string
  /** Host name and process id. */
  name: string
  /** Whether it has a web port. */
  kind: Worker['kind']
  /** Labels. */
  tags: readonly string[]
  /** Version of the product. */
  version: string
  /** Value derived from the installation key. */
  keyCheck: string
  /** Whether it is stopping and accepts no new jobs. */
  draining: boolean
  /** Prefix of the owner names of its job queues. */
  queueOwner: string
  /** Capacity by kind of work. */
  slots: readonly Slots[]
}

/** A stored worker. */
export interface StoredWorker extends Omit<NewWorker, 'keyCheck' | 'draining' | 'tags'> {
  /** Labels. */
  tags: string[]
  /** Time of its start. */
  startedAt: Date
  /** Time of its last heartbeat. */
  seenAt: Date
  /** Whether it accepts no new jobs. */
  isDraining: boolean
  /** Whether an administrator has requested a drain. */
  isDrainRequested: boolean
  /** Whether its last heartbeat is too old. */
  isLost: boolean
}

/** Stores workers. */
export interface WorkersStore {
  /**
   * Creates a worker or records its heartbeat. Returns whether an administrator has requested a drain.
   */
  save(worker: NewWorker): Promise<boolean>
  /** Records whether a worker must drain; returns false if the worker does not exist. */
  requestDrain(id: string, isDraining: boolean): Promise<boolean>
  /** Deletes a worker. */
  remove(id: string): Promise<void>
  /** Deletes workers without a heartbeat for this number of seconds. */
  removeUnseen(seconds: number): Promise<void>
  /** Returns the name of a worker with a different key that was seen within the last `seconds`. */
  findOtherKey(keyCheck: string, seconds: number): Promise<string | undefined>
  /** Returns all workers by name. Workers without a heartbeat for this number of seconds are lost. */
  list(lostAfterSeconds: number): Promise<StoredWorker[]>
}

/** Creates the store. */
export function createWorkersStore(database: Database): WorkersStore {
  const db = database.tables<WorkerTables>()
  const unseenFor = (seconds: number) => sql<boolean>`seen_at < now() - ${seconds} * interval '1 second'`
  return {
    async save({ id, name, kind, tags, version, keyCheck, draining, queueOwner, slots }) {
      const seen = { seen_at: sql<Date>`now()`, draining }
      const row = await db
        .insertInto('workers')
        .values({
          id,
          name,
          kind,
          tags: [...tags],
          version,
          key_check: keyCheck,
          started_at: sql`now()`,
          queue_owner: queueOwner,
          slots: sql<Slots[]>`${JSON.stringify(slots)}::jsonb`,
          drain_requested: false,
          ...seen,
        })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(seen))
        .returning('drain_requested')
        .executeTakeFirstOrThrow()
      return row.drain_requested
    },
    async requestDrain(id, isDraining) {
      const changed = await db
        .updateTable('workers')
        .set({ drain_requested: isDraining })
        .where('id', '=', id)
        .executeTakeFirst()
      return changed.numUpdatedRows > 0n
    },
    async remove(id) {
      await db.deleteFrom('workers').where('id', '=', id).execute()
    },
    async removeUnseen(seconds) {
      await db.deleteFrom('workers').where(unseenFor(seconds)).execute()
    },
    async findOtherKey(keyCheck, seconds) {
      const row = await db
        .selectFrom('workers')
        .select('name')
        .where('key_check', '<>', keyCheck)
        .where(sql<boolean>`not ${unseenFor(seconds)}`)
        .executeTakeFirst()
      return row?.name
    },
    async list(lostAfterSeconds) {
      const rows = await db
        .selectFrom('workers')
        .selectAll()
        .select(unseenFor(lostAfterSeconds).as('is_lost'))
        .orderBy('name')
        .orderBy('started_at')
        .execute()
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        kind: row.kind,
        tags: row.tags,
        version: row.version,
        startedAt: row.started_at,
        seenAt: row.seen_at,
        isDraining: row.draining || row.drain_requested,
        isDrainRequested: row.drain_requested,
        queueOwner: row.queue_owner,
        slots: row.slots,
        isLost: row.is_lost,
      }))
    },
  }
}
