import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { searchFiles } from '@headwater/files/contract'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import { getLog } from '@headwater/logs/contract'
import {
  startTestServer,
  upload as uploadFile,
  uploadSeries,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import { searchStatuses, type Job } from '@headwater/statuses/contract'
import { searchSymbols } from '@headwater/symbols/contract'
import { listTrash, restoreTrashed } from '@headwater/trash/contract'
import {
  createDataPrep,
  deleteDataPrep,
  getDataPrep,
  runDataPrep,
  stopDataPrepRun,
  toDataQuery,
  updateDataPrep,
  type DataPrepDetails,
  type DataPrepInput,
} from '../contract/index.ts'

let server: TestServer
let anna: Session
let ben: Session

const prices = `Code,Venue,Date,Close,Note(S),Unit(MD-S)
A,"x,1",2024-01-01,1.005,"two
lines",EUR
A,"x,1",2024-01-02,2.5,,EUR
B,y,2024-01-01,3,"say ""so""",USD
B,y,2024-01-03,4,,USD
C,,2023-01-01,5,,
`

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
  for (const name of ['Prices', 'Results', 'Hidden', 'Read only'])
    await anna.call(createGroup, { body: { name } })
  for (const [group, access] of [
    ['Prices', 'R'],
    ['Results', 'RW'],
    ['Read only', 'R'],
  ] as const)
    await server.grantGroup({ groupName: group, userName: 'ben@example.com', access })
  await upload('Prices', prices)
  await upload('Hidden', 'Code,Date,Close\nSECRET,2024-01-01,1\n')
})
afterAll(() => server.stop())

function upload(groupName: string, content: string): Promise<string> {
  return uploadSeries(anna, { groupName, content })
}

const symbolA = { groupName: 'Prices', symbols: { Code: 'A', Venue: 'x,1' } }
const symbolB = { groupName: 'Prices', symbols: { Code: 'B', Venue: 'y' } }
const symbolC = { groupName: 'Prices', symbols: { Code: 'C' } }
const between = { range: 'BETWEEN', dateFrom: '2024-01-01', dateTo: '2024-12-31' }
const byId = ({ id }: { id: string }) => ({ params: { id } })

function create(dataPrep: Partial<DataPrepInput> & { name: string }): Promise<DataPrepDetails> {
  return anna.call(createDataPrep, { body: { dataPrep: { outputGroup: 'Results', ...dataPrep } } })
}

/** Runs a data prep to its end and returns its job. */
async function run(session: Session, prep: { id: string }, version?: number): Promise<Job> {
  const { jobId } = await session.call(runDataPrep, { ...byId(prep), query: { version } })
  return ended(session, jobId)
}

async function ended(session: Session, jobId: string): Promise<Job> {
  const find = async () => (await session.call(searchStatuses, { query: { jobId } })).items[0]
  await expect.poll(async () => (await find())?.endTime).toBeDefined()
  return (await find())!
}

async function filesOf(name: string) {
  const query = { query: `name=${name}&groupName=Results` }
  return (await anna.call(searchFiles, { query })).items
}

async function contentOf(name: string): Promise<string> {
  const [newest] = await filesOf(name)
  const response = await anna.fetch(`/file/${newest!.fid}/download`)
  return response.text()
}

async function streamed(session: Session, prep: DataPrepDetails): Promise<string> {
  const response = await session.fetch('/ts/stream', {
    method: 'POST',
    body: JSON.stringify(toDataQuery(prep)),
    headers: { 'Content-Type': 'application/json' },
  })
  expect(response.status).toBe(200)
  return response.text()
}

test.each([
  ['plain', { symbols: [symbolA, symbolB] }],
  ['with metadata, newest first', { symbols: [symbolA, symbolB], attachMetadataToNcsv: true, order: 'desc' }],
  [
    'pattern',
    { symbols: [{ groupName: 'Prices', symbols: { Code: '*' }, pattern: true, valueColumnNames: ['Cl*'] }] },
  ],
  ['columns', { symbols: [symbolA, symbolB], outputLayout: 'COLUMNS', dateFormat: 'dd.MM.yyyy', ...between }],
  ['rounded', { symbols: [symbolA], decimalPrecision: 1, roundingMode: 'UP', timezone: 'Europe/Berlin' }],
  [
    'filled and moved',
    { symbols: [{ ...symbolA, fillType: 'PREVIOUS', offsetType: 'DAYS', offsetAmount: 1 }, symbolB] },
  ],
] as [string, Partial<DataPrepInput>][])(
  'DP-362 the file of a run of “%s” equals the response to its query',
  async (name, definition) => {
    const prep = await create({ name, ...definition })
    const job = await run(anna, prep)
    const expected = await streamed(anna, prep)
    expect(expected.split('\n').length).toBeGreaterThan(2)
    expect(await contentOf(`${name}.csv`)).toBe(expected)
    expect(job).toMatchObject({
      type: 'DATAPREP',
      name,
      status: 'INFO',
      version: 1,
      rootId: prep.id,
      owner: 'anna@example.com',
      payload: { groupName: 'Results', version: 1, fileName: `${name}.csv`, fileType: 'DATA_PREP' },
    })
  },
)

test('DP-316 DP-362 a run writes the chosen columns of the chosen symbols; its response has the id of the job', async () => {
  const prep = await create({
    name: 'chosen',
    symbols: [
      { ...symbolA, valueColumnNames: ['Close'] },
      { ...symbolB, valueColumnNames: ['Note'] },
    ],
    dateFormat: 'yyyy-MM-dd',
  })
  const response = await anna.fetch(`/dataprep/${prep.id}/execute`, { method: 'POST' })
  const { jobId } = (await response.json()) as { jobId: string }
  expect(await ended(anna, jobId)).toMatchObject({ jobId, rootId: prep.id, status: 'INFO' })
  expect(await contentOf('chosen.csv')).toBe(`Code,Venue,Date(UTC),Close,Note(S)
A,"x,1",2024-01-01,1.01,
A,"x,1",2024-01-02,2.5,
B,y,2024-01-01,,"say ""so"""
`)
})

test('a run creates a file of the type DATA_PREP, the next run creates a new version, and neither is ingested', async () => {
  await anna.call(createGroup, { body: { name: 'Own source' } })
  await upload('Own source', prices)
  const prep = await create({
    name: 'circle',
    outputGroup: 'Own source',
    symbols: [{ groupName: 'Own source', valueColumnNames: ['Close'] }],
  })
  const first = await run(anna, prep)
  const second = await run(anna, prep)
  const { items } = await anna.call(searchFiles, { query: { query: 'name=circle.csv&groupName=Own source' } })
  expect(items).toMatchObject([
    { fileType: 'DATA_PREP', version: 2, jobId: second.jobId, latest: true, owner: 'anna@example.com' },
    { fileType: 'DATA_PREP', version: 1, jobId: first.jobId },
  ])
  expect(second.componentStatuses.map(({ status }) => status)).toEqual(['INFO', 'INFO'])
  const symbols = await anna.call(searchSymbols, { query: { query: 'groupName.keyword=Own source' } })
  expect(symbols.totalSize).toBe(3)
  expect(await anna.call(getDataPrep, byId(prep))).not.toHaveProperty('runningJobId')
})

test('an older version can be run', async () => {
  const prep = await create({ name: 'older', symbols: [symbolA] })
  const { name, outputGroup } = prep
  await anna.call(updateDataPrep, {
    ...byId(prep),
    body: { dataPrep: { name, outputGroup, version: 1, symbols: [symbolB] } },
  })
  expect(await run(anna, prep, 1)).toMatchObject({ status: 'INFO', version: 1 })
  expect(await contentOf('older.csv')).toBe(await streamed(anna, prep))
})

test('DP-342 a run with an empty basket is rejected and leaves no job', async () => {
  const prep = await create({ name: 'empty' })
  await expect(run(anna, prep)).rejects.toMatchObject({ status: 400, body: { code: 'prepEmpty' } })
  expect((await anna.call(searchStatuses, { query: { name: 'empty' } })).items).toEqual([])
})

async function noteRun(prep: DataPrepDetails, jobId: string, queueJobId: string | null) {
  await server.running.platform.database.pool.query(
    `insert into data_prep_runs (id, data_prep_id, version, user_id, queue_job_id)
     select $1, $2, 1, id, $3 from users where user_name = 'anna@example.com'`,
    [jobId, prep.id, queueJobId],
  )
}

test('DP-341 a second run by the same user is rejected while one is in progress, with the id of its job', async () => {
  const prep = await create({ name: 'busy', symbols: [symbolA] })
  const jobId = randomUUID()
  const { jobs } = server.running.platform
  const runAfter = new Date(Date.now() + 3_600_000)
  await noteRun(prep, jobId, await jobs.enqueue('run-data-prep', { runId: jobId }, { runAfter }))
  await expect(run(anna, prep)).rejects.toMatchObject({
    status: 409,
    body: { code: 'prepRunning', message: expect.stringContaining(jobId) },
  })
  expect(await anna.call(getDataPrep, byId(prep))).toMatchObject({ runningJobId: jobId })
  expect(await run(ben, prep)).toMatchObject({ status: 'INFO', owner: 'ben@example.com' })
})

test('a run without a worker does not block the next one', async () => {
  for (const queueJobId of [null, randomUUID()]) {
    const prep = await create({ name: `left behind ${queueJobId}`, symbols: [symbolA] })
    await noteRun(prep, randomUUID(), queueJobId)
    expect(await run(anna, prep)).toMatchObject({ status: 'INFO' })
  }
})

test('if ten runs start concurrently, rejected ones report the run in progress', async () => {
  const prep = await create({ name: 'ten at once', symbols: [symbolA] })
  const client = await server.running.platform.database.pool.connect()
  let starts: PromiseSettledResult<{ jobId: string }>[]
  try {
    // As long as no file can be written no run ends, so that all starts meet the first one.
    await client.query('begin')
    await client.query('lock table files in exclusive mode')
    starts = await Promise.allSettled(Array.from({ length: 10 }, () => anna.call(runDataPrep, byId(prep))))
  } finally {
    await client.query('rollback')
    client.release()
  }
  const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value.jobId] : []))
  const refused = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason] : []))
  expect(started).toHaveLength(1)
  for (const reason of refused) expect(reason).toMatchObject({ status: 409, body: { code: 'prepRunning' } })
  expect(await ended(anna, started[0]!)).toMatchObject({ status: 'INFO' })
  expect(await filesOf('ten at once.csv')).toHaveLength(1)
})

test('a data prep deleted while a run starts either runs or is not found', async () => {
  for (let round = 0; round < 6; round++) {
    const prep = await create({ name: `gone ${round}`, symbols: [symbolA] })
    const [start] = await Promise.allSettled([
      anna.call(runDataPrep, byId(prep)),
      anna.call(deleteDataPrep, byId(prep)),
    ])
    if (start.status === 'rejected')
      expect(start.reason).toMatchObject({ status: 404, body: { code: 'prepNotFound' } })
  }
})

test('rejects an unknown version', async () => {
  const prep = await create({ name: 'far version', symbols: [symbolA] })
  const response = await anna.fetch(`/dataprep/${prep.id}/execute?version=99999999999`, { method: 'POST' })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('neither a version')
})

test('a run has the access of the user who started it: unreadable data is omitted', async () => {
  const hidden = { groupName: 'Hidden', symbols: { Code: 'SECRET' } }
  const prep = await create({ name: 'rights', symbols: [symbolA, hidden] })
  await run(ben, prep)
  const content = await contentOf('rights.csv')
  expect(content).toBe(await streamed(ben, prep))
  expect(content).not.toContain('SECRET')
  await run(anna, prep)
  expect(await contentOf('rights.csv')).toContain('SECRET')
  expect((await filesOf('rights.csv')).map(({ owner }) => owner)).toEqual([
    'anna@example.com',
    'ben@example.com',
  ])
})

test('readers of the group cannot start runs, and users without access find nothing', async () => {
  const readable = await create({ name: 'not yours', outputGroup: 'Read only', symbols: [symbolA] })
  await expect(run(ben, readable)).rejects.toMatchObject({
    status: 403,
    body: { code: 'outputGroupForbidden' },
  })
  const hidden = await create({ name: 'not seen', outputGroup: 'Hidden', symbols: [symbolA] })
  await expect(run(ben, hidden)).rejects.toMatchObject({ status: 404, body: { code: 'prepNotFound' } })
})

test('with failOnMissingSymbols a run names missing symbols and writes nothing', async () => {
  const missing: DataPrepInput['symbols'] = [
    { groupName: 'Prices', symbols: { Code: 'NOPE', Venue: 'z' } },
    { groupName: 'Prices', symbols: { Code: 'Z*' }, pattern: true, valueColumnNames: ['Close'] },
    { groupName: 'Hidden', symbols: { Code: 'SECRET' } },
  ]
  const definition = { symbols: [symbolA, ...missing], failOnMissingSymbols: true }
  const job = await run(ben, await create({ name: 'strict', ...definition }))
  expect(job.status).toBe('ERROR')
  for (const text of ['Code=NOPE|Venue=z in “Prices”', 'Code=Z* in “Prices”', 'Code=SECRET in “Hidden”'])
    expect(job.latestStatus.message).toContain(text)
  expect(job.latestStatus.message).not.toContain('Code=A')
  expect(await filesOf('strict.csv')).toEqual([])
  const relaxed = await create({ name: 'relaxed', ...definition, failOnMissingSymbols: false })
  expect(await run(ben, relaxed)).toMatchObject({ status: 'INFO' })
  expect(
    await run(anna, await create({ name: 'complete', symbols: [symbolA], failOnMissingSymbols: true })),
  ).toMatchObject({ status: 'INFO' })
})

test('withType adds the type of every value column and changes nothing else', async () => {
  const prep = await create({
    name: 'typed',
    symbols: [symbolA],
    withType: true,
    attachMetadataToNcsv: true,
    dateFormat: 'yyyy-MM-dd',
  })
  await run(anna, prep)
  const [header, ...rows] = (await streamed(anna, prep)).split('\n')
  expect(header).toBe('Code,Venue,Date(UTC),Close,Note(S),Unit(MD-S)')
  expect(await contentOf('typed.csv')).toBe(
    ['Code,Venue,Date(UTC),Close(DB),Note(S),Unit(MD-S)', ...rows].join('\n'),
  )
})

test('ncsvEmptySymbolsInResult adds one row at the end for each symbol without points', async () => {
  const all = { groupName: 'Prices', symbols: { Code: '*' }, pattern: true, valueColumnNames: ['Close'] }
  const prep = await create({
    name: 'complete list',
    symbols: [symbolA, symbolB, symbolC, all],
    ...between,
    dateTo: '2024-01-02',
    ncsvEmptySymbolsInResult: true,
    attachMetadataToNcsv: true,
    dateFormat: 'yyyy-MM-dd',
    range: 'BETWEEN',
  })
  const job = await run(anna, prep)
  const content = await streamed(anna, prep)
  expect(content).not.toContain('C,')
  expect(await contentOf('complete list.csv')).toBe(`${content}C,,,,,\n`)
  expect(job.latestStatus.message).toContain('4 rows')
  const columns = await create({
    name: 'as columns',
    symbols: [symbolA, symbolC],
    ...between,
    ncsvEmptySymbolsInResult: true,
    outputLayout: 'COLUMNS',
  })
  await run(anna, columns)
  expect(await contentOf('as columns.csv')).toBe(await streamed(anna, columns))
})

test('does not overwrite a file that no data prep wrote', async () => {
  await uploadFile(anna, {
    groupName: 'Results',
    fileName: 'covered.csv',
    fileType: 'SOURCE',
    content: 'mine',
  })
  const prep = await create({ name: 'covered', symbols: [symbolA] })
  await expect(run(anna, prep)).rejects.toMatchObject({ status: 400, body: { code: 'fileInTheWay' } })
})

test('the job reports an invalid query, and nothing is written', async () => {
  const refused = await create({ name: 'refused', symbols: [symbolA], delta: true })
  expect(await run(anna, refused)).toMatchObject({
    status: 'ERROR',
    latestStatus: { message: expect.stringMatching(/delta/) },
  })
  const unreadable = await create({ name: 'unreadable', symbols: [{ groupName: 'Hidden' }] })
  expect(await run(ben, unreadable)).toMatchObject({
    status: 'ERROR',
    latestStatus: { message: expect.stringContaining('“Hidden”') },
  })
  expect([await filesOf('refused.csv'), await filesOf('unreadable.csv')]).toEqual([[], []])
  // What ended may be started again.
  expect(await run(anna, refused)).toMatchObject({ status: 'ERROR' })
})

test('a run without rows ends with a warning', async () => {
  const prep = await create({ name: 'nothing', symbols: [symbolA], range: 'BETWEEN', dateTo: '1999-12-31' })
  expect(await run(anna, prep)).toMatchObject({ status: 'WARN' })
  expect(await contentOf('nothing.csv')).toBe(await streamed(anna, prep))
})

test('a run whose data prep is deleted before it starts ends with an error', async () => {
  const { jobs, statuses, accounts } = server.running.platform
  const { userId = 0 } = (await accounts.findUserByName(anna.userName)) ?? {}
  const jobId = await statuses.startJob({ type: 'DATAPREP', name: 'deleted', ownerId: userId })
  await jobs.enqueue('run-data-prep', { runId: jobId })
  expect(await ended(anna, jobId)).toMatchObject({
    status: 'ERROR',
    latestStatus: { message: expect.stringContaining('deleted') },
  })
})

const stop = (session: Session, jobId: string) => session.call(stopDataPrepRun, { body: { jobId } })
const stoppedStatus = { status: 'ERROR', latestStatus: { message: 'The run was stopped.' } }
const notFound = { status: 404, body: { code: 'prepRunNotFound' } }

/** Stores a run of Anna that starts in an hour. */
async function waitingRun(prep: DataPrepDetails): Promise<string> {
  const { jobs, statuses, accounts } = server.running.platform
  const { userId } = (await accounts.findUserByName(anna.userName))!
  const runAfter = new Date(Date.now() + 3_600_000)
  const jobId = await statuses.startJob({ type: 'DATAPREP', name: prep.name, ownerId: userId })
  await statuses.addComponent(jobId, {
    eId: jobId,
    component: 'Data prep',
    payload: {},
    status: 'PENDING',
    message: 'Waiting to start.',
  })
  await noteRun(prep, jobId, await jobs.enqueue('run-data-prep', { runId: jobId }, { runAfter }))
  return jobId
}

test('a waiting run is stopped immediately, by its user or by users who can change the data prep, and the next one starts', async () => {
  const hidden = await anna.call(createDataPrep, {
    body: { dataPrep: { name: 'not for ben', outputGroup: 'Read only', symbols: [symbolA] } },
  })
  const own = await waitingRun(hidden)
  await expect(stop(ben, own)).rejects.toMatchObject(notFound)
  await stop(anna, own)
  expect(await ended(anna, own)).toMatchObject(stoppedStatus)
  await expect(stop(anna, own)).rejects.toMatchObject(notFound)
  for (const id of [randomUUID(), 'x']) await expect(stop(anna, id)).rejects.toMatchObject(notFound)

  const prep = await create({ name: 'stopped by ben', symbols: [symbolA] })
  const jobId = await waitingRun(prep)
  await stop(ben, jobId)
  expect(await ended(anna, jobId)).toMatchObject(stoppedStatus)
  expect(await run(anna, prep)).toMatchObject({ status: 'INFO' })
})

test('a run in progress is stopped and writes no file', async () => {
  const prep = await create({ name: 'stopped', symbols: [symbolA, symbolB] })
  const { database, jobs } = server.running.platform
  const client = await database.pool.connect()
  let jobId: string
  let queueJobId: string
  let stopped: Job | undefined
  try {
    await client.query('begin')
    await client.query('lock table files in exclusive mode')
    jobId = (await anna.call(runDataPrep, byId(prep))).jobId
    const find = async () => (await anna.call(searchStatuses, { query: { jobId } })).items[0]
    await expect.poll(async () => (await find())?.latestStatus.message).toBe('Reading the data.')
    const { rows } = await database.pool.query('select queue_job_id from data_prep_runs where id = $1', [
      jobId,
    ])
    queueJobId = (rows[0] as { queue_job_id: string }).queue_job_id
    await stop(anna, jobId)
    stopped = await find()
    expect(stopped).toMatchObject(stoppedStatus)
  } finally {
    await client.query('rollback')
    client.release()
  }
  await expect.poll(async () => (await jobs.find(queueJobId))?.state ?? 'done').toBe('done')
  const { status, latestStatus } = await ended(anna, jobId)
  expect({ status, latestStatus }).toEqual({ status: stopped!.status, latestStatus: stopped!.latestStatus })
  expect((await filesOf('stopped.csv')).map(({ status }) => status)).not.toContain('READY')
  const lines = (await anna.call(getLog, { params: { jobId }, query: {} })).items
  expect(lines.map(({ text }) => text)).toEqual(['Reading the data.', 'The run was stopped.'])
})

test('the deletion of a group stops the runs of its data preps; they can start again after its restoration', async () => {
  await anna.call(createGroup, { body: { name: 'Deleted' } })
  const dataPrep = { name: 'of the group', outputGroup: 'Deleted', symbols: [symbolA] }
  const prep = await anna.call(createDataPrep, { body: { dataPrep } })
  const jobId = await waitingRun(prep)
  await anna.call(deleteGroup, { params: { name: 'Deleted' } })
  expect(await ended(anna, jobId)).toMatchObject({
    status: 'ERROR',
    latestStatus: { message: 'The run was stopped. Its group was deleted.' },
  })
  await expect(stop(anna, jobId)).rejects.toMatchObject(notFound)
  const trashed = await anna.call(listTrash, { params: { kind: 'groups' }, query: { query: 'Deleted' } })
  await anna.call(restoreTrashed, { params: { kind: 'groups', id: trashed.items[0]!.id }, body: {} })
  expect(await run(anna, prep)).toMatchObject({ status: 'INFO' })
})

test('a pipeline step that is executed again receives the run of its first attempt; a failed run is followed by a new one', async () => {
  const { preps, accounts } = server.running.platform
  const user = (await accounts.findUserByName(anna.userName))!
  const principal = (await accounts.findPrincipal(user.userId))!
  const eId = randomUUID()
  const start = (attempt: number, prep: { id: string }) =>
    preps.start(
      { ...principal, run: { runId: randomUUID(), eId, attempt, isBuiltIn: true } },
      prep.id,
      undefined,
    )
  const prep = await create({ name: 'of a step', symbols: [symbolA] })
  const first = await start(1, prep)
  await ended(anna, first)
  expect(await start(2, prep)).toBe(first)
  expect((await filesOf('of a step.csv')).map(({ version }) => version)).toEqual([1])
  const failing = await create({
    name: 'fails in a step',
    symbols: [{ groupName: 'Prices', symbols: { Code: 'NONE' } }],
    failOnMissingSymbols: true,
  })
  const failed = await start(1, failing)
  expect((await ended(anna, failed)).status).toBe('ERROR')
  const next = await start(2, failing)
  expect(next).not.toBe(failed)
  await ended(anna, next)
})

test('the log of a run contains its messages with their levels', async () => {
  const written = await run(anna, await create({ name: 'logged', symbols: [symbolA] }))
  const missing = { groupName: 'Prices', symbols: { Code: 'NONE' } }
  const failed = await run(
    anna,
    await create({ name: 'logged error', symbols: [missing], failOnMissingSymbols: true }),
  )
  const linesOf = async ({ jobId }: Job) =>
    (await anna.call(getLog, { params: { jobId }, query: {} })).items.map(
      ({ component, level, text }) => `${component} ${level} ${text}`,
    )
  expect(await linesOf(written)).toEqual([
    'Data prep INFO Reading the data.',
    'Data prep INFO The file logged.csv was saved in Results with 2 rows.',
  ])
  expect(await linesOf(failed)).toEqual([
    'Data prep INFO Reading the data.',
    expect.stringMatching(/^Data prep ERROR Symbols in the basket do not exist/),
  ])
})
