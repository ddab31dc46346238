import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, test } from 'vitest'

/** A ClickHouse server on loopback. */
export interface ChdbServer {
  /** Base URL of the HTTP interface. */
  url: string
  /** Process id of the server. */
  processId: number
  /** Folder of its tables. */
  folder: string
  /** Stops the server. */
  stop(): Promise<void>
}

const compiler =
  process.platform === 'linux' ? ['cc', 'gcc', 'clang'].find((name) => hasProgram(name)) : undefined

/**
 * Tests that need a ClickHouse server, which is built from the engine's library with a C compiler. Without
 * one they fail with a message, because a skipped test would look like a passed one;
 * `HEADWATER_WITHOUT_CLICKHOUSE_SERVER=1` skips them.
 */
export function describeWithServer(name: string, body: () => void): void {
  if (compiler) {
    describe(name, body)
    return
  }
  const message = `The tests with ${name} did not run: they need Linux and a C compiler (cc, gcc or clang).`
  if (process.env.HEADWATER_WITHOUT_CLICKHOUSE_SERVER === '1') {
    console.warn(message)
    return
  }
  test(`${name} can be built`, () => {
    throw new Error(
      `${message} Install one, or set HEADWATER_WITHOUT_CLICKHOUSE_SERVER=1 to go without them.`,
    )
  })
}

/** Starts a ClickHouse server with an empty database. */
export async function startChdbServer(): Promise<ChdbServer> {
  const [server] = await startChdbServers(1)
  return server!
}

/** Starts servers that form the cluster `shards`, in order. */
export async function startChdbServers(count: number): Promise<ChdbServer[]> {
  const folder = await mkdtemp(join(tmpdir(), 'chdb-server-'))
  const program = buildServer(folder)
  const ports = await findFreePorts(count * 2)
  const shards = ports
    .slice(count)
    .map((port) => `<shard><replica><host>127.0.0.1</host><port>${port}</port></replica></shard>`)
    .join('')
  let running = count
  return Promise.all(
    Array.from({ length: count }, (_, number) =>
      startServer(
        program,
        join(folder, String(number)),
        ports[number]!,
        ports[count + number]!,
        shards,
        async () => {
          if (--running === 0) await rm(folder, { recursive: true, force: true })
        },
      ),
    ),
  )
}

async function startServer(
  program: string,
  folder: string,
  httpPort: number,
  tcpPort: number,
  shards: string,
  afterwards: () => Promise<void>,
): Promise<ChdbServer> {
  const config = `${folder}.xml`
  await writeFile(
    config,
    `<clickhouse><http_port>${httpPort}</http_port><tcp_port>${tcpPort}</tcp_port><listen_host>127.0.0.1</listen_host>
      <remote_servers><shards>${shards}</shards></remote_servers></clickhouse>`,
  )
  const untilKilled =
    'SELECT sum(sleepEachRow(1)) FROM numbers(100000) SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0'
  const query = `SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; ${untilKilled}`
  const child = spawn(program, ['--path', folder, '--config-file', config, '--query', query], {
    stdio: 'ignore',
  })
  const url = `http://127.0.0.1:${httpPort}`
  await waitUntilUp(url, child)
  return {
    url,
    processId: child.pid!,
    folder,
    async stop() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await afterwards()
    },
  }
}

function buildServer(folder: string): string {
  const require = createRequire(createRequire(import.meta.url).resolve('chdb'))
  const library = dirname(require.resolve(`@chdb/lib-linux-${process.arch}-gnu/package.json`))
  const program = join(folder, 'chdb-server')
  const source = join(import.meta.dirname, 'chdb-server.c')
  execFileSync(compiler!, [
    source,
    '-o',
    program,
    `-L${library}`,
    '-l:libchdb.so',
    '-ldl',
    `-Wl,-rpath,${library}`,
  ])
  return program
}

function hasProgram(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function waitUntilUp(url: string, child: ChildProcess): Promise<void> {
  for (let round = 0; round < 600 && child.exitCode === null; round++) {
    const isUp = await fetch(`${url}/ping`).then(
      (response) => response.ok,
      () => false,
    )
    if (isUp) return
    await sleep(100)
  }
  throw new Error('The ClickHouse server of the test does not start.')
}

/** Holds all ports at the same time, so that they differ. */
async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  for (const server of servers) server.close()
  await Promise.all(servers.map((server) => once(server, 'close')))
  return ports
}
