import { createReadStream, statSync } from 'node:fs'
import { Agent, request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { administratorPassword, startServerProcess } from '../../tests/acceptance/server-process.ts'

/** The product, spoken to over HTTP as clients do. */
export interface Product {
  dataFolder: string
  /** Address of the server. */
  url: string
  /** What a browser is let in with, once. */
  refreshToken(): Promise<string>
  createGroup(name: string): Promise<void>
  /** Uploads a series file and waits until its points are visible; answers with the milliseconds it took. */
  upload(groupName: string, path: string): Promise<number>
  /** The bytes of an answer. */
  post(path: string, body: unknown): Promise<Buffer>
  get(path: string): Promise<Buffer>
  /** Reads an answer to its end without keeping it; answers with its size. */
  drain(path: string, body: unknown): Promise<number>
  stop(): Promise<void>
}

/** Starts the product on a data folder of its own, with settings of its environment. */
export async function startProduct(folder: string, env: Record<string, string> = {}): Promise<Product> {
  const dataFolder = join(folder, 'product')
  const server = await startServerProcess(dataFolder, env)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const basic = Buffer.from(`admin@example.com:${administratorPassword}`).toString('base64')
  let authorization = `Basic ${basic}`
  let signedInMs = 0

  async function headers(): Promise<Record<string, string>> {
    if (Date.now() - signedInMs > 120_000) {
      const answer = await fetch(`${server.url}/auth/login`, { headers: { Authorization: `Basic ${basic}` } })
      authorization = `Bearer ${((await answer.json()) as { token: string }).token}`
      signedInMs = Date.now()
    }
    return { Authorization: authorization, 'Content-Type': 'application/json' }
  }

  async function send(method: string, path: string, body?: string): Promise<IncomingMessage> {
    const sent = await headers()
    return new Promise((resolve, reject) => {
      const call = request(server.url + path, { method, agent, headers: sent }, resolve)
      call.once('error', reject)
      call.end(body)
    })
  }

  async function collect(answer: IncomingMessage): Promise<Buffer> {
    const chunks: Buffer[] = []
    for await (const chunk of answer) chunks.push(chunk as Buffer)
    const bytes = Buffer.concat(chunks)
    if (answer.statusCode! >= 300) throw new Error(`${answer.statusCode}: ${bytes.toString().slice(0, 500)}`)
    return bytes
  }

  const post = async (path: string, body: unknown) => collect(await send('POST', path, JSON.stringify(body)))

  return {
    dataFolder,
    url: server.url,
    async refreshToken() {
      const answer = await fetch(`${server.url}/auth/login`, { headers: { Authorization: `Basic ${basic}` } })
      return ((await answer.json()) as { refreshToken: string }).refreshToken
    },
    post,
    get: async (path) => collect(await send('GET', path)),
    async createGroup(name) {
      await post('/file/group', { name })
    },
    async upload(groupName, path) {
      const startMs = performance.now()
      const ticket = JSON.parse(
        String(await post('/file', { groupName, fileName: 'series.ncsv', fileType: 'NCSV', fields: [] })),
      ) as { location: string; fileId: string }
      // The streams of fetch cost this process half as much as the whole upload costs the server, whose processors it shares.
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { 'Content-Length': String(statSync(path).size) }
        const call = request(ticket.location, { method: 'PUT', agent, headers }, resolve)
        call.once('error', reject)
        createReadStream(path, { highWaterMark: 256 * 1024 }).pipe(call)
      })
      const receipt = JSON.parse(String(await collect(answer))) as Receipt
      let { status, message } = receipt
      while (status === 'PROCESSING') {
        await sleep(20)
        const found = JSON.parse(
          String(await collect(await send('GET', `/status?jobId=${receipt.jobId}`))),
        ) as { items: Job[] }
        const [job] = found.items
        if (job?.endTime === undefined) continue
        status = job.status === 'ERROR' ? 'REJECTED' : 'READY'
        message = job.latestStatus.message
      }
      if (status !== 'READY') throw new Error(`The file was not taken over: ${message}`)
      return performance.now() - startMs
    },
    async drain(path, body) {
      const answer = await send('POST', path, JSON.stringify(body))
      if (answer.statusCode! >= 300) await collect(answer)
      let size = 0
      for await (const chunk of answer) size += (chunk as Buffer).length
      return size
    },
    async stop() {
      agent.destroy()
      await server.stop()
    },
  }
}

interface Receipt {
  status: string
  jobId: string
  message: string
}

interface Job {
  status: string
  endTime?: string
  latestStatus: { message: string }
}
