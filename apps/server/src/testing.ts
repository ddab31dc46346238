import { randomUUID } from 'node:crypto'
import { chmod, copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathOf, type Route, type RouteCall, type RouteOutput } from '@headwater/contract'
import { createPasswordHasher } from '@headwater/accounts/server'
import { createFile, type ContentReceipt } from '@headwater/files/contract'
import type pg from 'pg'
import {
  migrate,
  readConfig,
  systemClock,
  type Clock,
  type ConnectionLimits,
  type Log,
} from '@headwater/server-kit'
import { createMigratedTestDatabase, silentLog, type TestDatabase } from '@headwater/server-kit/testing'
import { migrationsFolders } from './compose.ts'
import { startServer, type RunningServer } from './start-server.ts'
import { grantGroup, type TestGrant } from './testing/grant-group.ts'
import { startCode, type RunningCode } from './testing/run-code.ts'

export { migrationsFolders }
export { signRunToken, type RunningCode } from './testing/run-code.ts'
export { startMailServer, type MailServer } from './testing-mail.ts'

/** The password of every user that a test creates. */
export const testPassword = 'a long enough password'

/** Minimum cost of argon2id, because tests create hundreds of users. */
const quickHash = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** A real server on a fresh database and a fresh data folder, for one test file. */
export interface TestServer {
  /** URL of the server. */
  url: string
  /** The running server. */
  running: RunningServer
  /** The administrator of the installation, signed in. */
  admin: Session
  /** Calls without credentials. */
  nobody: Session
  /** Creates an active user with a role, by default Analyst, and signs in. */
  createUser(options?: { email?: string; role?: string }): Promise<Session>
  /** Signs in a user with the password of all tests. */
  signIn(userName: string): Promise<Session>
  /** Gives a user direct access to a group, in place of the direct access that the user had. */
  grantGroup(grant: TestGrant): Promise<void>
  /** Records that code of a user is running, and returns its session. */
  startCode(user: Session): Promise<RunningCode>
  /** Path of the data folder. */
  dataFolder: string
  /** Stops the server and removes its database and folder. */
  stop(): Promise<void>
}

/** A caller of the API. */
export interface Session {
  /** E-mail address of the user. */
  userName: string
  /** Access token. */
  token: string
  /** Calls a route and returns its output; throws a {@link CallError} for an error response. */
  call<const R extends Route>(route: R, input: RouteCall<R>): Promise<RouteOutput<R>>
  /** Sends a plain request with the credentials of the session; `path` is relative to the server. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

/** The error response to a call. */
export class CallError extends Error {
  readonly status: number
  readonly body: { code?: string; message?: string; validationErrors?: { field: string; message: string }[] }
  constructor(status: number, body: CallError['body']) {
    super(`${status} ${body.code}: ${body.message}`)
    this.status = status
    this.body = body
  }
}

/** Returns the error response of a call; throws if the call succeeds or fails in another way. */
export async function refusal(call: Promise<unknown>): Promise<CallError> {
  const outcome: unknown = await call.then(
    () => undefined,
    (problem: unknown) => problem,
  )
  if (outcome instanceof CallError) return outcome
  throw outcome instanceof Error ? outcome : new Error('The call succeeded. It should have been refused.')
}

/** A file to upload. */
export interface Upload {
  /** Group of the file. */
  groupName: string
  /** File name, default `a.csv`. */
  fileName?: string
  /** File type, default that of the contract. */
  fileType?: string
  /** Metadata and options, default none. */
  fields?: { name: string; value: unknown }[]
  /** Whether the content is compressed. By default, the name determines it. */
  zipped?: boolean
  /** Content, default a short text. */
  content?: string | Uint8Array<ArrayBuffer>
}

/**
 * Announces a file, sends its content, like every client, and waits until its series are ingested; throws a {@link CallError} for
 * rejected content.
 */
export async function upload(caller: Session, file: Upload): Promise<ContentReceipt> {
  const { content = 'content', ...announced } = file
  const { location } = await caller.call(createFile, {
    body: { fileName: 'a.csv', ...announced } as never,
  })
  for (;;) {
    const response = await fetch(location, { method: 'PUT', body: content })
    const body: unknown = await response.json()
    if (!response.ok) throw new CallError(response.status, body as CallError['body'])
    const receipt = body as ContentReceipt
    // The server waits 20 s for an ingest. If the same content is sent again, it waits again.
    if (receipt.status !== 'PROCESSING') return receipt
  }
}

/** Uploads a series file, waits until its points are visible, and returns its id. */
export async function uploadSeries(
  caller: Session,
  { flags = [], ...file }: Omit<Upload, 'fields' | 'fileType'> & { content: string; flags?: string[] },
): Promise<string> {
  const fields = flags.map((name) => ({ name, value: 'true' }))
  const { fileId, status, message } = await upload(caller, { ...file, fileType: 'NCSV', fields })
  if (status !== 'READY') throw new Error(`The series file was not ingested: ${status} ${message}`)
  return fileId
}

/** Migrates an empty database to the schema before a migration. */
export async function migrateUntil(pool: pg.Pool, migration: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-test-'))
  try {
    for (const each of migrationsFolders)
      for (const name of await readdir(each))
        if (name < migration) await copyFile(join(each, name), join(folder, name))
    await migrate(pool, [folder])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Starts a server for a test file; it validates every response against its schema. */
export async function startTestServer(
  options: {
    env?: Record<string, string>
    clock?: Clock
    log?: Log
    dataFolder?: string
    /** Database to start on, for example one of an earlier version. Default: a new one with the newest schema. */
    database?: TestDatabase
    connectionLimits?: Partial<ConnectionLimits>
  } = {},
): Promise<TestServer> {
  const { env = {}, clock = systemClock, log = silentLog(), connectionLimits } = options
  const database = options.database ?? (await createMigratedTestDatabase(migrationsFolders))
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'headwater-test-')))
  // The server creates the folder with the same mode. If the server runs as root, scripts run as other users, who need
  // access to the installed packages in it.
  if (options.dataFolder === undefined) await chmod(dataFolder, 0o711)
  const config = readConfig({
    HEADWATER_PORT: '0',
    HEADWATER_HOST: '127.0.0.1',
    HEADWATER_DATA: dataFolder,
    HEADWATER_ADMIN_EMAIL: 'admin@example.com',
    HEADWATER_ADMIN_PASSWORD: testPassword,
    HEADWATER_DEMO: 'off',
    HEADWATER_UNFINISHED_PAGES: 'true',
    DATABASE_URL: database.connectionString,
    ...env,
  })
  const running = await startServer({
    config,
    clock,
    openLog: () => log,
    say: () => {},
    connectionLimits,
    passwordHasher: createPasswordHasher({ cost: quickHash }),
    checkOutput: true,
  })
  const url = running.url.replace('localhost', '127.0.0.1')
  const admin = await signIn(url, 'admin@example.com')
  return {
    url,
    running,
    admin,
    nobody: session(url, '', undefined),
    async createUser({ email = `user-${randomUUID().slice(0, 8)}@example.com`, role = 'Analyst' } = {}) {
      await running.platform.accounts.createActiveUser({ email, password: testPassword, role })
      return signIn(url, email)
    },
    signIn: (userName) => signIn(url, userName),
    grantGroup: (grant) => grantGroup(running.platform.database.pool, grant),
    startCode: (user) =>
      startCode(running, dataFolder, (token) => session(url, user.userName, token), user.userName),
    dataFolder,
    async stop() {
      await running.stop()
      await database.drop()
      if (options.dataFolder === undefined) await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

async function signIn(url: string, userName: string): Promise<Session> {
  const response = await fetch(`${url}/auth/login`, {
    headers: { Authorization: `Basic ${Buffer.from(`${userName}:${testPassword}`).toString('base64')}` },
  })
  const { token } = (await response.json()) as { token: string }
  return session(url, userName, token)
}

function session(url: string, userName: string, token: string | undefined): Session {
  const authorization: Record<string, string> =
    token === undefined ? {} : { Authorization: `Bearer ${token}` }
  const request = (path: string, init: RequestInit = {}) =>
    fetch(path.startsWith('http') ? path : `${url}${path}`, {
      ...init,
      headers: { ...authorization, ...(init.headers as Record<string, string>) },
    })
  return {
    userName,
    token: token ?? '',
    fetch: request,
    async call(route, input) {
      const { params, query, body } = input as {
        params?: Record<string, unknown>
        query?: Record<string, string | number | boolean | undefined>
        body?: unknown
      }
      const search = new URLSearchParams()
      for (const [key, value] of Object.entries(query ?? {}))
        if (value !== undefined) search.set(key, String(value))
      const text = search.size === 0 ? '' : `?${search.toString()}`
      const response = await request(`${pathOf(route.path, params)}${text}`, {
        method: route.method,
        ...(body === undefined
          ? {}
          : route.bodyKind === undefined || route.bodyKind === 'json'
            ? { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
            : { body: body as string, headers: { 'Content-Type': 'text/plain' } }),
      })
      const output = (await response.json()) as never
      if (!response.ok) throw new CallError(response.status, output)
      return output
    },
  }
}
