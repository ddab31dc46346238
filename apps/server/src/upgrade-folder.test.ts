import { rm } from 'node:fs/promises'
import { afterEach, expect, test } from 'vitest'
import { searchFiles } from '@headwater/files/contract'
import { getGroup, listGroupUsers } from '@headwater/groups/contract'
import { continuePipeline, getPipelineSchedule } from '@headwater/pipelines/contract'
import { getPrepSchedule } from '@headwater/preps/contract'
import { searchStatuses } from '@headwater/statuses/contract'
import { listTrash, restoreTrashed, type TrashKind } from '@headwater/trash/contract'
import { refusal, startTestServer, uploadSeries, type Session, type TestServer } from './testing.ts'
import { openDataFolder, type OldDataFolder } from './testing/open-data-folder.ts'

let old: OldDataFolder
let server: TestServer
let anna: Session
let ben: Session

afterEach(async () => {
  await server.stop()
  await rm(old.folder, { recursive: true, force: true })
})

/** Starts this version on the data that an earlier version stored. */
async function upgrade(archive: string, nextMigration: string): Promise<void> {
  old = await openDataFolder(archive, nextMigration)
  server = await startTestServer({
    database: old.database,
    dataFolder: old.dataFolder,
    // Objects were deleted when the archive was written, which can be years ago.
    env: { HEADWATER_TRASH_DAYS: '9999' },
  })
  anna = await server.signIn('anna@example.com')
  ben = await server.signIn('ben@example.com')
}

/** Returns the response of `POST /ts`. */
async function points(user: Session, query: object): Promise<string> {
  const response = await user.fetch('/ts', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(query),
  })
  return response.text()
}

/** Returns the dates and values of a symbol of a group. */
async function valuesOf(groupName: string, code: string): Promise<string[]> {
  const query = { keys: [{ groupName, symbols: { Code: code } }], range: 'ALL' }
  return (await points(anna, query)).split('\n').filter((line) => line.startsWith(`${code},`))
}

/** Expects that the server returns the same points as the earlier version, for example those that the archive states. */
async function expectSamePoints(): Promise<void> {
  const responses = await Promise.all(
    old.expected.points.map(({ userName, query }) => points(userName === anna.userName ? anna : ben, query)),
  )
  expect(responses).toEqual(old.expected.points.map(({ response }) => response))
  const correctedAndEarly = [
    'BRENT,2026-01-02T00:00:00,99.5,7',
    'BRENT,2026-03-12T00:00:00,-1e-9,0',
    'WTI,1969-12-31T23:59:59.999,3.25',
    'GAS,TTF,2026-01-02T00:00:00,,31.1',
    'SPREAD,2026-01-02T00:00:00,41.5',
  ]
  const lines = responses.join('\n').split('\n')
  expect(lines).toEqual(expect.arrayContaining(correctedAndEarly))
}

/** Continues the paused run and waits for its end. */
async function continueRun(): Promise<void> {
  const { jobId } = old.expected
  const job = async () => (await anna.call(searchStatuses, { query: { jobId } })).items[0]
  expect(await job()).toMatchObject({ status: 'PAUSED', name: 'daily' })
  await anna.call(continuePipeline, { body: { jobId } })
  await expect.poll(async () => (await job())?.endTime).toBeTruthy()
  const steps = (await job())!.componentStatuses.map(({ component, status }) => `${component} ${status}`)
  expect(steps).toEqual(['a INFO', 'b INFO'])
}

/** The corrections of a new file apply to points of the earlier version. */
async function expectCorrection(): Promise<void> {
  await uploadSeries(anna, {
    groupName: 'Prices',
    fileName: 'later.csv',
    content: 'Code,Date,Close\nWTI,2026-01-02,1\n',
  })
  expect(await valuesOf('Prices', 'WTI')).toEqual([
    'WTI,1969-12-31T23:59:59.999,3.25',
    'WTI,2026-01-01T00:00:00,57.125',
    'WTI,2026-01-01T10:00:00.001,57.5',
    'WTI,2026-01-02T00:00:00,1',
  ])
}

test('a data folder from before items and the trash has the same points and schedules, accepts corrections, and its paused run finishes', async () => {
  await upgrade('before-items', '2026-11-24T0010-create-schedules.sql')
  await expectSamePoints()
  await expectCorrection()
  const { schedule } = await anna.call(getPrepSchedule, { params: { id: old.expected.prepId } })
  expect(schedule).toMatchObject({ cron: '0 7 * * 1-5', timeZone: 'Europe/London', active: true })
  await continueRun()
})

const restored = async (kind: TrashKind, name: string) => {
  const { items } = await anna.call(listTrash, { params: { kind }, query: {} })
  const object = items.find((item) => item.name === name)
  expect(object, `${name} among ${items.map((item) => item.name).join(', ')}`).toBeDefined()
  await anna.call(restoreTrashed, { params: { kind, id: object!.id }, body: {} })
}

test('a data folder with a trash has the same points within the range of each share, and its deleted groups, files and symbols can be restored', async () => {
  await upgrade('with-trash', '2026-11-28T1440-groups-of-statuses.sql')
  await expectSamePoints()

  expect((await refusal(anna.call(getGroup, { params: { name: 'Retired' } }))).status).toBe(404)
  await restored('groups', 'Retired')
  await restored('files', 'notes.txt')
  await restored('files', 'uranium.csv')
  await restored('symbols', 'Code=COAL')
  const valuesOfAll = () =>
    Promise.all([valuesOf('Retired', 'PEAT'), valuesOf('Prices', 'URANIUM'), valuesOf('Prices', 'COAL')])
  await expect
    .poll(valuesOfAll)
    .toEqual([
      ['PEAT,2026-01-01T00:00:00,12.5'],
      ['URANIUM,2026-01-01T00:00:00,80.25'],
      ['COAL,2026-01-01T00:00:00,101.5', 'COAL,2026-01-02T00:00:00,102.5'],
    ])
  for (const [groupName, name, text] of [
    ['Prices', 'notes.txt', 'the notes'],
    ['Retired', 'readme.txt', 'retired group'],
  ]) {
    const { items } = await anna.call(searchFiles, {
      query: { query: `groupName=${groupName}&name=${name}` },
    })
    expect(items.map((file) => file.fileName)).toEqual([name])
    expect(await (await anna.fetch(`/file/${items[0]!.fid}/download`)).text()).toBe(text)
  }
  await expectCorrection()
})

test('a data folder with a trash has the same shares and schedules, and its paused run finishes', async () => {
  await upgrade('with-trash', '2026-11-28T1440-groups-of-statuses.sql')
  const usersOf = async (name: string) =>
    (await anna.call(listGroupUsers, { params: { name } })).items.map(({ email, access }) => [email, access])
  expect(await usersOf('Prices')).toEqual([
    ['anna@example.com', 'RWS'],
    ['ben@example.com', 'R'],
  ])
  expect(await usersOf('Flows')).toEqual([
    ['anna@example.com', 'RWS'],
    ['ben@example.com', 'RW'],
  ])
  const { pipelineId, prepId } = old.expected
  expect(await anna.call(getPipelineSchedule, { params: { pipelineId } })).toMatchObject({
    schedulerTriggers: [{ cron: '30 7 * * *', timeZone: 'Asia/Tokyo' }],
  })
  expect((await anna.call(getPrepSchedule, { params: { id: prepId } })).schedule).toMatchObject({
    cron: '0 7 * * 1-5',
    timeZone: 'Europe/London',
    active: true,
    setBy: 'anna@example.com',
  })
  await continueRun()
})
