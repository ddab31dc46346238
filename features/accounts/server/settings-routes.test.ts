import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { getSettings, updateSettings, type UserSettings } from '@headwater/accounts/contract'

let server: TestServer
let jane: Session
beforeAll(async () => {
  server = await startTestServer()
  jane = await server.createUser({ email: 'jane@example.com' })
})
afterAll(() => server.stop())

const get = async (session = jane) => (await session.call(getSettings, {})).settings
const put = (settings: Record<string, unknown>, session = jane) =>
  session.call(updateSettings, { body: { settings } })

test('SH-079 DP-575 the answer holds the settings, the entitlements and the landing page', async () => {
  const user = await jane.call(getSettings, {})
  expect(user.settings).toMatchObject({ userName: 'jane@example.com', company: 'Default', companyTags: [] })
  expect(user.uiEntitlements).toContainEqual({ resource: 'Groups', parent: 'Lake', mode: 'RWS' })
  expect(user.uiEntitlements).toContainEqual({ resource: 'Lake', mode: 'R' })
  expect(user.defaultPage).toBe('insight')
})

test('SH-081 SH-082 SH-083 SH-085 SH-086 SH-087 SH-088 SH-089 SH-091 SH-092 SH-095 SH-096 DP-569 DP-571 DP-572 DP-573 a new user has every setting, with its default', async () => {
  const user = await server.createUser({ email: 'anna@example.com' })
  expect(await get(user)).toEqual({
    userName: 'anna@example.com',
    company: 'Default',
    companyTags: [],
    favoritePipelines: '[]',
    favoriteGroups: '[]',
    favoriteDataPreps: '[]',
    favoriteInsights: '[]',
    columns: '{}',
    symbolsDisplay: '',
    storageGroupsHidden: '[]',
    dashboardUserTabs: '[]',
    darkmode: 'OFF',
    defaultPage: 'insight',
    definedTime: 'UTC',
    storageScreen: 'Table',
    warehouse: 'OFF',
    datalakeLayout: 'LATEST',
    roundingEnabled: true,
    decimalPrecision: 2,
    additionalParameters: '{}',
    defaultGroup: 'anna@example.com_home',
    language: 'eng',
    downloadFormat: 'STANDARD',
  } satisfies UserSettings)
})

describe('what is saved is read again', () => {
  test.each([
    ['SH-084 DP-572 dark mode, in any letter case', { darkmode: 'auto' }, { darkmode: 'AUTO' }],
    ['DP-573 the warehouse', { warehouse: 'ON' }, { warehouse: 'ON' }],
    ['DP-574 SH-087 the storage screen', { storageScreen: 'Basket' }, { storageScreen: 'Basket' }],
    ['SH-087 the layout of the lake', { datalakeLayout: 'VERSIONS' }, { datalakeLayout: 'VERSIONS' }],
    [
      'SH-088 rounding',
      { roundingEnabled: false, decimalPrecision: 0 },
      { roundingEnabled: false, decimalPrecision: 0 },
    ],
    ['SH-089 the language', { language: 'pol' }, { language: 'pol' }],
    ['the download format Ncsv as FAST_NCSV', { downloadFormat: 'Ncsv' }, { downloadFormat: 'FAST_NCSV' }],
    ['the default group', { defaultGroup: ' Prices ' }, { defaultGroup: 'Prices' }],
    ['the time zone', { definedTime: 'Europe/Warsaw' }, { definedTime: 'Europe/Warsaw' }],
    ['the landing page', { defaultPage: 'data lake' }, { defaultPage: 'data lake' }],
  ] as const)('%s', async (_title, given, expected) => {
    const answer = await put(given)
    expect(answer.settings).toMatchObject(expected)
    expect(await get()).toMatchObject(expected)
  })

  test('SH-100 the favourites travel as the JSON text of a list', async () => {
    const list = JSON.stringify([{ name: 'Prices “ü” 😀', favorite: true }])
    await put({ favoriteGroups: list })
    expect((await get()).favoriteGroups).toBe(list)
  })

  test('SH-083 DP-566 the tabs of the dashboard are an array of tabs, each with a tag', async () => {
    const tabs = JSON.stringify([{ tag: 'gas' }, { tag: 'power' }])
    await put({ dashboardUserTabs: tabs })
    expect((await get()).dashboardUserTabs).toBe(tabs)
  })
})

describe('values that make no sense', () => {
  test.each([
    ['SH-094 DP-568 an unknown landing page becomes insight', { defaultPage: 'nowhere' }, 'insight'],
    ['SH-097 DP-570 an unknown time zone becomes UTC', { definedTime: 'Mars/Olympus' }, 'UTC'],
    ['SH-097 an offset is no time zone', { definedTime: '+01:00' }, 'UTC'],
    ['SH-095 an empty default group becomes the home group', { defaultGroup: '  ' }, 'jane@example.com_home'],
    ['SH-092 an empty language becomes eng', { language: '' }, 'eng'],
    ['an unknown dark mode becomes OFF', { darkmode: 'dim' }, 'OFF'],
    ['an unknown storage screen becomes Table', { storageScreen: 'Nine' }, 'Table'],
    ['an unknown layout becomes LATEST', { datalakeLayout: 'x' }, 'LATEST'],
    ['an unknown format becomes STANDARD', { downloadFormat: 'x' }, 'STANDARD'],
  ])('%s', async (_title, given, expected) => {
    const [key = ''] = Object.keys(given)
    await put({ [key]: { defaultPage: 'data lake', definedTime: 'Asia/Tokyo' }[key] ?? 'AUTO' })
    const answer = await put(given)
    expect(answer.settings).toMatchObject({ [key]: expected })
    expect(await get()).toMatchObject({ [key]: expected })
  })

  test('SH-094 the landing page beside the settings falls back too', async () => {
    expect((await put({ defaultPage: 'nowhere' })).defaultPage).toBe('insight')
  })

  test.each(['{', 'tabs', '{"tag":"x"}', '[1]', '[{"name":"x"}]', ''])(
    'SH-098 SH-099 DP-566 DP-567 the tabs %j are refused',
    async (dashboardUserTabs) => {
      const before = await get()
      await expect(put({ dashboardUserTabs, darkmode: 'AUTO' })).rejects.toMatchObject({
        status: 400,
        body: {
          message: 'Dashboard user tabs is not a proper JSON',
          validationErrors: [
            { field: 'dashboardUserTabs', message: 'Dashboard user tabs is not a proper JSON' },
          ],
        },
      })
      expect(await get()).toEqual(before)
    },
  )

  test.each([
    'favoritePipelines',
    'favoriteGroups',
    'favoriteDataPreps',
    'favoriteInsights',
    'storageGroupsHidden',
  ])('SH-081 SH-082 %s must be the JSON text of a list', async (setting) => {
    for (const text of ['{', '{}', '"x"', ''])
      await expect(put({ [setting]: text })).rejects.toMatchObject({
        status: 400,
        body: { code: 'favouritesNotJson' },
      })
  })

  test.each(['columns', 'additionalParameters'])('%s must be the JSON text of an object', async (setting) => {
    for (const text of ['{', '[]', '1'])
      await expect(put({ [setting]: text })).rejects.toMatchObject({
        status: 400,
        body: { code: 'settingNotJson' },
      })
  })

  test('a precision outside 0 to 15, and a number for a text, are refused', async () => {
    for (const settings of [
      { decimalPrecision: 16 },
      { decimalPrecision: -1 },
      { decimalPrecision: 1.5 },
      { language: 5 },
    ])
      await expect(put(settings)).rejects.toMatchObject({ status: 400, body: { code: 'invalidInput' } })
  })

  test('characters that a database cannot store are refused, never an unexpected error', async () => {
    for (const text of ['a\u0000b', 'a\ud800b'])
      await expect(put({ symbolsDisplay: text })).rejects.toMatchObject({ status: 400 })
  })

  test('who the user is cannot be changed here', async () => {
    await put({ userName: 'root@example.com', company: 'Other', companyTags: ['x'] })
    expect(await get()).toMatchObject({ userName: 'jane@example.com', company: 'Default', companyTags: [] })
  })
})

test('changes of different settings at the same time are all kept', async () => {
  const user = await server.createUser()
  await Promise.all([
    put({ language: 'fra' }, user),
    put({ darkmode: 'ON' }, user),
    put({ decimalPrecision: 7 }, user),
    put({ definedTime: 'Asia/Tokyo' }, user),
  ])
  expect(await get(user)).toMatchObject({
    language: 'fra',
    darkmode: 'ON',
    decimalPrecision: 7,
    definedTime: 'Asia/Tokyo',
  })
})

test('nobody has settings', async () => {
  await expect(server.nobody.call(getSettings, {})).rejects.toMatchObject({ status: 401 })
  await expect(put({}, server.nobody)).rejects.toMatchObject({ status: 401 })
})
