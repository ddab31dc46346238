import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** True where a server can be built: Linux with a C compiler. */
export const canBuildServer = process.platform === 'linux' && existsSync('/usr/bin/gcc')

/** A ClickHouse server on loopback with an empty database. */
export async function startChdbServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const require = createRequire(createRequire(import.meta.url).resolve('chdb'))
  const library = dirname(require.resolve(`@chdb/lib-linux-${process.arch}-gnu/package.json`))
  const folder = await mkdtemp(join(tmpdir(), 'chdb-server-'))
  const program = join(folder, 'chdb-server')
  const source = join(import.meta.dirname, 'chdb-server.c')
  execFileSync('gcc', [source, '-o', program, `-L${library}`, '-l:libchdb.so', `-Wl,-rpath,${library}`])
  const port = await findFreePort()
  const config = join(folder, 'config.xml')
  await writeFile(
    config,
    `<clickhouse><http_port>${port}</http_port><listen_host>127.0.0.1</listen_host></clickhouse>`,
  )
  const untilKilled =
    'SELECT sum(sleepEachRow(1)) FROM numbers(100000) SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0'
  const child = spawn(
    program,
    [
      '--path',
      join(folder, 'data'),
      '--config-file',
      config,
      '--query',
      `SYSTEM START LISTEN HTTP; ${untilKilled}`,
    ],
    { stdio: 'ignore' },
  )
  const url = `http://127.0.0.1:${port}`
  await waitUntilUp(url, child)
  return {
    url,
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
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

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
