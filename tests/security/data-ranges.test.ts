import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateFile } from '@headwater/files/contract'
import { createGroup, shareGroups, unshareGroup } from '@headwater/groups/contract'
import { createInsight, getInsight } from '@headwater/insights/contract'
import { createPipeline, executePipeline, getPipelineByName } from '@headwater/pipelines/contract'
import { createDataPrep, runDataPrep } from '@headwater/preps/contract'
import { exporterOf, exporterTemplate } from '@headwater/reports/contract'
import {
  startMailServer,
  startTestServer,
  upload,
  uploadSeries,
  type MailServer,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { createFormula } from '@headwater/symbols/contract'

/** The share gives `limited` the points of March and April 2026. */
const range = { dataStart: '2026-03-01', dataEnd: '2026-04-30' }

/** Everything that is outside the range: values, dates, symbols, columns, metadata and files. */
const secret =
  /\b777\d{3}\b|SECRETONLY|Hidden|confidential|2026-0[126]-|2026-05-02|(?:outside|across|unmarked|secret)\.\w+/

let server: TestServer
let mailServer: MailServer
let owner: Session
let limited: Session
let stranger: Session
/** Ids of files by name. */
const fileIds: Record<string, string> = {}
const prepIds: Record<string, string> = {}

const content = `Code,Date,Close,Hidden,HiddenNote(S),HiddenDay(D),Sector(MD-S),HiddenSince(MD-D)
VISIBLE,2026-01-10,777001,777101,confidential,2026-01-10,energy,
VISIBLE,2026-02-28,777002,777102,confidential,2026-01-10,energy,
VISIBLE,2026-03-01,11,,,,energy,
VISIBLE,2026-04-30,12,,,,energy,
VISIBLE,2026-05-02,777003,777103,confidential,2026-01-10,energy,
SECRETONLY,2026-02-01,777004,777104,confidential,2026-01-10,confidential,2026-01-10
SECRETONLY,2026-06-01,777005,777105,confidential,2026-01-10,confidential,2026-01-10
`
const marked = (start: string, end: string) => [
  { name: 'dataStart', value: String(Date.parse(start)) },
  { name: 'dataEnd', value: String(Date.parse(end)) },
]

beforeAll(async () => {
  mailServer = await startMailServer()
  server = await startTestServer({ env: { HEADWATER_SMTP_URL: mailServer.url } })
  owner = await server.createUser({ email: 'owner@example.com' })
  limited = await server.createUser({ email: 'limited@example.com' })
  stranger = await server.createUser({ email: 'stranger@example.com' })
  await owner.call(createGroup, { body: { name: 'Whole' } })
  await limited.call(createGroup, { body: { name: 'Own' } })
  await stranger.call(createGroup, { body: { name: 'Other' } })
  fileIds['secret.csv'] = await uploadSeries(owner, { groupName: 'Whole', fileName: 'secret.csv', content })
  for (const [fileName, fields] of [
    ['inside.csv', marked('2026-03-01T00:00:00Z', '2026-04-30T23:59:59.999Z')],
    ['across.csv', marked('2026-04-01T00:00:00Z', '2026-05-01T00:00:00Z')],
    ['outside.csv', marked('2026-01-01T00:00:00Z', '2026-01-31T00:00:00Z')],
    ['unmarked.csv', []],
  ] as const) {
    const body = fileName === 'inside.csv' ? 'Code,Date,Close\nVISIBLE,2026-03-01,11\n' : '777201'
    const file = { groupName: 'Whole', fileName, fileType: 'SOURCE', fields: [...fields], content: body }
    fileIds[fileName] = (await upload(owner, file)).fileId
  }
  const inputs = [{ name: 'x', groupName: 'Whole', symbols: { Code: 'VISIBLE' }, column: 'Close' }]
  await owner.call(createFormula, {
    body: {
      groupName: 'Whole',
      symbols: { Code: 'SECRETONLY', Kind: 'formula' },
      expression: 'x + 1',
      inputs,
    },
  })
  await owner.call(shareGroups, {
    body: { sharesList: [{ email: limited.userName, access: 'R', groupName: 'Whole', ...range }] },
  })
  const symbols = [{ groupName: 'Whole', symbols: { Code: 'VISIBLE' } }]
  for (const [session, outputGroup] of [
    [limited, 'Own'],
    [owner, 'Whole'],
    [stranger, 'Other'],
  ] as const) {
    const dataPrep = { name: `copy of ${session.userName}`, outputGroup, symbols, range: 'ALL' }
    prepIds[session.userName] = (await session.call(createDataPrep, { body: { dataPrep } as never })).id
  }
})
afterAll(async () => {
  await server.stop()
  await mailServer.stop()
})

type Path = (session: Session) => Promise<{ status: number; text: string }>

async function responseOf(response: Promise<Response>): Promise<{ status: number; text: string }> {
  const { status } = await response
  return { status, text: await (await response).text() }
}
const get =
  (path: string): Path =>
  (session) =>
    responseOf(session.fetch(path))
const send =
  (method: string, path: string, body: unknown): Path =>
  (session) =>
    responseOf(
      session.fetch(path, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
const post = (path: string, body: unknown) => send('POST', path, body)
const ofFile =
  (path: string, name: string): Path =>
  (session) =>
    responseOf(session.fetch(path.replace(':fid', fileIds[name]!)))
const link =
  (name: string): Path =>
  async (session) => {
    const response = await session.fetch(`/file/${fileIds[name]}`)
    const location = response.headers.get('location')
    return location === null ? responseOf(Promise.resolve(response)) : responseOf(fetch(location))
  }

const ofJob =
  (path: string, name: string): Path =>
  async (session) => {
    const { jobId } = (await (await session.fetch(`/file/${fileIds[name]}`)).json()) as { jobId: string }
    return responseOf(session.fetch(path.replace(':jobId', jobId)))
  }

const keys = [{ groupName: 'Whole' }]
const ts = (more: object) => ({ keys, range: 'ALL', metadata: true, ...more })
const table = {
  content: {
    tiles: [{ id: 't', type: 'Table', title: 'All', range: 'ALL' }],
    datapreps: { t: { symbols: [{ groupName: 'Whole', symbols: { Code: 'VISIBLE' } }] } },
  },
  tiles: [{ id: 't' }],
}

/** Paths that return the data within the range, with a string in the response that the range includes. */
const within: [string, Path, RegExp][] = [
  ['/ts', post('/ts', ts({})), /VISIBLE.*2026-03-01.*11/],
  ['/ts/stream', post('/ts/stream', ts({})), /VISIBLE.*2026-03-01.*11/],
  ['/ts/batch', post('/ts/batch', { queries: [{ body: ts({}) }] }), /VISIBLE.*2026-03-01.*11/],
  ['/ts with statistics', post('/ts', ts({ formatType: 'STANDARD', stats: true })), /"max":12\b/],
  ['/ts on a date', post('/ts', ts({ onDateTime: '2099-01-01T00:00:00' })), /2026-04-30/],
  ['the newest point', post('/ts', ts({ range: 'LAST', lastTypeAmount: 1 })), /2026-04-30.*12/],
  [
    '/ts with all corrections',
    post('/ts', ts({ corrections: 'history' })),
    /InsertTime\(D\)\nVISIBLE,2026-03-01[^\n]*,11,/,
  ],
  ['/ts by insertion time', post('/ts', ts({ delta: true })), /2026-03-01.*11/],
  [
    'roll-ups',
    post('/ts', ts({ resample: { unit: 'MONTHS', functions: ['max', 'count'] } })),
    /VISIBLE,2026-03-01[^\n]*,11,1/,
  ],
  [
    'sums across symbols',
    post('/ts', ts({ metadata: false, aggregate: { functions: ['sum', 'count'] } })),
    /2026-03-01[^\n]*,11,1/,
  ],
  [
    'points for a chart',
    post('/ts', ts({ formatType: 'UI', drawPoints: 100 })),
    /VISIBLE.*"Close":\[11,12\].*"raw":2\b/,
  ],
  ['series as columns', post('/ts', ts({ metadata: false, outputLayout: 'COLUMNS' })), /2026-03-01[^\n]*11/],
  [
    'filled gaps',
    post('/ts', ts({ keys: [{ groupName: 'Whole', fillType: 'PREVIOUS' }] })),
    /2026-04-30.*12/,
  ],
  [
    'moved points',
    post('/ts', ts({ keys: [{ groupName: 'Whole', offsetAmount: 1, offsetType: 'DAYS' }] })),
    /2026-03-02[^\n]*11/,
  ],
  ['the number of rows', post('/ts', ts({ countRows: true, size: 1 })), /2026-03-01.*11/],
  ['/index', get('/index?Group=Whole&From=all&To=2099-01-01'), /2026-04-30.*12/],
  ['/index with metadata', get('/index?Group=Whole&From=all&Metadata=only'), /VISIBLE/],
  ['/catalogue', get('/catalogue?Group=Whole&NoModule=true'), /VISIBLE/],
  ['symbols', get('/ts/symbol/search?query=groupName%3DWhole&pointCount=true'), /"pointCount":2/],
  [
    'symbols by text',
    get('/ts/symbol/search?query=VISIBLE'),
    /"firstDate":"2026-03-01.*"lastDate":"2026-04-30/,
  ],
  ['symbols by date', get('/ts/symbol/search?query=groupName%3DWhole&sortBy=lastDate%3Ddesc'), /VISIBLE/],
  ['symbols as a stream', get('/ts/symbol/search/stream?query=groupName%3DWhole'), /"totalSize":1,.*VISIBLE/],
  [
    'values of a key',
    post('/ts/symbol/values', { groupName: 'Whole', key: 'Code' }),
    /"totalSize":1,.*VISIBLE/,
  ],
  [
    'keys',
    post('/ts/symbol/keys', { groupName: 'Whole', metadata: true }),
    /Code.*"variety":1.*Sector|Sector.*Code/,
  ],
  ['branches', post('/ts/symbol/branches', { groupName: 'Whole', key: 'Code' }), /VISIBLE.*"symbolCount":1/],
  ['columns', get('/ts/symbol/columns?groupName=Whole'), /Close/],
  ['groups with symbols', get('/ts/symbol/groups?query=Whole'), /Whole.*"symbolCount":1/],
  [
    'groups',
    get('/file/group?name=Whole'),
    /"dataStart":"2026-03-01T00:00:00","dataEnd":"2026-05-01T00:00:00"/,
  ],
  ['the group', get('/file/group/Whole'), /"access":"R"/],
  ['files', get('/file/search?query=groupName%3DWhole'), /"totalSize":1,.*inside\.csv/],
  ['a file', ofFile('/file/:fid', 'inside.csv'), /inside\.csv/],
  ['its size', ofFile('/file/:fid/size', 'inside.csv'), /"size":38/],
  ['its versions', ofFile('/file/:fid/versions', 'inside.csv'), /"totalSize":1/],
  ['its download', ofFile('/file/:fid/download', 'inside.csv'), /VISIBLE,2026-03-01,11/],
  ['its link', link('inside.csv'), /VISIBLE,2026-03-01,11/],
  ['tiles', post('/insight/draft/data', table), /2026-03-01/],
]

describe('a path returns only data within the range of a share', () => {
  test.for(within)('%s', async ([, path, included]) => {
    expect(await path(owner)).toMatchObject({ status: 200 })
    // The caches hold the result of the owner.
    const [part, none] = await Promise.all([path(limited), path(stranger)])
    expect(part).toMatchObject({ status: 200 })
    expect(part.text).toMatch(included)
    expect(part.text).not.toMatch(secret)
    expect(none.text).not.toMatch(secret)
    expect(none.text).not.toMatch(/VISIBLE|energy|inside\.csv|2026-0[34]/)
  })
})

const paged = ts({ size: 1 })
const pageToken = async () => {
  const response = await limited.fetch('/ts', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(paged),
  })
  return response.headers.get('x-kh-next-page-token')!
}

test('writes outside the range do not affect responses to the user with the range', async () => {
  const paths: [string, Path][] = [
    ...within.map(([name, path]): [string, Path] => [name, path]),
    ['newest files', get('/file/search?groupName=Whole&latest=true')],
    ['jobs', get('/status?groupName=Whole')],
    ['messages of the job of a file', ofJob('/status/:jobId/messages', 'inside.csv')],
    ['its log', ofJob('/log/:jobId', 'inside.csv')],
    ['usage of the group', get('/usage?type=GROUP&name=Whole')],
    ['usage of a file', get('/usage?type=FILE&name=secret.csv&groupName=Whole&fileType=NCSV')],
    ['usage of a version', get(`/usage?type=FILE&name=secret.csv&fids=${fileIds['secret.csv']}`)],
    [
      'usage of a symbol',
      get('/usage?type=SYMBOL&groupName=Whole&symbols=%7B%22Code%22%3A%22SECRETONLY%22%7D'),
    ],
    ...['groups', 'files', 'symbols'].map((kind): [string, Path] => [
      `trash of ${kind}`,
      get(`/trash/${kind}`),
    ]),
    ['data preps', get('/dataprep?query=Whole')],
    ['insights', get('/insights?query=Whole')],
    ['tasks', get('/mgmt/task?query=Whole')],
    ['pipelines', get('/mgmt/pipeline?query=Whole')],
    ['schedules', get('/mgmt/schedule')],
    ['secrets', get('/mgmt/secret?groupName=Whole')],
    ['mappings', get('/csv/mapping?groupName=Whole')],
    ['audit records', get('/audit')],
  ]
  const read = async () => {
    const responses: Record<string, unknown> = {}
    for (const [name, path] of paths) {
      const { status, text } = await path(limited)
      expect({ name, status, text }).toMatchObject({ text: expect.not.stringMatching(secret) as unknown })
      responses[name] = `${status} ${text.replace(/"timestamp":"[^"]*"/, '')}`
    }
    return responses
  }
  const token = await pageToken()
  const before = await read()
  const later = `Code,Date,Close,Hidden,Later,HiddenKind(MD-S)\nVISIBLE,2026-02-03,777301,777302,777303,\nNEWSECRET,2026-02-04,777304,,,confidential\n`
  await uploadSeries(owner, { groupName: 'Whole', fileName: 'secret.csv', content: later })
  for (const fileName of ['inside.csv', 'outside.csv', 'unmarked.csv', 'new-secret.csv'])
    await upload(owner, { groupName: 'Whole', fileName, content: '777305' })
  await owner.call(updateFile, {
    params: { fid: fileIds['outside.csv']! },
    body: { fields: [{ name: 'Note', value: 'confidential' }] },
  })
  expect(await read()).toEqual(before)
  const second = await post('/ts', { ...paged, nextPageToken: token })(limited)
  expect(second).toMatchObject({ status: 200, text: expect.stringContaining('2026-04-30') })
})

test('nobody can read the contents of a page token', async () => {
  const token = await pageToken()
  expect(token.length).toBeGreaterThan(40)
  const texts = token.split('.').flatMap((part) => [part, Buffer.from(part, 'base64url').toString()])
  for (const text of texts) expect(() => JSON.parse(text) as unknown).toThrow()
  // It also does not reveal whether the state of the group has changed since another page.
  const other = await pageToken()
  expect(other.slice(0, 12)).not.toBe(token.slice(0, 12))
  expect(other).toHaveLength(token.length)
})

test('a search by a column finds only symbols with a value of the column within the range', async () => {
  const search = get('/ts/symbol/search?query=groupName%3DWhole%26columns%3DHidden')
  expect((await search(owner)).text).toContain('"totalSize":2')
  expect((await search(limited)).text).toContain('"totalSize":0')
})

test.for(['Hidden', 'HiddenNote', 'HiddenDay', 'metadata.HiddenSince'])(
  'a query for %s, which has values only outside the range, gets the same response as for a name that does not exist',
  async (name) => {
    const absent = name.replace('Hidden', 'Absent')
    const comparable = (text: string) => text.replace(/"timestamp":"[^"]*"/, '')
    const queries = [
      ...['EQUALS', 'NOT_EQUALS', 'CONTAINS', 'IN', 'IS_EMPTY'].map((operator) => ({
        filters: [{ name, operator, value: 'text' }],
      })),
      { filters: [{ name, operator: 'LESS', value: 5 }] },
      { keys: [{ groupName: 'Whole', columns: [name, 'Close'] }] },
      { keys: [{ groupName: 'Whole', columns: [name] }] },
      { keys: [{ groupName: 'Whole', metadatas: [name.replace('metadata.', '')] }] },
      { keys: [{ groupName: 'Whole', columns: [name, 'Close'] }], formatType: 'STANDARD' },
      { keys: [{ groupName: 'Whole', columns: [name, 'Close'] }], outputLayout: 'COLUMNS' },
      {
        keys: [{ groupName: 'Whole', columns: [name, 'Close'] }],
        resample: { unit: 'YEARS', functions: ['count', 'sum', 'first'] },
      },
      { metadata: false, aggregate: { functions: ['count'], by: [] } },
    ].map((more) => JSON.stringify(ts(more)))
    for (const query of queries) {
      const [hidden, unknown] = await Promise.all(
        [query, query.replaceAll('Hidden', 'Absent')].map((body) =>
          post('/ts', JSON.parse(body) as object)(limited),
        ),
      )
      const text = comparable(hidden!.text.replaceAll(name, absent))
      expect({ query, ...hidden, text }).toEqual({ query, ...unknown, text: comparable(unknown!.text) })
      expect(hidden!.status).toBeLessThan(500)
    }
  },
)

test('a condition on a column with values in the range still reports its type', async () => {
  const filters = [{ name: 'Close', operator: 'EQUALS', value: 'text' }]
  const { status, text } = await post('/ts', ts({ filters }))(limited)
  expect(status).toBe(400)
  expect(text).toContain('“text” does not fit the column Close')
})

test('includeFileId names only files that the user can read', async () => {
  await upload(owner, {
    groupName: 'Whole',
    fileName: 'marked.csv',
    fileType: 'NCSV',
    content: 'Code,Date,Close\nVISIBLE,2026-03-15,13\n',
    fields: marked('2026-03-01T00:00:00Z', '2026-04-30T00:00:00Z'),
  })
  const query = post('/ts', ts({ includeFileId: true, keys: [{ groupName: 'Whole', columns: ['Close'] }] }))
  expect((await query(owner)).text).toContain(fileIds['secret.csv'])
  const { text } = await query(limited)
  expect(text).not.toContain(fileIds['secret.csv'])
  expect(text).toMatch(/2026-03-15.*,13,energy,[0-9a-f-]{36}\n/)
})

test('a symbol whose first point is in the range appears immediately', async () => {
  const query = post('/ts', ts({}))
  expect((await query(limited)).text).not.toContain('LATECOMER')
  await uploadSeries(owner, {
    groupName: 'Whole',
    fileName: 'secret.csv',
    content: 'Code,Date,Close\nLATECOMER,2026-03-20,14\n',
  })
  expect((await query(limited)).text).toMatch(/LATECOMER,2026-03-20[^\n]*,14/)
})

test('a group without a symbol in the range is not among the groups with symbols', async () => {
  const list = get('/file/group?name=Early&withSymbol=true')
  await owner.call(createGroup, { body: { name: 'Early' } })
  const early = 'Code,Date,Close\nSECRETONLY,2026-01-10,1\n'
  await uploadSeries(owner, { groupName: 'Early', fileName: 'early.csv', content: early })
  const share = { email: limited.userName, access: 'R', groupName: 'Early' } as const
  await owner.call(shareGroups, { body: { sharesList: [{ ...share, ...range }] } })
  expect((await list(owner)).text).toContain('"totalSize":1')
  expect((await get('/file/group?name=Early')(limited)).text).toContain('"totalSize":1')
  expect((await list(limited)).text).toContain('"totalSize":0')
  expect((await get('/file/group?name=Whole&withSymbol=true')(limited)).text).toContain('"totalSize":1')
})

const files = ['secret.csv', 'across.csv', 'outside.csv', 'unmarked.csv']

/** Paths that reject a user with a range. */
const refused: [string, Path][] = [
  ['the number of objects', get('/file/group/Whole/contents')],
  ['a change of the group', send('PUT', '/file/group/Whole', { description: 'x' })],
  ['its deletion', send('DELETE', '/file/group/Whole', {})],
  ['its users', get('/file/group/Whole/users')],
  [
    'a share',
    post('/file/group/share', {
      sharesList: [{ email: 'stranger@example.com', groupName: 'Whole', access: 'R' }],
    }),
  ],
  ['an upload', post('/file', { groupName: 'Whole', fileName: 'new.csv' })],
  ['a removal of symbols', post('/ts/symbol/remove', { groupName: 'Whole', symbols: [{ Code: 'VISIBLE' }] })],
  ['a formula', post('/ts/formula/find', { groupName: 'Whole', symbols: { Code: 'VISIBLE' } })],
  ['symbols of a file', ofFile('/ts/symbol/file/:fid', 'secret.csv')],
  ...files.flatMap((name): [string, Path][] => [
    [`the file ${name}`, ofFile('/file/:fid', name)],
    [`the size of ${name}`, ofFile('/file/:fid/size', name)],
    [`the versions of ${name}`, ofFile('/file/:fid/versions', name)],
    [`the download of ${name}`, ofFile('/file/:fid/download', name)],
    [`the preview of ${name}`, ofFile('/file/:fid/series', name)],
  ]),
]

describe('a path that does not support data ranges rejects the user with a reason', () => {
  test.for(refused)('%s', async ([, path]) => {
    const { status, text } = await path(limited)
    expect(status).toBe(403)
    expect(text).toContain('is shared with you for a range of dates')
    expect(text).not.toMatch(secret)
    expect((await path(stranger)).status).toBe(404)
  })
})

test('a new formula that uses the group is rejected with the reason', async () => {
  const inputs = [{ name: 'x', groupName: 'Whole', symbols: { Code: 'VISIBLE' }, column: 'Close' }]
  const body = { groupName: 'Own', symbols: { Code: 'F' }, expression: 'x', inputs }
  for (const path of ['/ts/formula', '/ts/formula/preview']) {
    const { status, text } = await post(path, body)(limited)
    expect(status).toBe(400)
    expect(text).toContain('is shared with you for a range of dates')
  }
})

/** Waits until a job of a user has ended. */
async function ended(session: Session, jobId: string) {
  const find = async () => (await session.call(searchStatuses, { query: { jobId } })).items[0]
  await expect.poll(async () => (await find())?.endTime).toBeDefined()
  return (await find())!
}

test('an e-mailed export of a user with a range states, like that of a user without access, that the group cannot be read', async () => {
  const mailOf = async (session: Session) => {
    const [groupName, insightName] = [`Mails of ${session.userName}`, 'Mailed']
    await session.call(createGroup, { body: { name: groupName } })
    await session.call(createInsight, { body: { groupName, insightName, content: table.content } as never })
    const { id } = await session.call(getInsight, { params: { groupName, insightName } })
    const template = await session.call(getPipelineByName, { query: exporterTemplate })
    const body = exporterOf(
      template,
      { id, groupName, fileName: `${insightName}.json` },
      {
        emailSubject: 'Points',
        reportTitle: 'Points',
        recipients: [session.userName],
        cron: '0 7 * * 1-5',
        timeZone: 'UTC',
      },
    )
    const { pipeline } = await session.call(createPipeline, { body })
    mailServer.mails.length = 0
    const { jobId } = await session.call(executePipeline, {
      params: { pipelineId: pipeline.id },
      body: { pipelineId: pipeline.id },
    })
    await ended(session, jobId)
    // Numbers have thousands separators in mails.
    return mailServer.mails.map(({ text }) => text.replaceAll(/(\d),(\d{3})/g, '$1$2')).join('\n')
  }
  expect(await mailOf(owner)).toMatch(/777003[^]*2026-04-30[^]*777001/)
  for (const session of [limited, stranger]) {
    const mail = await mailOf(session)
    expect(mail).toContain('The group Whole cannot be read.')
    expect(mail).not.toMatch(secret)
    expect(mail).not.toMatch(/2026-0[1-6]-|energy/)
  }
})

test('a run of a data prep ends with the reason and writes no file', async () => {
  const run = async (session: Session) => {
    const { jobId } = await session.call(runDataPrep, {
      params: { id: prepIds[session.userName]! },
      query: {},
    })
    return ended(session, jobId)
  }
  expect(JSON.stringify(await run(limited))).toMatch(/"ERROR".*is shared with you for a range of dates/)
  expect((await get('/file/search?query=groupName%3DOwn')(limited)).text).toContain('"totalSize":0')
  expect(JSON.stringify(await run(stranger))).toMatch(/There is no group/)
})

test('an insight with data of the group cannot be public', async () => {
  const insight = { groupName: 'Own', insightName: 'Public' }
  await limited.call(createInsight, { body: { ...insight, content: table.content } as never })
  const published = await send('PUT', '/insights/public', { ...insight, isPublic: true })(limited)
  expect(published).toMatchObject({ status: 403, text: expect.stringContaining('publishingNotAllowed') })
  expect((await get('/insight/public/proxy/Own/Public.json')(server.nobody)).status).toBe(404)
})

test('the range ends with the share, even for download URLs and cached results', async () => {
  const path = `/file/${fileIds['inside.csv']}`
  const address = (await limited.fetch(path)).headers.get('location')!
  const search = get('/ts/symbol/search?query=groupName%3DWhole')
  expect((await search(limited)).text).toContain('VISIBLE')
  const share = { email: limited.userName, access: 'R', groupName: 'Whole' } as const
  await owner.call(shareGroups, {
    body: { sharesList: [{ ...share, dataStart: '2026-06-01', dataEnd: '2026-06-30' }] },
  })
  expect((await fetch(address)).status).toBe(403)
  expect((await search(limited)).text).toMatch(/"totalSize":1,.*SECRETONLY/)
  expect((await search(limited)).text).not.toContain('VISIBLE')
  await owner.call(unshareGroup, { body: { groupName: 'Whole', emails: [limited.userName] } })
  expect((await search(limited)).text).toContain('"totalSize":0')
  expect((await limited.fetch('/file/group/Whole')).status).toBe(404)
  await owner.call(shareGroups, { body: { sharesList: [share] } })
  expect(await search(limited)).toEqual(await search(owner))
})
