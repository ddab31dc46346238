import { join } from 'node:path'
import type { Database } from '@headwater/server-kit'
import { administratorPassword, startServerProcess } from '../../tests/acceptance/server-process.ts'
import { withPostgres } from '../with-postgres.ts'

/** A user of the product. */
export interface LakeUser {
  userName: string
  /** Sends a request, and fails unless the response is successful. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Sends a JSON body and returns that of the response. */
  send<T>(method: string, path: string, body: unknown): Promise<T>
}

/** The product over HTTP, with its database for data that would take hours to upload. */
export interface Lake {
  folder: string
  database: Database
  /** Creates an active user. Default role: Analyst. */
  createUser(userName: string, role?: string): Promise<LakeUser>
}

/** Starts the product on new folders, and removes them afterwards. */
export async function withLake<T>(work: (lake: Lake) => Promise<T>): Promise<T> {
  return withPostgres([], async (database, { connectionString, folder }) => {
    const server = await startServerProcess(join(folder, 'product'), { DATABASE_URL: connectionString })
    try {
      const administrator = await signIn(server.url, 'admin@example.com')
      return await work({
        folder,
        database,
        async createUser(userName, role) {
          const roles = await administrator.fetch('/auth/roles')
          const { items } = (await roles.json()) as { items: { id: number; name: string }[] }
          const roleIds = items.filter(({ name }) => name === role).map(({ id }) => id)
          await administrator.send('POST', '/auth/users', { email: userName, roleIds })
          await database.pool.query(
            `update users set status = 'ACTIVE', password_hash = (select password_hash from users where user_name = 'admin@example.com')
             where user_name = $1`,
            [userName],
          )
          return signIn(server.url, userName)
        },
      })
    } finally {
      await server.stop()
    }
  })
}

async function signIn(url: string, userName: string): Promise<LakeUser> {
  const credentials = Buffer.from(`${userName}:${administratorPassword}`).toString('base64')
  const login = await successful(
    fetch(`${url}/auth/login`, { headers: { Authorization: `Basic ${credentials}` } }),
  )
  const { token } = (await login.json()) as { token: string }
  const send = (path: string, init: RequestInit = {}) =>
    successful(
      fetch(new URL(path, url), {
        ...init,
        headers: { Authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
      }),
    )
  return {
    userName,
    fetch: send,
    async send(method, path, body) {
      const headers = { 'Content-Type': 'application/json' }
      const response = await send(path, { method, headers, body: JSON.stringify(body) })
      return (await response.json()) as never
    },
  }
}

async function successful(request: Promise<Response>): Promise<Response> {
  const response = await request
  if (response.ok) return response
  throw new Error(`${response.url} responded with ${response.status}: ${await response.text()}`)
}
