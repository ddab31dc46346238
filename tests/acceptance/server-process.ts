import { spawn, type ChildProcess } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url))
const workerMain = fileURLToPath(new URL('../../apps/server/src/worker.ts', import.meta.url))
/** Caches compiled code, as `npm start` does. */
const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../.runtime/compile-cache', import.meta.url)),
}

/** Password of the administrator in tests. */
export const administratorPassword = 'a password for acceptance tests'

/** A server as a user starts it: a separate process with the engines below it. */
export interface ServerProcess {
  url: string
  pid: number
  /** Output so far. */
  output(): string
  /** Process id of the database of the server. Not for a server that was started with DATABASE_URL. */
  postgresPid(): Promise<number>
  /** Process id of the series engine. */
  seriesPid(): Promise<number>
  /** Kills one process, which has no chance to clean up. */
  kill(pid: number): void
  /** Stops the server, waits for it and returns its exit code. */
  stop(): Promise<number | null>
  isRunning(): boolean
  /** Fulfils when the server process is gone. */
  gone: Promise<number | null>
}

/** Starts a server on a data folder and waits until it is ready. */
export async function startServerProcess(
  dataFolder: string,
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...compileCache,
      PATH: process.env.PATH,
      HEADWATER_PORT: '0',
      HEADWATER_HOST: '127.0.0.1',
      HEADWATER_DATA: dataFolder,
      HEADWATER_DEMO: 'off',
      HEADWATER_ADMIN_EMAIL: 'admin@example.com',
      HEADWATER_ADMIN_PASSWORD: administratorPassword,
      ...env,
    },
  })
  let output = ''
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const collect = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const port = await readyPort(child, () => output)
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    output: () => output,
    postgresPid: async () =>
      Number(
        (await readFile(join(dataFolder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0],
      ),
    seriesPid: () => childOf(child.pid!, 'engine-process'),
    kill: (pid) => process.kill(pid, 'SIGKILL'),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop: () => {
      child.kill('SIGTERM')
      return gone
    },
    gone,
  }
}

/** A worker as a user starts it. */
export interface WorkerProcess {
  pid: number
  /** Output so far. */
  output(): string
  /** Kills the process, which has no chance to clean up. */
  kill(): void
  /** Sends SIGTERM, waits for the worker and returns its exit code. */
  stop(): Promise<number | null>
  /** Fulfils with the exit code when the process is gone. */
  gone: Promise<number | null>
  /** Fulfils when the worker executes jobs. */
  ready: Promise<void>
}

/** Starts a worker on a data folder. */
export function startWorkerProcess(dataFolder: string, env: Record<string, string> = {}): WorkerProcess {
  const child = spawn(process.execPath, [workerMain], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...compileCache, PATH: process.env.PATH, HEADWATER_DATA: dataFolder, ...env },
  })
  let output = ''
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>()
  const collect = (chunk: Buffer) => {
    output += chunk.toString()
    if (output.includes('The worker is ready.')) becomeReady()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  return {
    pid: child.pid!,
    output: () => output,
    kill: () => void child.kill('SIGKILL'),
    stop() {
      child.kill('SIGTERM')
      return gone
    },
    gone,
    ready: Promise.race([
      ready,
      gone.then((code) => {
        throw new Error(`The worker ended with ${code} before it was ready: ${output}`)
      }),
    ]),
  }
}

function readyPort(child: ChildProcess, output: () => string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const look = () => {
    const match = /ready at http:\/\/localhost:(\d+)/.exec(output())
    if (match) resolve(Number(match[1]))
  }
  child.stdout!.on('data', look)
  child.once('exit', (code) =>
    reject(new Error(`The server ended with ${code} before it was ready: ${output()}`)),
  )
  return promise
}

async function childOf(parent: number, term: string): Promise<number> {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const status = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    const parentOfIt = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1])
    if (parentOfIt === parent && command.includes(term)) return Number(name)
  }
  throw new Error(`The process ${parent} has no child ${term}.`)
}

/** A caller of the public API of a server process, as its administrator. */
export function administratorOf(url: string) {
  const credentials = Buffer.from(`admin@example.com:${administratorPassword}`).toString('base64')
  const request = (path: string, init: RequestInit = {}) =>
    fetch(url + path, {
      ...init,
      headers: { Authorization: `Basic ${credentials}`, ...(init.headers as Record<string, string>) },
    })
  const json = async (path: string, method: string, body: unknown) => {
    const response = await request(path, {
      method,
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Record<string, unknown>
  }
  return {
    request,
    post: (path: string, body: unknown) => json(path, 'POST', body),
    put: (path: string, body: unknown) => json(path, 'PUT', body),
    async get(path: string) {
      const response = await request(path)
      if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`)
      return (await response.json()) as Record<string, unknown>
    },
    /** Uploads a file in the two steps of the public API and returns the receipt of the content. */
    async upload(file: { groupName: string; fileName: string; fileType: string; content: string }) {
      const { content, ...rest } = file
      const ticket = await json('/file', 'POST', { ...rest, fields: [] })
      for (;;) {
        const response = await fetch(String(ticket.location), { method: 'PUT', body: content })
        if (!response.ok)
          throw new Error(`PUT of ${file.fileName}: ${response.status} ${await response.text()}`)
        const receipt = (await response.json()) as { status: string; sha256: string }
        // The server waits 20 s for an ingest. If the same content is sent again, it waits again.
        if (receipt.status !== 'PROCESSING') return { fileId: String(ticket.fileId), receipt }
      }
    },
  }
}
