import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog, readConfig } from '@headwater/server-kit'
import { fixedClock } from '@headwater/server-kit/testing'
import { startTestServer, type TestServer } from '@headwater/server/testing'
import { getConfiguration, reportError } from '@headwater/accounts/contract'
import { readProductConfiguration } from './product-configuration.ts'

const clock = fixedClock('2026-03-01T08:00:00Z')
const lines: string[] = []
let server: TestServer
beforeAll(async () => {
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(...chunk.toString('utf8').split('\n').filter(Boolean))
      done()
    },
  })
  server = await startTestServer({ clock, log: createLog({ destination }) })
})
afterAll(() => server.stop())

/** Reads the product configuration from an environment. */
const configurationOf = (env: Record<string, string>) => readProductConfiguration(readConfig(env))

/** Log entries of browser errors that were written while `work` ran. */
async function reportsDuring(work: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const before = lines.length
  await work()
  const entries = lines.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>)
  return entries.filter((entry) => 'report' in entry)
}

test('DP-021 DP-022 SH-014 SH-018 SH-019 SH-020 SH-022 SH-023 SH-032 returns the configuration with its defaults without sign-in', async () => {
  expect(await server.nobody.call(getConfiguration, {})).toEqual({
    title: 'Headwater',
    icon: '/icon.svg',
    logo: '/logo.svg',
    version: '{ip}',
    sharing_enabled: 'true',
    api_keys_enabled: 'true',
    warehouse_only: 'true',
    trash_days: 30,
    // the test server lists unfinished pages
    unfinished_pages: 'true',
    symbols_search_index: 'true',
    environment: 'prod',
    build: 'Local',
    session_sample_rate: 100,
    session_replay_sample_rate: 20,
  })
})

test('SH-014 SH-015 SH-016 SH-018 SH-019 SH-020 SH-023 SH-032 reads each value from the environment; an empty build is not local', () => {
  const configuration = configurationOf({
    HEADWATER_TITLE: 'Prices',
    HEADWATER_ICON: '/own.png',
    HEADWATER_LOGO: 'https://example.com/logo.png',
    HEADWATER_VERSION: '1.2.3',
    HEADWATER_SHARING_ENABLED: 'False',
    HEADWATER_API_KEYS_ENABLED: 'false',
    HEADWATER_WAREHOUSE_ONLY: 'FALSE',
    HEADWATER_TRASH_DAYS: '7',
    HEADWATER_UNFINISHED_PAGES: 'True',
    HEADWATER_SYMBOLS_SEARCH_INDEX: 'false',
    HEADWATER_ENVIRONMENT: 'test',
    HEADWATER_BUILD: '',
    HEADWATER_SESSION_SAMPLE_RATE: '50',
    HEADWATER_SESSION_REPLAY_SAMPLE_RATE: '0',
  })
  expect(configuration).toEqual({
    title: 'Prices',
    icon: '/own.png',
    logo: 'https://example.com/logo.png',
    version: '1.2.3',
    sharing_enabled: 'false',
    api_keys_enabled: 'false',
    warehouse_only: 'false',
    trash_days: 7,
    unfinished_pages: 'true',
    symbols_search_index: 'false',
    environment: 'test',
    build: '',
    session_sample_rate: 50,
    session_replay_sample_rate: 0,
  })
})

test('unfinished pages are listed only if a setting enables them', () => {
  expect(configurationOf({}).unfinished_pages).toBe('false')
})

test('the server does not start with a switch that is not true or false, and the error names it', () => {
  expect(() => configurationOf({ HEADWATER_WAREHOUSE_ONLY: 'maybe' })).toThrow(
    'HEADWATER_WAREHOUSE_ONLY is “maybe”',
  )
})

test.each(['', '-1', '100.5', 'half'])(
  'the server does not start with the rate “%s”, and the error names it',
  (rate) => {
    expect(() => configurationOf({ HEADWATER_SESSION_SAMPLE_RATE: rate })).toThrow(
      `HEADWATER_SESSION_SAMPLE_RATE is “${rate}”; it must be a number from 0 to 100.`,
    )
  },
)

test('SH-029 logs a browser error at the level error, with the name of the signed-in user', async () => {
  const user = await server.createUser({ email: 'anna@example.com' })
  const [entry] = await reportsDuring(() =>
    user.call(reportError, { body: { message: 'x is undefined', userName: 'somebody else' } }),
  )
  expect(entry).toMatchObject({
    report: 'x is undefined',
    userName: 'anna@example.com',
    level: 40,
    severity: 'error',
    signedIn: true,
  })
})

test('SH-030 logs an uncaught exception as fatal', async () => {
  const [entry] = await reportsDuring(() =>
    server.nobody.call(reportError, { body: { message: 'boom', level: 'fatal' } }),
  )
  expect(entry).toMatchObject({ severity: 'fatal', signedIn: false })
})

test('a report cannot forge log lines or write a secret to the log', async () => {
  clock.advance(60_000)
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'
  const message = [
    'first\r\n{"level":30}\u001b[31m\u0000\u2028\u202e end',
    `at https://x/?refreshToken=abc&token=def#${token}`,
    'at /ChangePassword/secret-token and /Activate/other-token/T',
    `key NG_${'k'.repeat(43)}`,
  ].join(' ')
  const [entry] = await reportsDuring(() => server.nobody.call(reportError, { body: { message } }))
  const report = String(entry?.report)
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  expect(report).not.toMatch(/[\u0000-\u001f\u2028\u202e]/)
  for (const secret of ['abc', 'def', token, 'secret-token', 'other-token', 'kkkk'])
    expect(report).not.toContain(secret)
  expect(report).toContain('first')
})

test('without sign-in at most ten reports a minute are logged, together with the number of dropped reports', async () => {
  clock.advance(60_000)
  const send = () => server.nobody.call(reportError, { body: { message: 'again' } })
  const flood = await reportsDuring(async () => {
    for (let i = 0; i < 15; i += 1) await send()
  })
  expect(flood).toHaveLength(10)
  clock.advance(60_000)
  expect(await reportsDuring(send)).toHaveLength(1)
  expect(lines.some((line) => (JSON.parse(line) as { dropped?: number }).dropped === 5)).toBe(true)
})

test('a report that is too long or has no message is rejected', async () => {
  await expect(
    server.nobody.call(reportError, { body: { message: 'x'.repeat(10_001) } }),
  ).rejects.toMatchObject({ status: 400, body: { validationErrors: [{ field: 'message' }] } })
  await expect(server.nobody.call(reportError, { body: {} as never })).rejects.toMatchObject({ status: 400 })
})
