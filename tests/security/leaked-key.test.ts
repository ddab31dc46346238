import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey, listApiKeys } from '@headwater/accounts/contract'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'

let server: TestServer
let owner: Session

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser()
})
afterAll(() => server.stop())

test.each(['ApiKey', 'Bearer'])(
  'a leaked key cannot create a key that outlives it, under %s',
  async (scheme) => {
    const { id, key } = await owner.call(createApiKey, { body: { label: 'leaked', expiresAt: '2999-12-31' } })
    const response = await fetch(`${server.url}/auth/apiKeys`, {
      method: 'POST',
      headers: { Authorization: `${scheme} ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ label: 'child' }),
    })
    expect([response.status, await response.json()]).toEqual([
      403,
      expect.objectContaining({
        code: 'apiKeyByApiKey',
        message: 'An API key cannot create API keys. Log in with your password and create the key.',
      }),
    ])
    const labels = (await owner.call(listApiKeys, {})).map((listed) => [listed.id, listed.label])
    expect(labels).toContainEqual([id, 'leaked'])
    expect(labels.map(([, label]) => label)).not.toContain('child')
  },
)

test('rejects a key that expires after the year 9999 in UTC', async () => {
  const create = (expiresAt: string) => owner.call(createApiKey, { body: { label: 'far', expiresAt } })
  await expect(create('9999-12-31T23:59:59-23:59')).rejects.toMatchObject({
    status: 400,
    body: { code: 'expiryTooLate' },
  })
  expect(await create('9999-12-31')).toMatchObject({ expiresAt: '9999-12-31T23:59:59' })
})
