import { afterAll, beforeAll, expect, test } from 'vitest'
import { getSettings, updateSettings } from '@headwater/accounts/contract'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { emptyContent } from '@headwater/tile-data/contract'
import { createInsight, deleteInsight, updateInsight } from '../contract/index.ts'

let server: TestServer
let owner: Session
let reader: Session

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser()
  reader = await server.createUser()
  for (const name of ['Energy', 'Power', 'Private']) await owner.call(createGroup, { body: { name } })
  for (const groupName of ['Energy', 'Power'])
    await server.grantGroup({ groupName, userName: reader.userName, access: 'R' })
})
afterAll(() => server.stop())

const make = (insightName: string, groupName = 'Energy') =>
  owner.call(createInsight, { body: { insightName, groupName, content: emptyContent() } })

const move = (from: string, to: string) => {
  const [oldGroupName = '', oldInsightName = ''] = from.split('/')
  const [newGroupName = '', newInsightName = ''] = to.split('/')
  return owner.call(updateInsight, {
    body: { oldGroupName, oldInsightName, newGroupName, newInsightName, content: emptyContent() },
  })
}

/** An entry of the setting, for example of `Energy/Spot`. */
const entry = (name: string, more = {}) => {
  const [groupName, insightName] = name.split('/')
  return { fileName: `${insightName}.json`, groupName, favorite: true, ...more }
}

async function save(session: Session, entries: readonly unknown[]) {
  const body = { settings: { favoriteInsights: JSON.stringify(entries) } }
  const { settings } = await session.call(updateSettings, { body })
  return JSON.parse(settings.favoriteInsights) as unknown
}

async function read(session: Session) {
  return JSON.parse((await session.call(getSettings, {})).settings.favoriteInsights) as unknown
}

test('favourites of every user follow a rename and a move, in the format of SH-106', async () => {
  for (const name of ['Spot', 'Other']) await make(name)
  const entries = [entry('Energy/Spot', { colour: 'red' }), entry('Energy/Other'), 'odd', null, { name: 'x' }]
  for (const session of [owner, reader]) expect(await save(session, entries)).toEqual(entries)
  await move('Energy/Spot', 'Energy/Spot prices')
  await move('Energy/Spot prices', 'Power/Prices')
  const followed = [entry('Power/Prices', { colour: 'red' }), ...entries.slice(1)]
  for (const session of [owner, reader]) expect(await read(session)).toEqual(followed)

  // Another insight with the old name is not a favourite, and the favourite can be removed.
  await make('Spot')
  expect(await read(reader)).toEqual(followed)
  await save(reader, entries.slice(1))
  expect(await read(reader)).toEqual(entries.slice(1))
})

test('a page that was open during a rename keeps the favourite when it adds another one', async () => {
  for (const name of ['Early', 'Late']) await make(name)
  await save(owner, [entry('Energy/Early')])
  await move('Energy/Early', 'Energy/Earlier')
  await save(owner, [entry('Energy/Early'), entry('Energy/Late')])
  expect(await read(owner)).toEqual([entry('Energy/Earlier'), entry('Energy/Late')])
})

test('favourites saved before ids were stored follow renames once their settings have been read', async () => {
  await make('Legacy')
  const { pool } = server.running.platform.database
  await save(owner, [entry('Energy/Legacy')])
  await pool.query(`update user_settings set settings = settings - 'favoriteInsightIds'`)
  await read(owner)
  await move('Energy/Legacy', 'Power/Legacy')
  expect(await read(owner)).toEqual([entry('Power/Legacy')])
})

test('a favourite keeps its name while its user cannot read the insight, and the new name is not revealed', async () => {
  await make('Plan')
  await save(reader, [entry('Energy/Plan')])
  await move('Energy/Plan', 'Private/Secret plan')
  expect(await read(reader)).toEqual([entry('Energy/Plan')])
  await server.grantGroup({ groupName: 'Private', userName: reader.userName, access: 'R' })
  expect(await read(reader)).toEqual([entry('Private/Secret plan')])
})

test('a favourite of a deleted insight remains, and applies to a new insight with its name', async () => {
  await make('Gone')
  await save(owner, [entry('Energy/Gone')])
  await owner.call(deleteInsight, { body: { groupName: 'Energy', insightName: 'Gone' } })
  expect(await read(owner)).toEqual([entry('Energy/Gone')])
  await make('Gone')
  expect(await read(owner)).toEqual([entry('Energy/Gone')])
})
