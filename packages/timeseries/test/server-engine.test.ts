import { once } from 'node:events'
import { readdir, utimes } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openServerEngine } from '../src/index.ts'
import { openServerConnection } from '../src/server-connection.ts'
import { describeWithServer, startChdbServer } from './chdb-server.ts'
import { describeSeriesEngine } from './series-engine.spec.ts'

const servers: { stop(): Promise<void> }[] = []
afterAll(async () => {
  for (const server of servers) await server.stop()
})

test('reports a server that cannot be reached as unavailable', async () => {
  await expect(openServerEngine({ url: 'http://127.0.0.1:1' })).rejects.toMatchObject({ code: 'unavailable' })
})

/** Starts a server whose connections break, except for statements that cancel others. */
async function startBreakingServer(): Promise<{ url: string; statements: string[] }> {
  const statements: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const sql = Buffer.concat(chunks).toString()
      statements.push(`${sql} ${request.url}`)
      if (sql.startsWith('KILL')) response.end()
      else response.destroy()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  servers.push({
    async stop() {
      server.close().closeAllConnections()
    },
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, statements }
}

test.each(['rows', 'stream'] as const)(
  'cancels a statement whose connection breaks (%s) on the server',
  async (kind) => {
    const { url, statements } = await startBreakingServer()
    const connection = openServerConnection({ url })
    await expect(connection[kind]('SELECT 1 FORMAT TSV')).rejects.toMatchObject({ code: 'unavailable' })
    await expect.poll(() => statements.length).toBe(2)
    const id = /query_id=([\w-]+)/.exec(statements[0]!)?.[1]
    expect(statements[1]).toContain('KILL QUERY')
    expect(statements[1]).toContain(id)
    await connection.close()
  },
)

describeWithServer('tables of crashed servers', () => {
  test('drops versions staged more than a week ago at the next start, and preserves those staged just now', async () => {
    const server = await startChdbServer()
    servers.push(server)
    const engine = await openServerEngine({ url: server.url })
    const columns = [{ id: 1, type: 'double' as const }]
    const batches = [
      { sids: Uint32Array.of(1), timestamps: Float64Array.of(0), values: [Float64Array.of(1)] },
    ]
    for (const version of [1, 2]) await engine.stage({ dataset: 1, version, columns, batches })
    await engine.close()
    const tenDaysAgo = Date.now() / 1000 - 10 * 86_400
    const files = await readdir(server.folder, { recursive: true })
    const old = files.find((file) => file.endsWith('staged_1_1.sql'))!
    await utimes(join(server.folder, old), tenDaysAgo, tenDaysAgo)
    const next = await openServerEngine({ url: server.url })
    await expect(next.publish(1, 1)).rejects.toMatchObject({ code: 'not-staged' })
    await next.publish(1, 2)
    await next.close()
  })
})

describeWithServer('a ClickHouse server', () => {
  describeSeriesEngine('engine of a ClickHouse server', async () => {
    const server = await startChdbServer()
    servers.push(server)
    return openServerEngine({ url: server.url })
  })
})
