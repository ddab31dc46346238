import { afterAll } from 'vitest'
import { openServerEngine } from '../src/index.ts'
import { describeWithServer, startChdbServer } from './chdb-server.ts'
import { describeQuestions } from './questions.spec.ts'

const servers: { stop(): Promise<void> }[] = []
afterAll(async () => {
  for (const server of servers) await server.stop()
})

describeWithServer('questions to a ClickHouse server', () => {
  describeQuestions('questions to a ClickHouse server', async () => {
    const server = await startChdbServer()
    servers.push(server)
    return openServerEngine({ url: server.url })
  })
})
