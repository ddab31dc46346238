import { afterAll, inject } from 'vitest'
import { openServerEngine } from '../src/index.ts'
import { describeWithServer, startChdbServer } from './chdb-server.ts'
import { describeFewQueries, describeQueries } from './queries.spec.ts'

const servers: { stop(): Promise<void> }[] = []
afterAll(async () => {
  for (const server of servers) await server.stop()
})

describeWithServer('queries to a ClickHouse server', () => {
  const describeAll = inject('campaign') === 'long' ? describeQueries : describeFewQueries
  describeAll('queries to a ClickHouse server', async () => {
    const server = await startChdbServer()
    servers.push(server)
    return openServerEngine({ url: server.url })
  })
})
