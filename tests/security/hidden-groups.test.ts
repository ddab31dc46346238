import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup, shareGroups, unshareGroup } from '@headwater/groups/contract'
import { createPipeline } from '@headwater/pipelines/contract'
import { searchStatuses, sendStatus } from '@headwater/statuses/contract'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'

let server: TestServer
let anna: Session
let ben: Session
let pipelineId: string
let shared: { id: number; name: string }
let secret: { id: number; name: string }
const ids = new Map<string, number>()

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ role: 'Pipeline builder', email: 'anna@example.com' })
  ben = await server.createUser({ role: 'Pipeline builder', email: 'ben@example.com' })
  for (const { userName } of [anna, ben])
    ids.set(userName, (await server.running.platform.accounts.findUserByName(userName))!.userId)
  shared = await newGroup('Shared')
  secret = await newGroup('Hush')
  await share('ben@example.com')
  const tasks = [
    {
      id: 'a',
      taskName: 'cron-trigger',
      taskReadableName: 'A',
      taskOverrides: { params: [{ name: 'cron', value: '0 0 1 1 *' }] },
    },
  ]
  const body = { name: 'Flow', groupName: 'Shared', tags: [], tasks: tasks as never }
  pipelineId = (await anna.call(createPipeline, { body })).pipeline.id
})
afterAll(() => server.stop())

async function newGroup(name: string): Promise<{ id: number; name: string }> {
  const { groupId } = await anna.call(createGroup, { body: { name } })
  return { id: groupId, name }
}

const share = (email: string) =>
  anna.call(shareGroups, { body: { sharesList: [{ email, access: 'R', groupName: 'Shared' }] } })

/** A generator with a seed, so that a failed run can be repeated. */
function choices(seed: number) {
  let state = seed
  return <T>(of: readonly T[]): T => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return of[Math.floor((state / 2 ** 32) * of.length)]!
  }
}

/** Text that names the group it belongs to. */
const markOf = (group: { name: string }) => `${group.name.toLowerCase()}-${randomUUID().slice(0, 8)}`

/**
 * Uploads a file into a group as part of a job. Content that is not a series file adds a second step and
 * lines to the log.
 */
async function uploadInto(
  by: Session,
  jobId: string,
  group: { name: string },
  isValid: boolean,
): Promise<string> {
  const mark = markOf(group)
  const response = await by.fetch('/file', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-KH-JOB-ID': jobId },
    body: JSON.stringify({
      groupName: group.name,
      fileName: `${mark}.csv`,
      fileType: isValid ? 'SOURCE' : 'NCSV',
      fields: null,
    }),
  })
  expect(response.headers.get('X-KH-JOB-ID')).toBe(jobId)
  const { location } = (await response.json()) as { location: string }
  await fetch(location, { method: 'PUT', body: `${mark}\n` })
  return mark
}

/** Fills jobs with statuses of both groups in any order; returns the texts that belong to each group. */
async function fillJobs(seed: number) {
  const { statuses } = server.running.platform
  const choose = choices(seed)
  const marks: Record<string, string[]> = { Shared: [], Hush: [] }
  const jobIds: string[] = []
  const rejected: { jobId: string; mark: string }[] = []
  for (const type of ['PIPELINE', 'ETL', 'DATAPREP', 'PIPELINE'] as const) {
    const owner = choose([anna, ben])
    // Administrators can write to the jobs of all users.
    const by = owner === anna ? anna : server.admin
    const jobId = await statuses.startJob({
      type,
      name: `job ${jobIds.length}`,
      group: shared,
      ownerId: ids.get(owner.userName)!,
      rootId: pipelineId,
      followsComponents: type === 'ETL',
    })
    jobIds.push(jobId)
    const step = await statuses.addComponent(jobId, {
      component: 'Step',
      status: 'RUNNING',
      message: 'reads',
    })
    for (let action = 0; action < 7; action++) {
      const group = choose([shared, secret])
      const kind = choose(['file', 'rejected', 'message', 'step', 'warning'] as const)
      if (kind === 'file' || kind === 'rejected') {
        const mark = await uploadInto(by, jobId, group, kind === 'file')
        marks[group.name]!.push(mark)
        if (kind === 'rejected') rejected.push({ jobId, mark })
        continue
      }
      const mark = markOf(group)
      marks[group.name]!.push(mark)
      await by.call(sendStatus, {
        body: {
          jobId,
          eId: kind === 'step' ? mark : step,
          componentName: kind === 'step' ? mark : 'Step',
          status: kind === 'warning' ? 'WARN' : 'INFO',
          message: mark,
          groupName: group.name,
        },
      })
    }
    if (choose([true, false])) await statuses.finishJob(jobId, { status: 'ERROR', message: 'It ended.' })
  }
  return { marks, jobIds, rejected }
}

/** Returns everything that a user can read about jobs, from all routes. */
async function readAll(user: Session, jobIds: readonly string[]): Promise<string> {
  const paths = [
    '/status?size=100',
    '/status?size=100&aggregate=true',
    '/status?size=100&selector=onlyError,onlyWarn',
    `/status?size=100&pipelineRootIds=${pipelineId}`,
    '/mgmt/run?size=100',
    '/mgmt/run?size=100&sortBy=start',
    `/mgmt/pipeline/${pipelineId}/history`,
    ...jobIds.flatMap((id) => [
      `/status?jobId=${id}`,
      `/status?query=${id}`,
      `/status/${id}/messages?size=100`,
      `/status/${id}/messages?size=100&status=warn`,
      `/log/${id}`,
      `/log/${id}?query=csv`,
      `/log/${id}/components`,
      `/log/${id}/download`,
      `/mgmt/run/${id}`,
    ]),
  ]
  const read = async (path: string) => {
    const response = await user.fetch(path)
    expect([path, response.status]).toEqual([path, expect.toBeOneOf([200, 404])])
    return response.text()
  }
  return (await Promise.all(paths.map(read))).join('\n')
}

/** Returns what the event stream of a user has sent since `start` was called. */
async function openEvents(user: Session): Promise<() => Promise<string>> {
  const abort = new AbortController()
  const response = await user.fetch('/events', { signal: abort.signal })
  let text = ''
  const reading = (async () => {
    for await (const chunk of response.body!) text += Buffer.from(chunk).toString()
  })().catch(() => {})
  return async () => {
    await expect.poll(() => text).toContain('event: ')
    abort.abort()
    await reading
    return text
  }
}

test.each([1, 2])(
  'no job route returns texts of a group to users without access to it (seed %s)',
  async (seed) => {
    const events = await openEvents(ben)
    const { marks, jobIds, rejected } = await fillJobs(seed)
    // The line in the log follows the upload.
    for (const { jobId, mark } of rejected)
      await expect.poll(async () => (await anna.fetch(`/log/${jobId}`)).text()).toContain(`${mark}.csv: `)
    const seenByOwner = await readAll(anna, jobIds)
    for (const mark of [...marks['Shared']!, ...marks['Hush']!]) expect(seenByOwner).toContain(mark)
    expect(seenByOwner).not.toContain('"Hidden"')

    const seenByReader = (await readAll(ben, jobIds)) + (await events())
    expect(seenByReader).toContain('You have no access to the group of this step.')
    expect(seenByReader.match(/hush-\w+|Hush/g)).toBe(null)
    const { items } = await ben.call(searchStatuses, { query: { size: 100 } })
    expect(items.filter(({ jobId }) => jobIds.includes(jobId))).toHaveLength(jobIds.length)
    expect(marks['Shared']!.filter((mark) => seenByReader.includes(mark)).length).toBeGreaterThan(5)

    await anna.call(unshareGroup, { body: { groupName: 'Shared', emails: ['ben@example.com'] } })
    const seenLater = await readAll(ben, jobIds)
    expect(seenLater.match(/hush-\w+|Hush/g)).toBe(null)
    await share('ben@example.com')
  },
)
