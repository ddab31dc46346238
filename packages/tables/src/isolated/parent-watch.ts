import { workerData } from 'node:worker_threads'

// Thread that ends its process soon after the parent process has ended, even while a conversion blocks the main thread.

const parent = workerData as number

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, 1000)
