import { execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

/** A private PostgreSQL with its defaults (fsync on) on a unix socket. */
export interface PostgresPeer {
  /** For example `PostgreSQL 15.20`. */
  name: string
  /** Opens another connection, which the caller closes. */
  connect(): Promise<pg.Client>
  /** Reads `COPY (query) TO STDOUT` to its end, discards it and returns the number of bytes. */
  drainCopy(query: string): Promise<number>
  stop(): Promise<void>
}

/** Starts the newest PostgreSQL of the machine; undefined when none is installed. As root it runs as the user `nobody`. */
export async function startPostgresPeer(folder: string): Promise<PostgresPeer | undefined> {
  const programs = findPrograms()
  if (!programs) return undefined
  const isRoot = process.getuid?.() === 0
  const nobody = 65_534
  const identity = isRoot ? { uid: nobody, gid: nobody } : {}
  await mkdir(folder, { mode: 0o700 })
  if (isRoot) await chown(folder, nobody, nobody)
  const data = join(folder, 'data')
  const options = ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--locale=C']
  await promisify(execFile)(join(programs, 'initdb'), options, identity)
  const server = spawn(join(programs, 'postgres'), ['-D', data, '-k', folder, '-c', 'listen_addresses='], {
    ...identity,
    stdio: 'ignore',
  })
  const first = await connect(folder)
  const { rows } = await first.query<{ server_version: string }>('SHOW server_version')
  await first.end()
  return {
    name: `PostgreSQL ${rows[0]!.server_version.split(' ')[0]}`,
    connect: () => connect(folder),
    async drainCopy(query) {
      const psql = spawn(
        join(programs, 'psql'),
        ['-h', folder, '-U', 'bench', '-d', 'postgres', '-c', `COPY (${query}) TO STDOUT (FORMAT csv)`],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      let size = 0
      for await (const chunk of psql.stdout) size += (chunk as Buffer).length
      return size
    },
    async stop() {
      const exited = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGINT')
      await exited
    },
  }
}

async function connect(socketFolder: string): Promise<pg.Client> {
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ host: socketFolder, user: 'bench', database: 'postgres' })
    try {
      await client.connect()
      return client
    } catch (error) {
      if (attempt === 100) throw error
      await sleep(100)
    }
  }
}

function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
  ]
  return folders.find((folder) =>
    ['initdb', 'postgres', 'psql'].every((name) => existsSync(join(folder, name))),
  )
}
