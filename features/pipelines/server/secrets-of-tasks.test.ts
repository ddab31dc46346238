import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { deleteSecret, putSecret } from '@headwater/secrets/contract'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { createTask } from '@headwater/tasks/contract'
import { createPipeline, executePipeline, executeTask } from '../contract/index.ts'

let server: TestServer
let anna: Session
let ben: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com', role: 'Pipeline builder' })
  ben = await server.createUser({ email: 'ben@example.com', role: 'Pipeline builder' })
  await anna.call(createGroup, { body: { name: 'Library' } })
  await anna.call(createGroup, { body: { name: 'Flows' } })
  await ben.call(createGroup, { body: { name: 'Of Ben' } })
  for (const group of ['Library', 'Flows']) await share(ben, group, 'R')
  await share(anna, 'Of Ben', 'R')
  for (const groupName of ['Library', 'Flows'])
    await anna.call(putSecret, {
      params: { name: 'key' },
      body: { value: `secret of ${groupName}`, groupName },
    })
  await anna.call(putSecret, { params: { name: 'own' }, body: { value: 'secret of Anna' } })
  await ben.call(putSecret, { params: { name: 'own' }, body: { value: 'secret of Ben' } })
  await task(anna, 'Library', 'shows', 'key')
  await task(anna, 'Library', 'shows-own', 'own')
  await task(ben, 'Of Ben', 'of-ben', 'own')
  await task(ben, 'Of Ben', 'takes', 'key')
})
afterAll(() => server.stop())

async function share(session: Session, group: string, access: 'R' | 'RW'): Promise<void> {
  await server.running.platform.database.pool.query(
    `insert into group_grants (group_id, user_id, source, source_id, access)
     select groups.id, users.id, 'direct', '', $1 from groups, users where groups.name = $2 and user_name = $3`,
    [access, group, session.userName],
  )
}

/** Saves a task with a script that prints its secret backwards, because the server redacts secrets in the output. */
async function task(session: Session, groupName: string, name: string, secret: string): Promise<void> {
  const script = 'import os\nprint(os.environ.get("KEY", "none")[::-1])'
  await session.call(createTask, {
    body: {
      name,
      groupName,
      definitionName: 'python-runner',
      params: [
        { name: 'Script', valueType: 'SCRIPT', value: script },
        { name: 'KEY', valueType: 'SECRET', value: secret, optional: true },
        { name: 'URL', valueType: 'TEXT', value: 'https://example.com' },
      ],
    },
  })
}

async function printed(session: Session, jobId: string): Promise<string> {
  for (let tries = 0; tries < 600; tries++) {
    const [job] = (await session.call(searchStatuses, { query: { jobId } })).items
    if (job?.endTime !== undefined) {
      const { status, message } = job.componentStatuses[0]!
      return status === 'INFO' ? message.split('').toReversed().join('') : message
    }
    await sleep(100)
  }
  throw new Error('The run did not end.')
}

async function runTask(session: Session, taskGroupName: string, taskName: string, value?: string) {
  const params = value === undefined ? [] : [{ name: 'KEY', value }]
  const { jobId } = await session.call(executeTask, { body: { taskName, taskGroupName, params } })
  return printed(session, jobId)
}

interface Flow {
  groupName: string
  taskGroupName: string
  taskName: string
  value?: string
  url?: string
}

async function saveFlow(
  session: Session,
  { groupName, taskGroupName, taskName, value, url }: Flow,
): Promise<string> {
  const params = [
    ...(value === undefined ? [] : [{ name: 'KEY', value }]),
    ...(url === undefined ? [] : [{ name: 'URL', value: url }]),
  ]
  const tasks = [
    { id: 'a', taskReadableName: 'a', taskName, taskGroup: taskGroupName, taskOverrides: { params } },
  ]
  const name = `flow ${taskName} ${value} ${url?.length}`
  return (await session.call(createPipeline, { body: { name, groupName, tasks } })).pipeline.id
}

async function runFlow(session: Session, pipelineId: string): Promise<string> {
  const { jobId } = await session.call(executePipeline, {
    params: { pipelineId },
    body: { pipelineId, details: {} },
  })
  return printed(session, jobId)
}

const missing = (name: string, where: string) =>
  `“KEY” refers to the secret “${name}”, which does not exist ${where}, or which you cannot use. Store it, or choose another one.`

test('a task uses a secret of its group, even for users who can only read the group', async () => {
  expect(await runTask(anna, 'Library', 'shows')).toBe('secret of Library')
  expect(await runTask(ben, 'Library', 'shows')).toBe('secret of Library')
})

test('a pipeline can refer to a secret of its own group', async () => {
  const flow = { groupName: 'Flows', taskGroupName: 'Library', taskName: 'shows' }
  const named = await saveFlow(anna, { ...flow, value: 'key' })
  expect(await runFlow(anna, named)).toBe('secret of Flows')
  expect(await runFlow(ben, named)).toBe('secret of Flows')
  expect(await runFlow(anna, await saveFlow(anna, flow))).toBe('secret of Library')
})

test('only users with write access to the group of a secret can run the task that uses it with other values', async () => {
  const refused =
    "“KEY” refers to a secret of the group “Library”, and the pipeline or call changes other inputs of the task. Only users with write access to the group can use its secrets and change other inputs. Keep the task's own values, or use a personal secret."
  const call = async (session: Session, url: string) => {
    const params = [{ name: 'URL', value: url }]
    const body = { taskName: 'shows', taskGroupName: 'Library', params }
    return printed(session, (await session.call(executeTask, { body })).jobId)
  }
  expect(await call(ben, 'https://attacker.example.com')).toBe(refused)
  expect(await call(ben, 'https://example.com')).toBe('secret of Library')
  expect(await call(anna, 'https://other.example.com')).toBe('secret of Library')
  const flow = { taskGroupName: 'Library', taskName: 'shows', url: 'https://attacker.example.com' }
  const ofBen = await saveFlow(ben, { ...flow, groupName: 'Of Ben' })
  expect(await runFlow(ben, ofBen)).toBe(refused)
  expect(await runFlow(anna, ofBen)).toBe(refused)
  const ofAnna = await saveFlow(anna, { ...flow, groupName: 'Flows' })
  expect(await runFlow(anna, ofAnna)).toBe('secret of Library')
  expect(await runFlow(ben, ofAnna)).toBe(refused)
  const inLibrary = await saveFlow(anna, { ...flow, groupName: 'Library' })
  expect(await runFlow(ben, inLibrary)).toBe('secret of Library')
})

test('a task cannot refer to secrets of the group of a pipeline', async () => {
  const id = await saveFlow(anna, { groupName: 'Flows', taskGroupName: 'Of Ben', taskName: 'takes' })
  expect(await runFlow(anna, id)).toBe(missing('key', 'in the group “Of Ben”'))
})

test('personal secrets are available only in runs of their owner, and only if the owner entered the name', async () => {
  expect(await runTask(anna, 'Library', 'shows-own')).toBe('secret of Anna')
  // Anna entered the name, so it does not refer to Ben's secret.
  expect(await runTask(ben, 'Library', 'shows-own')).toBe(missing('own', 'in the group “Library”'))
  // Ben entered the name in his task, which Anna runs.
  expect(await runTask(anna, 'Of Ben', 'of-ben')).toBe(missing('own', 'in the group “Of Ben”'))
  expect(await runTask(ben, 'Of Ben', 'of-ben')).toBe('secret of Ben')
  // Ben passes the name in a call.
  expect(await runTask(ben, 'Library', 'shows', 'own')).toBe('secret of Ben')
  expect(await runTask(ben, 'Library', 'shows', 'key')).toBe(missing('key', 'among your own secrets'))
})

test('personal secrets are not available to pipelines that a different user saved', async () => {
  const flow = { groupName: 'Of Ben', taskGroupName: 'Library', taskName: 'shows-own' }
  const ofBen = await saveFlow(ben, flow)
  expect(await runFlow(anna, ofBen)).toBe(missing('own', 'in the group “Library”'))
  const named = await saveFlow(ben, { ...flow, value: 'own' })
  expect(await runFlow(anna, named)).toBe(missing('own', 'in the group “Of Ben”'))
  expect(await runFlow(ben, named)).toBe('secret of Ben')
  const ofAnna = await saveFlow(anna, { ...flow, groupName: 'Flows' })
  expect(await runFlow(anna, ofAnna)).toBe('secret of Anna')
})

test('an optional parameter without a secret stays empty, and a missing secret ends the run with an error that names it', async () => {
  await task(anna, 'Flows', 'optional', '')
  expect(await runTask(anna, 'Flows', 'optional')).toBe('')
  await task(anna, 'Flows', 'deleted', 'gone')
  await anna.call(putSecret, {
    params: { name: 'gone' },
    body: { value: 'secret value', groupName: 'Flows' },
  })
  expect(await runTask(anna, 'Flows', 'deleted')).toBe('secret value')
  await anna.call(deleteSecret, { params: { name: 'gone' }, query: { groupName: 'Flows' } })
  expect(await runTask(anna, 'Flows', 'deleted')).toBe(missing('gone', 'in the group “Flows”'))
  const saved = await anna.fetch('/mgmt/task?query=name=deleted')
  expect(await saved.text()).not.toContain('secret value')
})
