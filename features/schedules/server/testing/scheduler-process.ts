import { flushCompileCache } from 'node:module'
import { createJobQueue } from '@headwater/jobs'
import { openDatabase, systemClock } from '@headwater/server-kit'
import { silentLog } from '@headwater/server-kit/testing'
import { createSchedules } from '../index.ts'
import { recordingOwner } from './recorded-runs.ts'

/**
 * A server with schedules in a separate process that tests kill. Its clock starts at `startMs` and advances one day per second.
 */
const [connectionString = '', startMs = ''] = process.argv.slice(2)
const database = openDatabase({ connectionString, log: silentLog(), poolSize: 8 })
const clock = {
  now: () => new Date(Number(startMs) + (systemClock.now().getTime() - Number(startMs)) * 86_400),
}
const queue = createJobQueue({ pool: database.pool, pollMs: 20, leaseMs: 500 })
const schedules = createSchedules({ database, clock, log: silentLog(), pollMs: 20 })
schedules.register('report', recordingOwner(database, queue))
await schedules.start()
queue.start()
// A killed process does not store its compiled code, so store it now.
flushCompileCache()
process.stdout.write('ready\n')
