import type { Database } from '@headwater/server-kit'
import type { ScheduleOwner } from '../index.ts'

/** Creates the table in which {@link recordingOwner} records runs. */
export async function createRecordedRuns({ pool }: Database): Promise<void> {
  await pool.query('create table recorded_runs (target_id uuid, due_at timestamptz, outcome text)')
}

/** Returns an owner that writes a row in the transaction that starts a run. */
export function recordingOwner(
  database: Database,
  queue: ScheduleOwner['queue'],
): Required<Pick<ScheduleOwner, 'queue' | 'start' | 'giveUp'>> {
  const write =
    (outcome: string): ScheduleOwner['start'] =>
    async ({ targetId, dueAt }, record) => {
      const connection = await database.pool.connect()
      try {
        await connection.query('begin')
        await connection.query('insert into recorded_runs values ($1, $2, $3)', [targetId, dueAt, outcome])
        await record(targetId, connection)
        await connection.query('commit')
      } catch (error) {
        await connection.query('rollback')
        throw error
      } finally {
        connection.release()
      }
    }
  return { queue, start: write('started'), giveUp: write('given up') }
}
