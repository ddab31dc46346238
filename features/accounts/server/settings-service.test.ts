import { expect, test } from 'vitest'
import type { Principal } from '@headwater/server-kit'
import { createSettingsService } from './settings-service.ts'
import type { SettingsStore } from './settings-store.ts'
import type { Account } from './users-store.ts'

const account: Account = {
  userId: 1,
  sub: 'f9a4c0f4-95b6-4b80-a6a3-c3e3c9bd3ab1',
  userName: 'jane@example.com',
  companyId: 1,
  company: 'Default',
  companyTags: [],
  status: 'ACTIVE',
  authType: 'ALL',
  passwordHash: undefined,
  holdsEverything: false,
  entitlements: [],
}

const principal = { userId: account.userId } as Principal

/** A store in memory that records each write. */
function createMemoryStore(): SettingsStore & { writes: Record<string, unknown>[] } {
  const writes: Record<string, unknown>[] = []
  return {
    writes,
    find: async () => Object.assign({}, ...writes) as Record<string, unknown>,
    merge: async (_userId, change) => void writes.push(change),
  }
}

test('SH-093 does not write an unchanged value', async () => {
  const store = createMemoryStore()
  const settings = createSettingsService({ store })
  await settings.update(principal, account, { darkmode: 'ON', language: 'eng' })
  await settings.update(principal, account, { darkmode: 'ON' })
  await settings.update(principal, account, {
    darkmode: 'on',
    definedTime: 'Mars/Olympus',
    defaultPage: 'nowhere',
  })
  await settings.update(principal, account, {})
  expect(store.writes).toEqual([{ darkmode: 'ON' }])
})

test('writes a default value that replaces another value', async () => {
  const store = createMemoryStore()
  const settings = createSettingsService({ store })
  await settings.update(principal, account, { darkmode: 'ON' })
  await settings.update(principal, account, { darkmode: 'OFF' })
  expect((await settings.get(principal, account)).settings.darkmode).toBe('OFF')
})

test('reads the names of favourites from each kind of entry', async () => {
  const store = createMemoryStore()
  const settings = createSettingsService({ store })
  expect(await settings.favoriteNames(1, 'favoriteGroups')).toEqual([])
  const list = [
    { name: 'a' },
    { name: 'b', favorite: true },
    { name: 'c', favorite: false },
    { fileName: 'd' },
    { id: 5 },
    'e',
    null,
  ]
  await settings.update(principal, account, { favoriteGroups: JSON.stringify(list) })
  expect(await settings.favoriteNames(1, 'favoriteGroups')).toEqual(['a', 'b', 'd'])
})

test('SH-094 SH-097 replaces stored values that are no longer known with defaults', async () => {
  const store = createMemoryStore()
  store.writes.push({ defaultPage: 'gone', definedTime: 'Old/Zone', darkmode: 'DIM', unknown: 1 })
  const { settings } = await createSettingsService({ store }).get(principal, account)
  expect(settings).toMatchObject({ defaultPage: 'insight', definedTime: 'UTC', darkmode: 'OFF' })
  expect(settings).not.toHaveProperty('unknown')
})
