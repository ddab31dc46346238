import { afterAll, inject } from 'vitest'
import { openServerEngine } from '../src/index.ts'
import { describeWithServer, startChdbServer } from './chdb-server.ts'
import { describeFewQuestions, describeQuestions } from './questions.spec.ts'

const servers: { stop(): Promise<void> }[] = []
afterAll(async () => {
  for (const server of servers) await server.stop()
})

describeWithServer('questions to a ClickHouse server', () => {
  const describeAll = inject('campaign') === 'long' ? describeQuestions : describeFewQuestions
  describeAll('questions to a ClickHouse server', async () => {
    const server = await startChdbServer()
    servers.push(server)
    return openServerEngine({ url: server.url })
  })
})
