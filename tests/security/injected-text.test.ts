import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import {
  startTestServer,
  upload,
  uploadSeries,
  type Session,
  type TestServer,
} from '@headwater/server/testing'

const canary = 'CANARY-7731'
const canaryValue = '77317731.5'

let server: TestServer
let owner: Session
let attacker: Session
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser()
  attacker = await server.createUser()
  await owner.call(createGroup, { body: { name: canary } })
  await attacker.call(createGroup, { body: { name: 'Mine' } })
  const content = (code: string, value: string) => `Code,Date,Close\n${code},2026-01-01,${value}\n`
  await uploadSeries(owner, { groupName: canary, fileName: 'a.ncsv', content: content(canary, canaryValue) })
  await upload(owner, { groupName: canary, fileName: `${canary}.txt`, content: canary })
  await uploadSeries(attacker, { groupName: 'Mine', fileName: 'a.ncsv', content: content('A', '1') })
})
afterAll(() => server.stop())

/** The second half is for the long campaign. */
const allTexts = [
  `' or '1'='1`,
  `') or 1=1 --`,
  `" or ""="`,
  '`) or 1=1 --',
  `'; drop table users; --`,
  `\\'; select pg_sleep(9); --`,
  `' union select text from files --`,
  `A' union all select * from points --`,
  `') union all select * from file('/etc/passwd', 'LineAsString') --`,
  '{{ constructor.constructor("return process")() }}',
  '${7*7}',
  `$$; copy (select 1) to program 'id'; $$`,
  '%',
  '_',
  '*',
  '\\',
  `a\\' or 1=1 --`,
]

const json = (path: string, body: unknown, method = 'POST') =>
  attacker.fetch(path, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

const texts = allTexts.slice(0, inject('campaign') === 'long' ? undefined : 9)

/** Every input whose text becomes part of a search or a query. */
const locations: Record<string, (text: string) => Promise<Response>> = {
  'the search of files': (text) => attacker.fetch(`/file/search?query=${encodeURIComponent(text)}`),
  'the name of a file in a search': (text) =>
    attacker.fetch(`/file/search?name=${encodeURIComponent(text)}&sortBy=name`),
  'metadata in a search of files': (text) =>
    attacker.fetch(`/file/search?${encodeURIComponent(`fields.${text}`)}=${encodeURIComponent(text)}`),
  'the list of groups': (text) => attacker.fetch(`/file/group?name=${encodeURIComponent(text)}`),
  'the search of symbols': (text) => attacker.fetch(`/ts/symbol/search?query=${encodeURIComponent(text)}`),
  'a key in a search of symbols': (text) =>
    attacker.fetch(`/ts/symbol/search?query=${encodeURIComponent(`symbols.${text}=${text}`)}`),
  'the search of statuses': (text) => attacker.fetch(`/status?query=${encodeURIComponent(text)}`),
  'the search of data preps': (text) => attacker.fetch(`/dataprep?query=${encodeURIComponent(text)}`),
  'the search of insights': (text) => attacker.fetch(`/insights?query=${encodeURIComponent(text)}`),
  'the group of a data query': (text) => json('/ts', { keys: [{ groupName: text, symbols: {} }] }),
  'symbols of a data query': (text) =>
    json('/ts', { keys: [{ groupName: 'Mine', symbols: { [text]: text }, pattern: true }] }),
  'columns of a data query': (text) =>
    json('/ts', { keys: [{ groupName: 'Mine', symbols: {}, columns: [text, `${text}*`], pattern: true }] }),
  'the time zone of a data query': (text) =>
    json('/ts', { keys: [{ groupName: 'Mine', symbols: {} }], timeZone: text, timezone: text }),
  'the range of a data query': (text) =>
    json('/ts', {
      keys: [{ groupName: 'Mine', symbols: {} }],
      range: 'BETWEEN',
      startDate: text,
      endDate: text,
    }),
  'a filter of a data query': (text) =>
    json('/ts', {
      keys: [{ groupName: 'Mine', symbols: {} }],
      filters: [{ name: 'Close', operator: 'EQUALS', value: text }],
    }),
  'the column of a filter': (text) =>
    json('/ts', {
      keys: [{ groupName: 'Mine', symbols: {} }],
      filters: [{ name: text, operator: 'CONTAINS', value: text }],
    }),
  'a formula': (text) =>
    json('/ts/formula/preview', {
      groupName: 'Mine',
      symbols: { Code: 'F' },
      expression: text,
      inputs: [{ name: 'a', groupName: 'Mine', symbols: { Code: 'A' }, column: 'Close' }],
    }),
}

/** Valid texts of inputs; `A` for all others. */
const usual: Record<string, string> = {
  'metadata in a search of files': 'Desk',
  'the group of a data query': 'Mine',
  'the time zone of a data query': 'UTC',
  'the range of a data query': '2026-01-01',
  'a filter of a data query': '1',
  'the column of a filter': 'symbols.Code',
  'a formula': 'a * 2',
}

describe.each(Object.entries(locations))('%s', (location, send) => {
  test('treats any text as text: returns no data of other users and causes no server error', async () => {
    const { status } = await send(usual[location] ?? 'A')
    expect(status).toBe(200)
    await Promise.all(
      texts.map(async (text) => {
        const response = await send(text)
        const body = await response.text()
        expect(response.status, `${text}: ${body.slice(0, 300)}`).toBeLessThan(500)
        expect(body).not.toContain(canary)
        expect(body).not.toContain(canaryValue.slice(0, 8))
        expect(body).not.toMatch(/root:.*:0:0:/)
        // Neither the database nor the engine responded.
        expect(body).not.toMatch(/syntax error at|DB::Exception|Code: \d+\. DB/)
      }),
    )
  })
})

test('the data of the owner still exists', async () => {
  const response = await owner.fetch('/ts', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ keys: [{ groupName: canary, symbols: { Code: canary } }] }),
  })
  expect(await response.text()).toContain(canaryValue)
})

test.each([
  '/../../../../../../etc/passwd',
  '/..%2f..%2f..%2f..%2f..%2fetc%2fpasswd',
  '/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
  '/assets/..%5c..%5c..%5cetc%5cpasswd',
  '/assets/../../../package.json',
  '/assets/..%2f..%2f..%2fpackage.json',
  '/%00/etc/passwd',
  '//etc/passwd',
  '/.git/config',
])('serves no file of the machine: %s', async (path) => {
  const { hostname, port } = new URL(server.url)
  const text = await new Promise<string>((resolve, reject) => {
    const sent = request({ hostname, port, path, headers: { Accept: '*/*' } }, (response) => {
      let received = `${response.statusCode} `
      response.on('data', (chunk) => (received += String(chunk)))
      response.on('end', () => resolve(received))
    })
    sent.on('error', reject)
    sent.end()
  })
  expect(text).toMatch(/^40[034] /)
  expect(text).not.toMatch(/root:|"workspaces"|\[core\]/)
})
