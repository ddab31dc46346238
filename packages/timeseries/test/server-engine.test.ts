import { afterAll, expect, test } from 'vitest'
import { openServerEngine } from '../src/index.ts'
import { describeWithServer, startChdbServer } from './chdb-server.ts'
import { describeSeriesEngine } from './series-engine.spec.ts'

const servers: { stop(): Promise<void> }[] = []
afterAll(async () => {
  for (const server of servers) await server.stop()
})

test('a server that cannot be reached is named unavailable', async () => {
  await expect(openServerEngine({ url: 'http://127.0.0.1:1' })).rejects.toMatchObject({ code: 'unavailable' })
})

describeWithServer('a ClickHouse server', () => {
  describeSeriesEngine('engine of a ClickHouse server', async () => {
    const server = await startChdbServer()
    servers.push(server)
    return openServerEngine({ url: server.url })
  })
})
