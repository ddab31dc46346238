// A worker process of graphile-worker with its default settings and 24 concurrent jobs: without its local queue and its batched
// completions. Argument: the URL of PostgreSQL.
import process from 'node:process'
import { Logger, run } from 'graphile-worker'

const runner = await run({
  connectionString: process.argv[2],
  concurrency: 24,
  noHandleSignals: true,
  taskList: { nothing: async () => {} },
  crontab: '',
  // A line for each job would slow it down.
  logger: new Logger(() => () => {}),
})
process.on('disconnect', () => {
  void runner.stop().then(() => process.exit())
})
process.send!('ready')
