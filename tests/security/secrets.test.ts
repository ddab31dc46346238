import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey, logIn, refreshSession } from '@headwater/accounts/contract'
import { createLog } from '@headwater/server-kit'
import { createTestDatabase, type TestDatabase } from '@headwater/server-kit/testing'
import { startTestServer, testPassword, type TestServer } from '@headwater/server/testing'

const mailPassword = 'CanaryOfTheMailServer'
let testDatabase: TestDatabase
let server: TestServer
let log = ''
beforeAll(async () => {
  const destination = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk)
      done()
    },
  })
  testDatabase = await createTestDatabase()
  server = await startTestServer({
    log: createLog({ level: 'trace', destination }),
    env: {
      HEADWATER_SMTP_URL: `smtp://mailer:${mailPassword}@127.0.0.1:9`,
      DATABASE_URL: testDatabase.superuserConnectionString,
    },
  })
})
afterAll(async () => {
  await server.stop()
  await testDatabase.drop()
})

test('a server that connects to PostgreSQL as a superuser warns once', () => {
  const warning = /The database user \w+ is a superuser\. Use a role that only owns its database\./g
  expect(log.match(warning)).toHaveLength(1)
})

test('no secret appears in the log, in a response to an administrator or in a file that others can read', async () => {
  const user = await server.createUser()
  const credentials = { userName: user.userName, password: testPassword }
  const { token, refreshToken } = await server.nobody.call(logIn, { body: credentials })
  const renewed = await server.nobody.call(refreshSession, { body: { refreshToken } })
  const { key } = await user.call(createApiKey, { body: { label: 'a program' } })
  const guess = 'a wrong password that a user typed'
  const post = (path: string, body: string) =>
    server.nobody.fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  const refused = await Promise.all([
    post('/auth/login', JSON.stringify({ ...credentials, password: guess })),
    post('/auth/login', JSON.stringify({ ...credentials, password: 7, passwort: guess })),
    post('/auth/login', `{"password":"${guess}`),
    server.nobody.fetch('/file/group', { headers: { Authorization: `ApiKey ${key}x` } }),
    server.nobody.fetch(`/file/group?token=${token}`, { headers: { Authorization: `Bearer ${token}x` } }),
  ])
  const { tokenSigningKey } = JSON.parse(await readFile(join(server.dataFolder, 'secrets.json'), 'utf8')) as {
    tokenSigningKey: string
  }
  const secrets = {
    testPassword,
    guess,
    mailPassword,
    tokenSigningKey,
    key,
    token,
    refreshToken,
    renewed: renewed.refreshToken,
  }
  const responses = new Map<string, string>()
  for (const response of refused) responses.set(`refused ${response.status}`, await response.text())
  const id = '00000000-0000-4000-8000-000000000000'
  for (const { method, path } of server.running.platform.router.routes)
    // The stream of events does not end; its test looks at its content.
    if (method === 'GET' && path !== '/auth/login' && path !== '/events') {
      const response = await server.admin.fetch(path.replace(':userName', user.userName).replace(/:\w+/g, id))
      responses.set(path, await response.text())
    }
  responses.set('the log', log)
  for (const [name, secret] of Object.entries(secrets))
    for (const [where, text] of responses) expect(text.includes(secret), `${name} in ${where}`).toBe(false)

  expect((await stat(server.dataFolder)).mode & 0o006).toBe(0)
  expect(await exposedFiles(server.dataFolder)).toEqual([])
})

/**
 * Files below a folder that accounts other than their owner can read or change; nobody else can access a private
 * folder.
 */
async function exposedFiles(folder: string): Promise<string[]> {
  const matches: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    const isClosed = ((await stat(path)).mode & 0o077) === 0
    if (isClosed) continue
    if (entry.isDirectory()) matches.push(...(await exposedFiles(path)))
    else if (entry.isFile()) matches.push(path)
  }
  return matches
}
