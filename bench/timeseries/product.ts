import { createReadStream, statSync } from 'node:fs'
import { Agent, request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { administratorPassword, startServerProcess } from '../../tests/acceptance/server-process.ts'

/** The product, called over HTTP like a client. */
export interface Product {
  dataFolder: string
  /** Address of the server. */
  url: string
  /** Id of the server process. */
  pid: number
  /** Returns a refresh token, which signs a browser in once. */
  refreshToken(): Promise<string>
  createGroup(name: string): Promise<void>
  /** Uploads a series file, waits until its points are visible, and returns the time in milliseconds. */
  upload(groupName: string, path: string): Promise<number>
  /** Returns the bytes of a response. */
  post(path: string, body: unknown): Promise<Buffer>
  put(path: string, body: unknown): Promise<Buffer>
  get(path: string): Promise<Buffer>
  /** Reads a response to its end without storing it, and returns its size. */
  drain(path: string, body: unknown): Promise<number>
  stop(): Promise<void>
}

/** Starts the product on a new data folder with the given environment. */
export async function startProduct(folder: string, env: Record<string, string> = {}): Promise<Product> {
  const dataFolder = join(folder, 'product')
  const server = await startServerProcess(dataFolder, env)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const basic = Buffer.from(`admin@example.com:${administratorPassword}`).toString('base64')
  let authorization = `Basic ${basic}`
  let signedInMs = 0

  async function headers(): Promise<Record<string, string>> {
    if (Date.now() - signedInMs > 120_000) {
      const response = await fetch(`${server.url}/auth/login`, {
        headers: { Authorization: `Basic ${basic}` },
      })
      authorization = `Bearer ${((await response.json()) as { token: string }).token}`
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

  async function collect(response: IncomingMessage): Promise<Buffer> {
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    const bytes = Buffer.concat(chunks)
    if (response.statusCode! >= 300)
      throw new Error(`${response.statusCode}: ${bytes.toString().slice(0, 500)}`)
    return bytes
  }

  const post = async (path: string, body: unknown) => collect(await send('POST', path, JSON.stringify(body)))

  return {
    dataFolder,
    url: server.url,
    pid: server.pid,
    async refreshToken() {
      const response = await fetch(`${server.url}/auth/login`, {
        headers: { Authorization: `Basic ${basic}` },
      })
      return ((await response.json()) as { refreshToken: string }).refreshToken
    },
    post,
    put: async (path, body) => collect(await send('PUT', path, JSON.stringify(body))),
    get: async (path) => collect(await send('GET', path)),
    async createGroup(name) {
      await post('/file/group', { name })
    },
    async upload(groupName, path) {
      const startMs = performance.now()
      const ticket = JSON.parse(
        String(await post('/file', { groupName, fileName: 'series.ncsv', fileType: 'NCSV', fields: [] })),
      ) as { location: string; fileId: string }
      // Streaming with `fetch` would take half as much processor time as the server needs for the upload, on the same
      // processors.
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { 'Content-Length': String(statSync(path).size) }
        const call = request(ticket.location, { method: 'PUT', agent, headers }, resolve)
        call.once('error', reject)
        createReadStream(path, { highWaterMark: 256 * 1024 }).pipe(call)
      })
      const receipt = JSON.parse(String(await collect(response))) as Receipt
      let { status, message } = receipt
      while (status === 'PROCESSING') {
        await sleep(20)
        const jobs = JSON.parse(
          String(await collect(await send('GET', `/status?jobId=${receipt.jobId}`))),
        ) as { items: Job[] }
        const [job] = jobs.items
        if (job?.endTime === undefined) continue
        status = job.status === 'ERROR' ? 'REJECTED' : 'READY'
        message = job.latestStatus.message
      }
      if (status !== 'READY') throw new Error(`The file was not ingested: ${message}`)
      return performance.now() - startMs
    },
    async drain(path, body) {
      const response = await send('POST', path, JSON.stringify(body))
      if (response.statusCode! >= 300) await collect(response)
      let size = 0
      for await (const chunk of response) size += (chunk as Buffer).length
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
