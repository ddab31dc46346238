import pg from 'pg'
import { createJobQueue } from '../src/index.ts'

/**
 * A worker process that tests can kill. It records each job start in the table `starts`, works for `workMs` of the payload, or for
 * `longMs` of its arguments if the job is long, and inserts a row into the table `ends` in the transaction that completes the job.
 */
const [connectionString = '', leaseMs = '1000', owner, longMs] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 8, application_name: `worker ${process.pid}` })
pool.on('error', () => {})
const queue = createJobQueue({
  pool,
  leaseMs: Number(leaseMs),
  pollMs: 50,
  ...(owner === undefined ? {} : { owner }),
})

queue.handle<{ workMs: number; isLong?: boolean }>('work', {
  async run(job) {
    await pool.query('insert into starts (job, pid) values ($1, $2)', [job.id, process.pid])
    const { workMs, isLong = false } = job.payload
    await new Promise((resolve) => setTimeout(resolve, isLong ? Number(longMs ?? workMs) : workMs))
    const connection = await pool.connect()
    try {
      await connection.query('begin')
      await connection.query('insert into ends (job, pid) values ($1, $2)', [job.id, process.pid])
      await job.complete(connection)
      await connection.query('commit')
    } catch (error) {
      await connection.query('rollback')
      throw error
    } finally {
      connection.release()
    }
  },
})
queue.start()
process.on('SIGTERM', () => {
  void queue.stop(0).then(() => process.exit(0))
})
process.stdout.write('ready\n')
