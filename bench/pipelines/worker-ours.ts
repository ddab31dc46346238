// A worker process of the job queue. Argument: the URL of PostgreSQL. It ends with its parent.
import process from 'node:process'
import { createJobQueue } from '@headwater/jobs'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.argv[2], max: 4 })
const queue = createJobQueue({ pool, lanes: { default: { capacity: 256 } } })
queue.handle('nothing', { run: async () => {} })
queue.start()
process.on('disconnect', () => {
  void queue
    .stop(0)
    .then(() => pool.end())
    .then(() => process.exit())
})
process.send!('ready')
