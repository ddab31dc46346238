import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import {
  deleteHolidayCalendar,
  getHolidayCalendar,
  listHolidayCalendars,
  saveHolidayCalendar,
} from '../contract/index.ts'

let server: TestServer
let anna: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Prices' } })
})
afterAll(() => server.stop())

async function daysOf(name: string, from: string, to: string): Promise<string[]> {
  const { days } = await anna.call(getHolidayCalendar, { params: { name }, query: { from, to } })
  return days.map(({ date }) => date)
}

test('IN-419 a search matches parts of names and descriptions, with or without wildcards, in pages of a size', async () => {
  const names = async (query: string, size = 100) => {
    const page = await anna.call(listHolidayCalendars, { query: { query, size } })
    return page.items.map(({ name }) => name)
  }
  expect(await names('*england*')).toEqual(['GB-ENG'])
  expect(await names('ENGL')).toEqual(['GB-ENG'])
  expect(await names('us-ny')).toEqual(['US-NY'])
  expect(await names('nowhere')).toEqual([])
  const page = await anna.call(listHolidayCalendars, { query: { size: 2, from: 1 } })
  expect(page).toMatchObject({ from: 1, items: [{ source: 'shipped' }, { source: 'shipped' }] })
  expect(page.totalSize).toBeGreaterThan(500)
  expect(await names('*BAYERN*')).toContain('DE-BY')
})

test('built-in calendars have the holidays of a country and its regions, and its weekend', async () => {
  expect(await daysOf('gb-eng', '2024-01-01', '2024-12-31')).toEqual([
    '2024-01-01',
    '2024-03-29',
    '2024-04-01',
    '2024-05-06',
    '2024-05-27',
    '2024-08-26',
    '2024-12-25',
    '2024-12-26',
  ])
  expect(await daysOf('GB-SCT', '2024-01-01', '2024-01-31')).toEqual(['2024-01-01', '2024-01-02'])
  // A holiday can have several days, and days with only the afternoon off are working days.
  expect(await daysOf('SA', '2024-04-01', '2024-04-30')).toEqual([
    '2024-04-09',
    '2024-04-10',
    '2024-04-11',
    '2024-04-12',
  ])
  expect(await daysOf('CN', '2024-03-01', '2024-04-04')).toEqual(['2024-04-04'])
  const weekend = async (name: string) =>
    (await anna.call(getHolidayCalendar, { params: { name }, query: {} })).weekend
  expect([await weekend('US'), await weekend('SA')]).toEqual([
    [6, 7],
    [5, 6],
  ])
})

test('the days of a calendar from a given date end with the year of that date', async () => {
  const { days } = await anna.call(getHolidayCalendar, {
    params: { name: 'GB-ENG' },
    query: { from: '2024-01-01' },
  })
  expect(new Set(days.map(({ date }) => date.slice(0, 4)))).toEqual(new Set(['2024']))
})

test('company administrators maintain custom calendars, which all users read', async () => {
  const params = { name: 'Trading desk' }
  const body = {
    description: 'Days without prices',
    weekend: [7],
    days: [
      { date: '2024-12-25', name: 'Christmas' },
      { date: '2024-05-01', name: 'May Day' },
    ],
  }
  await expect(anna.call(saveHolidayCalendar, { params, body })).rejects.toMatchObject({ status: 403 })
  await server.admin.call(saveHolidayCalendar, { params, body })
  expect(
    await anna.call(getHolidayCalendar, {
      params: { name: 'TRADING desk' },
      query: { from: '2024-05-01', to: '2024-12-31' },
    }),
  ).toEqual({
    name: 'Trading desk',
    description: 'Days without prices',
    source: 'own',
    weekend: [7],
    days: [
      { date: '2024-05-01', name: 'May Day' },
      { date: '2024-12-25', name: 'Christmas' },
    ],
  })
  await expect(
    server.admin.call(saveHolidayCalendar, { params: { name: 'trading DESK' }, body: { days: [] } }),
  ).rejects.toMatchObject({ status: 409, body: { code: 'calendarNamedAlike' } })
  await server.admin.call(saveHolidayCalendar, { params, body: { days: [] } })
  expect(await anna.call(listHolidayCalendars, { query: { query: 'trading' } })).toMatchObject({
    totalSize: 1,
    items: [{ ...params, source: 'own' }],
  })
  expect(await anna.call(getHolidayCalendar, { params, query: {} })).toEqual({
    ...params,
    description: '',
    source: 'own',
    weekend: [6, 7],
    days: [],
  })

  await expect(anna.call(deleteHolidayCalendar, { params })).rejects.toMatchObject({ status: 403 })
  await server.admin.call(deleteHolidayCalendar, { params })
  await expect(anna.call(getHolidayCalendar, { params, query: {} })).rejects.toMatchObject({
    body: { code: 'holidayCalendarNotFound' },
  })
})

test('an administrator cannot change the calendar of another company', async () => {
  const { pool } = server.running.platform.database
  const { rows } = await pool.query(`insert into companies (name) values ('Other') returning id`)
  await pool.query(
    `insert into holiday_calendars (company_id, name, description, weekend, days) values ($1, 'Theirs', '', '{6,7}', '[]')`,
    [rows[0]!.id],
  )
  const ours = await server.createUser({ email: 'chief@example.com' })
  const role = await pool.query(`insert into roles (name) values ('Chief') returning id`)
  expect(role.rows).toHaveLength(1)
  await pool.query(
    `insert into role_entitlements (role_id, resource, parent, mode) values ($1, 'Companies', 'MyAccount', 'RW'), ($1, 'MyAccount', '', 'RW')`,
    [role.rows[0]!.id],
  )
  const user = await server.running.platform.accounts.findUserByName(ours.userName)
  await server.running.platform.accounts.setUserRoles(user!.userId, [role.rows[0]!.id as number])
  const params = { name: 'Theirs' }
  await expect(ours.call(saveHolidayCalendar, { params, body: {} })).rejects.toMatchObject({ status: 403 })
  await expect(ours.call(deleteHolidayCalendar, { params })).rejects.toMatchObject({ status: 403 })
  expect(await ours.call(saveHolidayCalendar, { params: { name: 'Ours' }, body: {} })).toMatchObject({
    weekend: [6, 7],
  })
})

test.each([
  ['GB', {}, 409, 'calendarIsShipped'],
  ['Mine', { days: [{ date: '2024-02-30' }] }, 400, 'days[0].date'],
  ['Mine', { days: [{ date: '2024-02-01' }, { date: '2024-02-01' }] }, 400, 'days[1].date'],
  ['Mine', { weekend: [1, 2, 3, 4, 5, 6, 7] }, 400, 'weekend'],
  ['Mine', { weekend: [8] }, 400, 'weekend[0]'],
  ['A*', {}, 400, 'name'],
])('rejects the calendar %s of %j', async (name, body, status, message) => {
  const error = await server.admin
    .call(saveHolidayCalendar, { params: { name }, body })
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ status })
  expect(JSON.stringify((error as { body: unknown }).body)).toContain(message)
})

test('accepts calendar names regardless of case; rejects unknown ones with the name of the field', async () => {
  const runQuery = async (holidayCalendar: string | null) => {
    const response = await anna.fetch('/ts', {
      method: 'POST',
      body: JSON.stringify({ groupName: 'Prices', holidayCalendar }),
      headers: { 'Content-Type': 'application/json' },
    })
    return [response.status, await response.text()]
  }
  expect((await runQuery('us-ny'))[0]).toBe(200)
  expect((await runQuery(null))[0]).toBe(200)
  const [status, text] = await runQuery('US-Mars')
  expect(status).toBe(400)
  expect(JSON.parse(String(text))).toMatchObject({
    code: 'noSuchHolidayCalendar',
    validationErrors: [{ field: 'holidayCalendar' }],
  })
})
