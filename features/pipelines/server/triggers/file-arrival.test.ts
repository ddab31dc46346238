import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import { refusal, upload, uploadSeries, type Session } from '@headwater/server/testing'
import { createTask } from '@headwater/tasks/contract'
import { createPipeline, executePipeline, listGeneratedValues } from '../../contract/index.ts'
import { startTriggerWorld, type TriggerWorld } from './testing/trigger-world.ts'

let world: TriggerWorld
let owner: Session

beforeAll(async () => {
  world = await startTriggerWorld()
  owner = world.owner
  for (const name of ['Inbox', 'Outbox', 'Series']) await owner.call(createGroup, { body: { name } })
})
afterAll(() => world.stop())

const waits = (groupName: string, namePattern?: string) => ({
  type: 'FILEARRIVAL' as const,
  groupName,
  namePattern,
})

test('each version of a matching file starts exactly one run', async () => {
  const id = await world.pipeline('arrivals')
  await world.set(id, [waits('Inbox', 'prices*.CSV')])
  await upload(owner, { groupName: 'Inbox', fileName: 'prices-1.csv', content: 'a' })
  await upload(owner, { groupName: 'Inbox', fileName: 'Prices-2.csv', content: 'b' })
  await upload(owner, { groupName: 'Inbox', fileName: 'prices-1.csv', content: 'c' })
  await upload(owner, { groupName: 'Inbox', fileName: 'costs.csv', content: 'd' })
  await upload(owner, { groupName: 'Flows', fileName: 'prices-1.csv', content: 'e' })
  const jobs = await world.ended(id, 3)
  await world.settled()
  expect(await world.jobs(id)).toHaveLength(3)
  for (const job of jobs)
    expect(job).toMatchObject({ status: 'INFO', types: ['FILEARRIVAL'], owner: owner.userName })
  expect((await world.list(id))[0]!.lastRun!.jobId).toBe(jobs[0]!.jobId)
  await world.set(id, [])
})

test('the tasks of a run receive the trigger values', async () => {
  const id = await world.pipeline('values', '${trigger.fileName}')
  await world.set(id, [waits('Inbox', 'named*')])
  await upload(owner, { groupName: 'Inbox', fileName: 'named.txt' })
  const [job] = await world.ended(id, 1)
  expect(world.mails('values')).toEqual(['named.txt'])
  const { items } = await owner.call(listGeneratedValues, {
    params: { pipelineId: id },
    query: { jobId: job!.jobId },
  })
  expect(Object.fromEntries(items.map(({ name, value }) => [name, value]))).toMatchObject({
    '${trigger.type}': 'FILEARRIVAL',
    '${trigger.fileName}': 'named.txt',
    '${trigger.fileVersion}': '1',
    '${trigger.groupName}': 'Inbox',
    '${trigger.fileId}': expect.stringMatching(/^[0-9a-f-]{36}$/),
    '${trigger.at}': expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  })
  await world.set(id, [])

  const { jobId } = await owner.call(executePipeline, { params: { pipelineId: id }, body: {} })
  const manual = (await world.ended(id, 2)).find((each) => each.jobId === jobId)
  expect(manual!.latestStatus.message).toContain(
    '“text” refers to ${trigger.fileName}, but no trigger with this value started the run.',
  )
  const unknown = await refusal(world.pipeline('unknown value', '${trigger.fileNme}'))
  expect(unknown.message).toContain(
    '“text” of “mail” refers to ${trigger.fileNme}. Triggers have the values type, at, date, fileId',
  )
})

test('a series file starts the run when its points are visible', async () => {
  const id = await world.pipeline('series arrive')
  await world.set(id, [waits('Series')])
  await uploadSeries(owner, {
    groupName: 'Series',
    fileName: 'a.ncsv',
    content: 'key,Date,Close\na,2026-01-01,1\n',
  })
  expect(await world.ended(id, 1)).toHaveLength(1)
  await expect(
    uploadSeries(owner, {
      groupName: 'Series',
      fileName: 'b.ncsv',
      content: 'key,Date,Close\na,no date,1\n',
    }),
  ).rejects.toThrow()
  await world.settled()
  expect(await world.jobs(id)).toHaveLength(1)
})

test('a paused trigger starts no runs, not even later for files that arrived in the meantime', async () => {
  const id = await world.pipeline('paused arrivals')
  const [set] = await world.set(id, [{ ...waits('Inbox'), active: false }])
  await upload(owner, { groupName: 'Inbox', fileName: 'early.txt' })
  await world.set(id, [{ ...set!, active: true }])
  await upload(owner, { groupName: 'Inbox', fileName: 'late.txt' })
  await world.ended(id, 1)
  await world.settled()
  expect(await world.jobs(id)).toHaveLength(1)
  await world.set(id, [])
})

test('runs for many files wait until the user is allowed more runs', async () => {
  const id = await world.pipeline('many')
  await world.set(id, [waits('Inbox', 'many-*')])
  await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      upload(owner, { groupName: 'Inbox', fileName: `many-${index}.txt` }),
    ),
  )
  const jobs = await world.ended(id, 30)
  expect(jobs).toHaveLength(30)
  expect(new Set(jobs.map(({ status }) => status))).toEqual(new Set(['INFO']))
  await world.set(id, [])
})

test('a trigger starts no run if its owner can no longer read the group of the files', async () => {
  const id = await world.pipeline('revoked')
  await world.server.admin.call(createGroup, { body: { name: 'Private' } })
  const [set] = await world.set(id, [waits('Private')], world.server.admin)
  await world.server.running.platform.database.pool.query(
    'update pipeline_triggers set owner_id = (select id from users where user_name = $2) where id = $1',
    [set!.id, owner.userName],
  )
  await upload(world.server.admin, { groupName: 'Private', fileName: 'secret.txt' })
  const [job] = await world.ended(id, 1)
  expect(job!.status).toBe('ERROR')
  expect(job!.latestStatus.message).toContain(
    `${owner.userName} owns the trigger and can no longer read the group “Private”.`,
  )
})

test('a trigger with a deleted group starts nothing', async () => {
  const id = await world.pipeline('gone')
  await owner.call(createGroup, { body: { name: 'Gone' } })
  const [set] = await world.set(id, [waits('Gone')])
  await owner.call(deleteGroup, { params: { name: 'Gone' } })
  expect(await world.list(id)).toMatchObject([{ id: set!.id, groupName: '(deleted group)' }])
})

/** Saves a script that uploads a file, and a pipeline with this task. */
async function uploadingPipeline(name: string, groupName: string, fileName: string): Promise<string> {
  const lines = [
    'import os, json, urllib.request',
    'def send(url, method, data, headers):',
    '    return urllib.request.urlopen(urllib.request.Request(url, data=data, headers=headers, method=method)).read().decode()',
    'auth = {"Authorization": "Bearer " + os.environ["NG_API_AUTHTOKEN"], "Content-Type": "application/json"}',
    `body = {"groupName": "${groupName}", "fileName": "${fileName}", "fileType": "SOURCE"}`,
    'made = json.loads(send(os.environ["NG_API_ENDPOINT"] + "/file", "POST", json.dumps(body).encode(), auth))',
    'send(made["location"], "PUT", b"content", {"Content-Type": "application/octet-stream"})',
  ]
  const script = { name: 'Script', value: lines.join('\n'), valueType: 'SCRIPT' as const }
  await owner.call(createTask, {
    body: { name, groupName: 'Flows', definitionName: 'python-runner', params: [script] as never },
  })
  const { pipeline } = await owner.call(createPipeline, {
    body: {
      name,
      groupName: 'Flows',
      tasks: [{ id: 'a', taskReadableName: 'a', taskName: name, taskGroup: 'Flows' }],
    },
  })
  return pipeline.id
}

test('a trigger does not fire for a file that its own run wrote, even through a different pipeline', async () => {
  const self = await uploadingPipeline('feeds itself', 'Inbox', 'loop.txt')
  await world.set(self, [waits('Inbox', 'loop*')])
  await upload(owner, { groupName: 'Inbox', fileName: 'loop-start.txt' })
  const jobs = await world.ended(self, 2)
  expect(jobs.map(({ status }) => status)).toEqual(['WARN', 'INFO'])
  expect(jobs[0]!.latestStatus.message).toContain(
    'The file “loop.txt” was written by a run that this trigger started, directly or through other triggers. This would repeat forever.',
  )

  const ping = await uploadingPipeline('ping', 'Outbox', 'pong.txt')
  const pong = await uploadingPipeline('pong', 'Outbox', 'ping.txt')
  await world.set(ping, [waits('Outbox', 'ping*')])
  await world.set(pong, [waits('Outbox', 'pong*')])
  await upload(owner, { groupName: 'Outbox', fileName: 'ping-start.txt' })
  const pings = await world.ended(ping, 2)
  await world.settled()
  expect(pings.map(({ status }) => status)).toEqual(['WARN', 'INFO'])
  expect((await world.jobs(pong)).map(({ status }) => status)).toEqual(['INFO'])
})
