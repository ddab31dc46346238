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

test('SH-079 returns the settings, the entitlements and the landing page', async () => {
  const user = await jane.call(getSettings, {})
  expect(Object.keys(user).toSorted()).toEqual(['defaultPage', 'settings', 'uiEntitlements'])
  expect(user.settings).toMatchObject({ userName: 'jane@example.com', company: 'Default', companyTags: [] })
  expect(user.uiEntitlements).toContainEqual({ resource: 'Groups', parent: 'Lake', mode: 'RWS' })
  expect(user.uiEntitlements).toContainEqual({ resource: 'Lake', mode: 'R' })
  expect(user.defaultPage).toBe('insight')
})

test('SH-081 SH-082 SH-083 SH-085 SH-086 SH-087 SH-088 SH-089 SH-091 SH-092 SH-095 SH-096 SH-097 DP-571 returns every setting with its default for a new user', async () => {
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
    darkmodeChosen: false,
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

/** The values of settings with a fixed set of values; the last one is the default. */
const fixedValues = [
  ['defaultPage', ['data lake', 'data science', 'data storage', 'insight']],
  ['darkmode', ['ON', 'AUTO', 'OFF']],
  ['warehouse', ['ON', 'OFF']],
  ['storageScreen', ['Charts', 'Basket', 'Table']],
] as const

test('DP-568 DP-572 DP-573 DP-574 the landing page, dark mode, warehouse and the storage screen have fixed values, one of which is the default and replaces other values', async () => {
  for (const [setting, values] of fixedValues) {
    const user = await server.createUser()
    const saved = async () => {
      const { defaultPage, settings } = await user.call(getSettings, {})
      if (setting === 'defaultPage') expect(defaultPage).toBe(settings.defaultPage)
      return settings[setting]
    }
    expect(await saved()).toBe(values.at(-1))
    for (const value of values) {
      await put({ [setting]: value }, user)
      expect(await saved()).toBe(value)
    }
    await put({ [setting]: values[0] }, user)
    await put({ [setting]: 'another' }, user)
    expect(await saved()).toBe(values.at(-1))
  }
})

test('DP-569 the default group is the user name plus _home until one is set, and after it is cleared', async () => {
  const user = await server.createUser({ email: 'home@example.com' })
  const home = 'home@example.com_home'
  expect((await get(user)).defaultGroup).toBe(home)
  expect((await put({ defaultGroup: 'Prices' }, user)).settings.defaultGroup).toBe('Prices')
  expect((await put({ defaultGroup: '' }, user)).settings.defaultGroup).toBe(home)
  expect((await get(user)).defaultGroup).toBe(home)
})

test('reports whether a colour scheme was saved, even if it is the default', async () => {
  const user = await server.createUser()
  await put({ language: 'fra', darkmode: undefined }, user)
  expect(await get(user)).toMatchObject({ darkmode: 'OFF', darkmodeChosen: false })
  expect((await put({ darkmode: 'OFF' }, user)).settings.darkmodeChosen).toBe(true)
  expect(await get(user)).toMatchObject({ darkmode: 'OFF', darkmodeChosen: true })
})

test('SH-085 SH-089 returns the tags of the company', async () => {
  const user = await server.createUser()
  await server.running.platform.database.pool.query(
    `with own as (insert into companies (name, tags) values ('Tagged', '{energy}') returning id)
     update users set company_id = own.id from own where user_name = $1`,
    [user.userName],
  )
  expect(await get(user)).toMatchObject({ company: 'Tagged', companyTags: ['energy'] })
})

describe('returns the saved values', () => {
  test.each([
    ['SH-084 dark mode on', { darkmode: 'ON' }, { darkmode: 'ON' }],
    ['SH-084 dark mode off', { darkmode: 'OFF' }, { darkmode: 'OFF' }],
    ['SH-084 dark mode auto, regardless of case', { darkmode: 'auto' }, { darkmode: 'AUTO' }],
    ['SH-087 warehouse on', { warehouse: 'ON' }, { warehouse: 'ON' }],
    ['SH-087 warehouse off', { warehouse: 'OFF' }, { warehouse: 'OFF' }],
    ['SH-087 the storage screen Table', { storageScreen: 'Table' }, { storageScreen: 'Table' }],
    ['SH-087 the storage screen Basket', { storageScreen: 'Basket' }, { storageScreen: 'Basket' }],
    ['SH-087 the storage screen Charts', { storageScreen: 'Charts' }, { storageScreen: 'Charts' }],
    ['SH-087 the lake layout VERSIONS', { datalakeLayout: 'VERSIONS' }, { datalakeLayout: 'VERSIONS' }],
    ['SH-087 the lake layout LATEST', { datalakeLayout: 'LATEST' }, { datalakeLayout: 'LATEST' }],
    ['SH-082 the columns', { columns: '{"groups":["name"]}' }, { columns: '{"groups":["name"]}' }],
    ['SH-082 the display of symbols', { symbolsDisplay: 'short' }, { symbolsDisplay: 'short' }],
    ['SH-082 the hidden groups', { storageGroupsHidden: '["FX"]' }, { storageGroupsHidden: '["FX"]' }],
    [
      'SH-089 the additional parameters',
      { additionalParameters: '{"Region":"North"}' },
      { additionalParameters: '{"Region":"North"}' },
    ],
    [
      'SH-088 rounding',
      { roundingEnabled: false, decimalPrecision: 0 },
      { roundingEnabled: false, decimalPrecision: 0 },
    ],
    ['SH-089 the language', { language: 'pol' }, { language: 'pol' }],
    [
      'SH-089 the download format Ncsv as FAST_NCSV',
      { downloadFormat: 'Ncsv' },
      { downloadFormat: 'FAST_NCSV' },
    ],
    ['SH-089 the default group', { defaultGroup: ' Prices ' }, { defaultGroup: 'Prices' }],
    ['SH-086 SH-097 the time zone', { definedTime: 'Europe/Warsaw' }, { definedTime: 'Europe/Warsaw' }],
    ['SH-085 SH-094 the landing page data lake', { defaultPage: 'data lake' }, { defaultPage: 'data lake' }],
    [
      'SH-094 the landing page data science',
      { defaultPage: 'data science' },
      { defaultPage: 'data science' },
    ],
    [
      'SH-094 the landing page data storage',
      { defaultPage: 'data storage' },
      { defaultPage: 'data storage' },
    ],
    ['SH-094 the landing page insight', { defaultPage: 'insight' }, { defaultPage: 'insight' }],
  ] as const)('%s', async (_title, given, expected) => {
    const response = await put(given)
    expect(response.settings).toMatchObject(expected)
    expect(await get()).toMatchObject(expected)
  })

  test.each(['favoritePipelines', 'favoriteGroups', 'favoriteDataPreps', 'favoriteInsights'] as const)(
    'SH-081 SH-100 accepts %s in the payload settings as the JSON text of a list',
    async (favourites) => {
      const list = JSON.stringify([{ name: 'Prices “ü” 😀', favorite: true }])
      const response = await jane.fetch('/auth/settings', {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ settings: { [favourites]: list } }),
      })
      expect(response.status).toBe(200)
      expect((await get())[favourites]).toBe(list)
    },
  )

  test('SH-083 SH-098 accepts dashboard tabs given as an array of tabs with a tag', async () => {
    const tabs = JSON.stringify([{ tag: 'gas' }, { tag: 'power' }])
    await put({ dashboardUserTabs: tabs })
    expect((await get()).dashboardUserTabs).toBe(tabs)
  })
})

describe('invalid values', () => {
  test('DP-570 SH-097 a time zone that is not known, or an offset, becomes UTC', async () => {
    for (const definedTime of ['Mars/Olympus', '+01:00']) {
      await put({ definedTime: 'Asia/Tokyo' })
      await put({ definedTime })
      expect((await get()).definedTime, definedTime).toBe('UTC')
    }
  })

  test.each([
    ['SH-094 replaces an unknown landing page by insight', { defaultPage: 'nowhere' }, 'insight'],
    [
      'SH-095 replaces an empty default group by the home group',
      { defaultGroup: '  ' },
      'jane@example.com_home',
    ],
    ['SH-092 replaces an empty language by eng', { language: '' }, 'eng'],
    ['SH-084 replaces an unknown dark mode by OFF', { darkmode: 'dim' }, 'OFF'],
    ['replaces an unknown warehouse by OFF', { warehouse: 'maybe' }, 'OFF'],
    ['replaces an unknown storage screen by Table', { storageScreen: 'Nine' }, 'Table'],
    ['SH-087 replaces an unknown lake layout by LATEST', { datalakeLayout: 'x' }, 'LATEST'],
    ['replaces an unknown download format by STANDARD', { downloadFormat: 'x' }, 'STANDARD'],
  ])('%s', async (_title, given, expected) => {
    const [key = ''] = Object.keys(given)
    const before = {
      defaultPage: 'data lake',
      definedTime: 'Asia/Tokyo',
      darkmode: 'AUTO',
      warehouse: 'ON',
      storageScreen: 'Charts',
      datalakeLayout: 'VERSIONS',
      downloadFormat: 'FAST_NCSV',
    }[key]
    expect((await put({ [key]: before ?? 'other' })).settings).toMatchObject({ [key]: before ?? 'other' })
    const response = await put(given)
    expect(response.settings).toMatchObject({ [key]: expected })
    expect(await get()).toMatchObject({ [key]: expected })
  })

  test('SH-079 SH-094 returns the saved defaultPage, or insight if the landing page is unknown', async () => {
    expect((await put({ defaultPage: 'data lake' })).defaultPage).toBe('data lake')
    expect((await jane.call(getSettings, {})).defaultPage).toBe('data lake')
    expect((await put({ defaultPage: 'nowhere' })).defaultPage).toBe('insight')
  })

  test.each(['{', 'tabs', '{"tag":"x"}', '[1]', '[{"name":"x"}]', '[{"tag":1}]', ''])(
    'SH-083 SH-098 SH-099 DP-566 rejects the tabs %j',
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
  ])('SH-081 SH-082 rejects a %s that is not the JSON text of a list', async (setting) => {
    for (const text of ['{', '{}', '"x"', ''])
      await expect(put({ [setting]: text })).rejects.toMatchObject({
        status: 400,
        body: { code: 'favouritesNotJson' },
      })
  })

  test.each(['columns', 'additionalParameters'])(
    'rejects a %s that is not the JSON text of an object',
    async (setting) => {
      for (const text of ['{', '[]', '1'])
        await expect(put({ [setting]: text })).rejects.toMatchObject({
          status: 400,
          body: { code: 'settingNotJson' },
        })
    },
  )

  test('rejects a precision outside 0 to 15, and a number in a text field', async () => {
    for (const settings of [
      { decimalPrecision: 16 },
      { decimalPrecision: -1 },
      { decimalPrecision: 1.5 },
      { language: 5 },
    ])
      await expect(put(settings)).rejects.toMatchObject({ status: 400, body: { code: 'invalidInput' } })
  })

  test('rejects characters that a database cannot store, without an internal error', async () => {
    for (const text of ['a\u0000b', 'a\ud800b'])
      await expect(put({ symbolsDisplay: text })).rejects.toMatchObject({ status: 400 })
  })

  test('the identity of the user cannot be changed through settings', async () => {
    await put({ userName: 'root@example.com', company: 'Other', companyTags: ['x'] })
    expect(await get()).toMatchObject({ userName: 'jane@example.com', company: 'Default', companyTags: [] })
  })
})

test('concurrent changes of different settings are all saved', async () => {
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

test('reports the allowed values of each field', async () => {
  const refused = put({ decimalPrecision: 16, language: 'x'.repeat(11), roundingEnabled: 'yes' })
  await expect(refused).rejects.toMatchObject({
    status: 400,
    body: {
      validationErrors: [
        { field: 'settings.roundingEnabled', message: 'This must be true or false, not text.' },
        { field: 'settings.decimalPrecision', message: 'This must be at most 15.' },
        { field: 'settings.language', message: 'At most 10 characters are allowed.' },
      ],
    },
  })
})

test('a caller who is not signed in has no settings', async () => {
  await expect(server.nobody.call(getSettings, {})).rejects.toMatchObject({ status: 401 })
  await expect(put({}, server.nobody)).rejects.toMatchObject({ status: 401 })
})
