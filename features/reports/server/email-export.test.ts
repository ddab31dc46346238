import pg from 'pg'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup, shareGroups, unshareGroup } from '@headwater/groups/contract'
import { createFile, deleteFile, searchFiles } from '@headwater/files/contract'
import {
  createPipeline,
  executePipeline,
  executeTask,
  getPipelineByName,
  updatePipeline,
  type PipelineDetails,
} from '@headwater/pipelines/contract'
import { migrationsFolder as pipelinesMigrations } from '@headwater/pipelines/server'
import {
  migrateUntil,
  migrationsFolders,
  startMailServer,
  startTestServer,
  type MailServer,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import { migrate } from '@headwater/server-kit'
import { createTestDatabase } from '@headwater/server-kit/testing'
import { createDataPrep, updateDataPrep } from '@headwater/preps/contract'
import { searchStatuses, type Job } from '@headwater/statuses/contract'
import { emptyContent, type InsightContent } from '@headwater/tile-data/contract'
import { createInsight, deleteInsight, getInsight, updateInsight } from '@headwater/insights/contract'
import {
  findInsightExporter,
  exportDetails,
  exportDetailsOf,
  exporterName,
  exporterOf,
  exporterTasks,
  exporterTemplate,
  insightExporter,
  type ExportDetails,
} from '../contract/index.ts'

let mailServer: MailServer
let server: TestServer
let owner: Session
let colleague: Session

beforeAll(async () => {
  mailServer = await startMailServer({ refuses: (address) => address.startsWith('nobody') })
  server = await startTestServer({
    env: { HEADWATER_SMTP_URL: mailServer.url, HEADWATER_PUBLIC_URL: 'https://data.example.com' },
  })
  owner = await server.createUser()
  colleague = await server.createUser()
  await owner.call(createGroup, { body: { name: 'Reports' } })
  await owner.call(createGroup, { body: { name: 'Prices' } })
  await uploadPrices(owner, 'Prices', 'BRENT,2026-01-01,60.5\nBRENT,2026-01-02,61.25\n')
})
afterAll(async () => {
  await server.stop()
  await mailServer.stop()
})

/** Uploads prices. The links of the server have a public address that does not exist, so only their path is used. */
async function uploadPrices(session: Session, groupName: string, rows: string): Promise<void> {
  const { location } = await session.call(createFile, {
    body: { groupName, fileName: 'prices.ncsv', fileType: 'NCSV' },
  })
  const { pathname, search } = new URL(location)
  const response = await session.fetch(pathname + search, { method: 'PUT', body: `Code,Date,Close\n${rows}` })
  expect(await response.json()).toMatchObject({ status: 'READY' })
}

const details: ExportDetails = {
  emailSubject: 'Sales of today',
  reportTitle: 'Sales <b>now</b>',
  recipients: ['anna@example.com', 'ben@example.com'],
  // Once a year, so that the schedule starts no run during a test.
  cron: '0 0 1 1 *',
  timeZone: 'UTC',
}

const content = {
  ...emptyContent(),
  tiles: [
    { id: 'n', type: 'Text', title: 'Note', templateContent: 'Prices <script>alert(1)</script> rise.' },
    { id: 't', type: 'Table', title: 'Prices of Brent', range: 'ALL' },
  ],
  datapreps: {
    t: { symbols: [{ groupName: 'Prices', symbols: { Code: 'BRENT' }, valueColumnName: 'Close' }] },
  },
} as unknown as InsightContent

async function insight(insightName: string): Promise<void> {
  await owner.call(createInsight, { body: { insightName, groupName: 'Reports', content } })
}

/** An insight as exporters name it. */
async function reference(insightName: string, groupName = 'Reports') {
  const { id } = await owner.call(getInsight, { params: { groupName, insightName } })
  return { id, groupName, fileName: `${insightName}.json` }
}

const template = () => owner.call(getPipelineByName, { query: exporterTemplate })

async function exporter(insightName: string, change: Partial<ExportDetails> = {}): Promise<PipelineDetails> {
  const body = exporterOf(await template(), await reference(insightName), { ...details, ...change })
  return owner.call(createPipeline, { body })
}

async function run({ pipeline }: PipelineDetails): Promise<Job> {
  const { jobId } = await owner.call(executePipeline, {
    params: { pipelineId: pipeline.id },
    body: { pipelineId: pipeline.id },
  })
  return ended(jobId)
}

async function ended(jobId: string): Promise<Job> {
  const find = async () => (await owner.call(searchStatuses, { query: { jobId } })).items[0]
  await expect.poll(async () => (await find())?.endTime).toBeDefined()
  return (await find())!
}

const steps = (job: Job) => job.componentStatuses.map(({ component, status }) => [component, status])

test('IN-380 IN-381 the template of exporters can be read by name, group and version, with tasks, payload and ids', async () => {
  const query = 'name=insight-exporter&groupName=Pipeline%20templates&version=latest'
  const response = await owner.fetch(`/mgmt/pipeline/name?${query}`)
  expect(response.status).toBe(200)
  const model = (await response.json()) as PipelineDetails
  // The web application sends the same query.
  expect(await template()).toEqual(model)
  expect(exporterTemplate).toEqual({
    name: 'insight-exporter',
    groupName: 'Pipeline templates',
    version: 'latest',
  })
  expect(model.pipeline).toMatchObject({
    id: 'Pipeline templates/insight-exporter',
    name: 'insight-exporter',
    groupName: 'Pipeline templates',
    markdownId: null,
    writeAccess: false,
  })
  expect(model.batchConfig.tasks.map(({ taskName }) => taskName)).toEqual([
    'cron-trigger',
    'tile-downloader',
    'generic-html-template',
    'email-sender',
  ])
  expect(JSON.parse(model.payload)).toHaveProperty('positions')
})

test('IN-375 IN-382 IN-385 IN-386 IN-387 IN-388 IN-389 the exporter has the tasks, names and recipients of the specification', async () => {
  await insight('sales')
  const model = await template()
  const sent = exporterOf(model, await reference('sales'), details)
  expect(Object.keys(sent).toSorted()).toEqual(['groupName', 'name', 'payload', 'tags', 'tasks'])
  expect(sent).toMatchObject({ tags: ['insight'], payload: model.payload })
  const made = await owner.fetch('/mgmt/pipeline', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(sent),
  })
  expect(made.status).toBe(201)
  const { pipeline, batchConfig, payload } = (await made.json()) as PipelineDetails
  expect(payload).toBe(model.payload)
  expect(batchConfig.tasks.map(({ taskName }) => taskName)).toEqual([
    'cron-trigger',
    'tile-downloader',
    'generic-html-template',
    'email-sender',
  ])
  expect(exporterName('sales.json')).toBe('sales email exporter')
  expect(pipeline).toMatchObject({
    name: 'sales email exporter',
    groupName: 'Reports',
    tags: ['insight'],
    trigger: 'CRON',
    lastChangeBy: owner.userName,
  })
  const values = Object.fromEntries(
    batchConfig.tasks.map(({ taskName, taskOverrides: { params } }) => [
      taskName,
      Object.fromEntries(params.map(({ name, value }) => [name, value])),
    ]),
  )
  expect(values['cron-trigger']).toEqual({ cron: '0 0 1 1 *', timeZone: 'UTC' })
  expect(values['generic-html-template']).toMatchObject({
    title: 'Sales <b>now</b>',
    outputFile: 'sales email exporter-html-template.html',
  })
  expect(values['email-sender']).toMatchObject({
    subject: 'Sales of today',
    recipients: 'anna@example.com,ben@example.com',
  })
  expect(exportDetailsOf({ batchConfig })).toEqual(details)
})

test('IN-008 IN-379 IN-384 a run of an exporter appears in the statuses, sends the tiles to each recipient and saves the file', async () => {
  await insight('sent')
  mailServer.mails.length = 0
  const { id: pipelineId } = (await exporter('sent')).pipeline
  const started = await owner.fetch(`/mgmt/pipeline/${pipelineId}/execute`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ pipelineId }),
  })
  const reply = (await started.json()) as { jobId: string }
  expect(reply).toEqual({ jobId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string })
  const job = await ended(reply.jobId)
  expect(job.jobId).toBe(reply.jobId)
  expect(job).toMatchObject({ type: 'PIPELINE', name: 'sent email exporter', status: 'INFO' })
  expect(steps(job)).toEqual([
    ['cron-trigger', 'INFO'],
    ['tile-downloader', 'INFO'],
    ['generic-html-template', 'INFO'],
    ['email-sender', 'INFO'],
  ])
  expect(mailServer.mails.map(({ to }) => to)).toEqual([['anna@example.com'], ['ben@example.com']])
  const [{ text } = { text: '' }] = mailServer.mails
  expect(text).toContain('Subject: Sales of today')
  expect(text).toContain('text/plain')
  expect(text).toContain('text/html')
  for (const expected of [
    'Prices of Brent',
    '60.5',
    '61.25',
    'Note',
    'https://data.example.com/Insight/Reports/sent',
  ])
    expect(text).toContain(expected)
  const html = text.slice(text.indexOf('text/html'))
  expect(html).not.toContain('<script>')
  expect(html).not.toContain('<b>now</b>')
  const query = { query: 'name=sent email exporter-html-template.html' }
  expect((await owner.call(searchFiles, { query })).items).toMatchObject([{ groupName: 'Reports' }])
})

test('an exporter that an earlier version saved sends its e-mail after the upgrade', async () => {
  await insight('from before')
  mailServer.mails.length = 0
  const made = await exporter('from before')
  const tasksBefore = made.batchConfig.tasks.map(
    ({ id, taskId, taskName, taskVersion, isPaused, taskOverrides, prevTasks }) => ({
      id,
      name: taskName,
      taskName,
      taskGroupName: '',
      taskId,
      taskVersion,
      isPaused,
      after: prevTasks.map((task) => task.id),
      params: taskOverrides.params,
    }),
  )
  const { pool } = server.running.platform.database
  await pool.query(
    `update item_versions set content = jsonb_set(content, '{tasks}', $2::jsonb) where item_id = $1`,
    [made.pipeline.id, JSON.stringify(tasksBefore)],
  )
  const migration = join(pipelinesMigrations, '2026-11-28T0212-fields-of-tasks.sql')
  await pool.query(await readFile(migration, 'utf8'))
  const job = await run(made)
  expect(job.status).toBe('INFO')
  expect(steps(job).map(([name]) => name)).toEqual([
    'cron-trigger',
    'tile-downloader',
    'generic-html-template',
    'email-sender',
  ])
  expect(mailServer.mails.map(({ to }) => to)).toEqual([['anna@example.com'], ['ben@example.com']])
  const query = { query: 'from before', type: 'PIPELINE' } as const
  expect((await owner.call(searchStatuses, { query })).totalSize).toBe(1)
})

test('IN-383 an update of an exporter sends the same body with pipelineId and markdownId, and creates a new version', async () => {
  await insight('changed')
  const exported = await reference('changed')
  const markdownId = 'documentation-1'
  const first = { ...exporterOf(await template(), exported, details), markdownId }
  const made = await owner.call(createPipeline, { body: first })
  const { id: pipelineId } = made.pipeline
  expect(made.pipeline.markdownId).toBe('documentation-1')
  const body = exporterOf(made, exported, { ...details, reportTitle: 'Other' })
  const params = { pipelineId }
  const changed = await owner.call(updatePipeline, { params, body: { ...body, pipelineId, markdownId } })
  expect(changed.pipeline).toMatchObject({
    id: pipelineId,
    version: 2,
    name: 'changed email exporter',
    groupName: 'Reports',
    tags: ['insight'],
    markdownId: 'documentation-1',
  })
  expect(changed.payload).toBe(made.payload)
  expect(exportDetailsOf(changed).reportTitle).toBe('Other')
})

const findExporter = async (id: string, session = owner) =>
  (await session.call(findInsightExporter, { params: { id } })).pipeline

test('an exporter still sends its insight after a rename and a move', async () => {
  await insight('before')
  const made = await exporter('before')
  await owner.call(createGroup, { body: { name: '50% G' } })
  await owner.call(updateInsight, {
    body: {
      oldGroupName: 'Reports',
      oldInsightName: 'before',
      newGroupName: '50% G',
      newInsightName: 'Gas #1?',
      content,
    },
  })
  const moved = await reference('Gas #1?', '50% G')
  expect(await findExporter(moved.id)).toEqual(made)
  mailServer.mails.length = 0
  const job = await run(made)
  expect([job.status, job.name]).toEqual(['INFO', 'before email exporter'])
  expect(mailServer.mails[0]!.text).toContain('https://data.example.com/Insight/50%25%20G/Gas%20%231%3F')
})

test('an e-mail is sent once to each address, regardless of case', async () => {
  mailServer.mails.length = 0
  for (const recipients of ['a@example.com, A@example.com', '["a@example.com","A@example.com"]']) {
    const inputs = { subject: 'Twice', text: 'Hello', recipients }
    const params = Object.entries(inputs).map(([name, value]) => ({ name, value }))
    const { jobId } = await owner.call(executeTask, { body: { taskName: exporterTasks.email, params } })
    expect((await ended(jobId)).status).toBe('INFO')
    expect(mailServer.mails.splice(0).map(({ to }) => to)).toEqual([['a@example.com']])
  }
})

test('the lookup by insight id returns the first exporter that the user can read', async () => {
  for (const name of ['twice', 'never']) await insight(name)
  const [{ id }, never] = [await reference('twice'), await reference('never')]
  const first = await exporter('twice')
  const copy = exporterOf(first, await reference('twice'), details, 'copy')
  await owner.call(createPipeline, { body: copy })
  await owner.call(createPipeline, { body: { ...copy, name: 'untagged', tags: [] } })
  expect((await findExporter(id))?.pipeline.id).toBe(first.pipeline.id)
  expect(await findExporter(never.id)).toBeNull()
  expect(await findExporter('no id')).toBeNull()
  expect(await findExporter(id, colleague)).toBeNull()
})

test('a task can also refer to an insight by group and file', async () => {
  await insight('named')
  const read = async (inputs: Record<string, string>) => {
    const params = Object.entries(inputs).map(([name, value]) => ({ name, value }))
    const { jobId } = await owner.call(executeTask, { body: { taskName: 'tile-downloader', params } })
    return (await ended(jobId)).componentStatuses[0]!
  }
  const { id } = await reference('named')
  const references: Record<string, string>[] = [
    { groupName: 'Reports', fileName: 'named.JSON' },
    { insightId: id },
    { insightId: JSON.stringify({ id, name: 'earlier name' }) },
  ]
  for (const inputs of references)
    expect(await read(inputs)).toMatchObject({ status: 'INFO', message: '2 tiles were read.' })
})

test('an e-mail rejected by the mail server is reported together with those that were sent', async () => {
  await insight('refused')
  mailServer.mails.length = 0
  const recipients = ['anna@example.com', 'nobody@example.com', 'ben@example.com']
  const job = await run(await exporter('refused', { recipients }))
  expect(steps(job).at(-1)).toEqual(['email-sender', 'ERROR'])
  expect(job.latestStatus.message).toContain('nobody@example.com')
  expect(job.latestStatus.message).toContain('It was sent to anna@example.com.')
})

test('a run for a deleted insight ends with an error and sends nothing', async () => {
  await insight('deleted')
  const made = await exporter('deleted')
  await owner.call(deleteInsight, { body: { groupName: 'Reports', insightName: 'deleted' } })
  // Another insight with this name is not sent instead.
  await insight('deleted')
  mailServer.mails.length = 0
  const job = await run(made)
  expect(steps(job)[1]).toEqual(['tile-downloader', 'ERROR'])
  expect(job.componentStatuses[1]!.message).toMatch(
    /^You cannot read this insight\. It may have been deleted/,
  )
  expect(mailServer.mails).toEqual([])
})

test('users who change an insight cannot send themselves data that only the owner of the export can read', async () => {
  const { userName } = colleague
  await owner.call(createGroup, { body: { name: 'Shared' } })
  await share('Shared', userName)
  await owner.call(createInsight, {
    body: { insightName: 'ours', groupName: 'Shared', content: emptyContent() },
  })
  const exported = await reference('ours', 'Shared')
  const made = await owner.call(createPipeline, { body: exporterOf(await template(), exported, details) })
  await colleague.call(updateInsight, {
    body: { oldGroupName: 'Shared', oldInsightName: 'ours', content },
  })
  mailServer.mails.length = 0
  expect((await run(made)).status).toBe('INFO')
  const text = mailServer.mails[0]!.text
  expect(text).not.toContain('61.25')
  expect(text).toContain(`${userName} saved the insight or its data prep last`)
  expect(text).toContain('Note')
})

test('a mail contains no data of a share that was limited to a range or ended after the export was scheduled', async () => {
  const groupName = 'Lent'
  await colleague.call(createGroup, { body: { name: groupName } })
  await uploadPrices(colleague, groupName, 'BRENT,2026-01-01,71.25\nBRENT,2026-03-01,72.75\n')
  const lend = { email: owner.userName, access: 'R', groupName } as const
  await colleague.call(shareGroups, { body: { sharesList: [lend] } })
  const symbols = [{ groupName, symbols: { Code: 'BRENT' }, valueColumnName: 'Close' }]
  const lent = { ...content, datapreps: { t: { symbols } } } as unknown as InsightContent
  await owner.call(createInsight, { body: { insightName: 'lent', groupName: 'Reports', content: lent } })
  const made = await exporter('lent')
  const sent = async () => {
    mailServer.mails.length = 0
    const job = await run(made)
    return { job: JSON.stringify(job), mails: mailServer.mails.map(({ text }) => text).join() }
  }
  expect((await sent()).mails).toMatch(/71\.25[^]*72\.75|72\.75[^]*71\.25/)
  await colleague.call(shareGroups, {
    body: { sharesList: [{ ...lend, dataStart: '2026-02-01', dataEnd: '2026-04-01' }] },
  })
  const limited = await sent()
  expect(limited.mails).toContain('The group Lent cannot be read.')
  expect(limited.mails + limited.job).not.toMatch(/71\.25|72\.75/)
  await colleague.call(unshareGroup, { body: { groupName, emails: [owner.userName] } })
  const ended = await sent()
  expect(ended.mails).toContain('The group Lent cannot be read.')
  expect(ended.mails + ended.job).not.toMatch(/71\.25|72\.75/)
})

test('users who change a data prep cannot send themselves data that only the owner of the export can read', async () => {
  await owner.call(createGroup, { body: { name: 'Open' } })
  await share('Open', colleague.userName)
  const prep = { name: 'open', outputGroup: 'Open', range: 'ALL' as const, symbols: [] }
  const { id, version } = await owner.call(createDataPrep, { body: { dataPrep: prep } })
  const named = { name: 'open', outputGroup: 'Open' }
  const tile = (more: object) => ({ type: 'Table', title: 'Prep', ...more })
  const contents = {
    byId: { tiles: [tile({ id: 'p', source: { type: 'DATA_PREP', value: { id } } })] },
    byName: { tiles: [tile({ id: 'p', source: { type: 'DATA_PREP', value: named } })] },
    older: { tiles: [tile({ id: 'p' })], datapreps: { p: { ...named, symbols: [] } } },
    ofOther: {
      tiles: [
        tile({ id: 'p', source: { type: 'SOURCE_TILE', value: 'code' } }),
        { id: 'code', type: 'CODE', title: 'Code', dataSource: { type: 'data_prep', value: { id } } },
      ],
    },
  }
  for (const [insightName, own] of Object.entries(contents))
    await owner.call(createInsight, {
      body: { insightName, groupName: 'Open', content: { ...emptyContent(), ...own } as InsightContent },
    })
  const symbols = [{ groupName: 'Prices', symbols: { Code: 'BRENT' } }]
  await colleague.call(updateDataPrep, { params: { id }, body: { dataPrep: { ...prep, symbols, version } } })
  for (const insightName of Object.keys(contents)) {
    const exported = await reference(insightName, 'Open')
    mailServer.mails.length = 0
    await run(await owner.call(createPipeline, { body: exporterOf(await template(), exported, details) }))
    const [mail] = mailServer.mails
    expect(mail!.text, insightName).not.toContain('61.25')
    expect(mail!.text, insightName).toContain(`${colleague.userName} saved the insight or its data prep last`)
  }
})

test('users who delete the newest version of an insight cannot send data that its author removed', async () => {
  await owner.call(createGroup, { body: { name: 'Rolled' } })
  await share('Rolled', colleague.userName)
  const names = { groupName: 'Rolled', insightName: 'rolled' }
  await owner.call(createInsight, { body: { ...names, content } })
  const { fileId } = await owner.call(updateInsight, {
    body: { oldGroupName: 'Rolled', oldInsightName: 'rolled', content: emptyContent() },
  })
  await colleague.call(deleteFile, { params: { fid: fileId } })
  const exported = await reference('rolled', 'Rolled')
  const made = await owner.call(createPipeline, { body: exporterOf(await template(), exported, details) })
  const sent = async () => {
    mailServer.mails.length = 0
    await run(made)
    return mailServer.mails[0]!.text
  }
  const withheld = await sent()
  expect(withheld).not.toContain('61.25')
  expect(withheld).toContain('a newer version was deleted')
  await owner.call(updateInsight, {
    body: { oldGroupName: 'Rolled', oldInsightName: 'rolled', content },
  })
  expect(await sent()).toContain('61.25')
})

test('the document of a report needs a valid file name and cannot replace an insight', async () => {
  for (const [name, problem] of [
    ['../x.html', "File names can't contain / or \\."],
    ['a\r\nb.html', "File names can't contain line breaks or control characters."],
    ['ours.json', 'The name of the file must end in .html.'],
  ] as const) {
    const tiles = JSON.stringify({ title: '', insightName: '', groupName: '', leftOut: 0, tiles: [] })
    const inputs = { tiles, title: 'Title', groupName: 'Reports', outputFile: name }
    const params = Object.entries(inputs).map(([key, value]) => ({ name: key, value }))
    const { jobId } = await owner.call(executeTask, { body: { taskName: 'generic-html-template', params } })
    expect((await ended(jobId)).componentStatuses[0]).toMatchObject({ status: 'ERROR', message: problem })
  }
})

test('errors of invalid subjects, recipients and schedules name the field before anything is sent', async () => {
  const wrong: Partial<Record<keyof ExportDetails, unknown>>[] = [
    { emailSubject: '' },
    { emailSubject: 'a\r\nBcc: b@example.com' },
    { recipients: [] },
    { recipients: ['a@example.com,b@example.com'] },
  ]
  for (const change of wrong) {
    const { error } = exportDetails.safeParse({ ...details, ...change })
    expect(error?.issues[0]?.path[0]).toBe(Object.keys(change)[0])
  }
  await insight('unscheduled')
  for (const cron of ['every day', '0 7 * *; rm -rf /', '0 7 * * 1;x', '0 0 31 2 *'])
    await expect(exporter('unscheduled', { cron })).rejects.toMatchObject({
      body: { validationErrors: [{ field: 'cron' }] },
    })
})

/** Gives a user write access to a group. */
async function share(groupName: string, userName: string): Promise<void> {
  await server.grantGroup({ groupName, userName, access: 'RW' })
}

test('the migration turns stored exports into pipelines with their schedule', async () => {
  const database = await createTestDatabase()
  const pool = new pg.Pool({ connectionString: database.connectionString })
  try {
    await migrateUntil(pool, '2026-11-22T1250-exports-become-pipelines.sql')
    await pool.query(`insert into users (user_name, company_id) select 'anna@example.com', id from companies`)
    await pool.query(`insert into groups (name, owner_id) select 'Reports', id from users`)
    await pool.query(
      `insert into insights (group_id, name) select id, 'kept' from groups where name = 'Reports'`,
    )
    await pool.query(
      `insert into files (id, group_id, name, type, owner_id, zipped, partial_update, avoid_duplicates, skip_metadata,
         job_id, announced_at, state, hash, size_bytes, version, latest, arrival, arrived_at)
       select gen_random_uuid(), id, 'kept.json', 'INSIGHT', owner_id, false, false, false, false, gen_random_uuid(),
         now(), 'ready', 'hash', 2, 1, true, 1, now() from groups where name = 'Reports'`,
    )
    await pool.query(
      `insert into insight_exports select insights.id, '{}', $1, users.id, now() from insights, users`,
      [JSON.stringify(details)],
    )
    await migrate(pool, migrationsFolders)
    const { rows } = await pool.query(
      `select items.name, content -> 'tasks' as tasks, content -> 'tags' as tags, triggers, next_at from items
       join item_versions on item_id = items.id
       join schedules on schedules.kind = 'pipeline' and target_id = items.id`,
    )
    const model = { batchConfig: { tasks: insightExporter.tasks }, payload: '{}' }
    const { rows: insights } = await pool.query(`select id from items where kind = 'insight'`)
    const [{ id }] = insights as [{ id: string }]
    const made = exporterOf(model, { id, groupName: 'Reports', fileName: 'kept.json' }, details)
    expect(rows).toEqual([
      {
        name: 'kept email exporter',
        tasks: made.tasks.map(({ taskCategory: _category, nextTasks: _next, ...task }) => task),
        tags: ['insight'],
        triggers: [{ cron: '0 0 1 1 *', timeZone: 'UTC' }],
        next_at: null,
      },
    ])
  } finally {
    await pool.end()
    await database.drop()
  }
})
