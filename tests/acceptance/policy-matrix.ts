import { randomUUID } from 'node:crypto'
import { createApiKey, createUser, logIn } from '@headwater/accounts/contract'
import type { CsvMapping } from '@headwater/csv'
import { createFile, deleteFile, saveMapping } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { createInsight, createInsightTemplate, getInsight, patchInsight } from '@headwater/insights/contract'
import { exporterTag, exporterTasks, insightIdInput } from '@headwater/reports/contract'
import { getPublicInsight, updatePublicStatus } from '@headwater/publishing/contract'
import { createFormula } from '@headwater/symbols/contract'
import { createPipeline, executePipeline, setPipelineSchedule } from '@headwater/pipelines/contract'
import { createDataPrep } from '@headwater/preps/contract'
import { sendStatus } from '@headwater/statuses/contract'
import { putSecret } from '@headwater/secrets/contract'
import { createTask } from '@headwater/tasks/contract'
import { testPassword, type Session, type TestServer } from '@headwater/server/testing'
import { workbookOf } from './workbook-of.ts'

/**
 * Callers. `bare` is signed in without a role; `viewer` and `stranger` (an analyst) have no grant on the object;
 * `owner` is an analyst who created it; the administrator has no grant either.
 */
export const callers = ['nobody', 'bare', 'viewer', 'stranger', 'owner', 'administrator'] as const
export type Caller = (typeof callers)[number]

/** A server with one session for each caller. */
export interface World {
  server: TestServer
  sessions: Record<Caller, Session>
}

/** Objects for one call. All of them belong to the owner. */
export interface Made {
  group?: string
  fid?: string
  /** The id of a file in the trash. */
  deletedFid?: string
  insight?: string
  insightId?: string
  template?: string
  /** The token of the group in the public view of the insight. */
  groupToken?: string
  /** The version of the public view, as visitors know it. */
  version?: string
  prep?: string
  task?: string
  pipeline?: string
  /** A job outside of runs. */
  jobId?: string
  /** The secret of a webhook. */
  webhook?: string
  apiKeyId?: number
  refreshToken?: string
  userName?: string
}

/** The request of a route, besides its method and path. */
export interface PolicyCall {
  params?: Record<string, string | number>
  query?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
}

/** A route: its call and the response for each caller. */
export interface PolicyRow {
  /** Whether code of a run can call the route. Default false. */
  runs?: true
  /** Creates the object of the call, and creates it again after each caller who can change it. */
  make?: (world: World) => Promise<Made>
  call?: (made: Made) => PolicyCall
  /** The HTTP status for each caller. */
  expected: Record<Caller, number>
  /** A string in the object, and the callers whose response contains it; no other response may. */
  shows?: { text: (made: Made) => string; to: readonly Caller[] }
}

const everybody = (status: number): Record<Caller, number> => ({
  nobody: status,
  bare: status,
  viewer: status,
  stranger: status,
  owner: status,
  administrator: status,
})
const signedIn = (status: number) => ({ ...everybody(status), nobody: 401 })
const entitled = (status: number) => ({ ...signedIn(status), bare: 403 })
const analysts = (status: number) => ({ ...entitled(status), viewer: 403 })
const administrators = (status: number) => ({ ...everybody(403), nobody: 401, administrator: status })
/** To callers without read access, an object does not exist. */
const ofOwner = (base: Record<Caller, number>) => ({
  ...base,
  ...(base.viewer === 403 ? {} : { viewer: 404 }),
  stranger: 404,
})
/** Object routes without a separate entitlement. */
const readers = { ...ofOwner(signedIn(200)), bare: 404 }
const ownerAndAdministrator = ['owner', 'administrator'] as const

async function makeUser({ sessions }: World): Promise<Made> {
  return sessions.administrator.call(createUser, { body: { email: anyEmail() } })
}

async function makeGroup({ sessions }: World): Promise<Made> {
  const group = `policy ${randomUUID()}`
  await sessions.owner.call(createGroup, { body: { name: group } })
  return { group }
}

const secretOfGroup = 'policy-key'

async function makeSecret(world: World): Promise<Made> {
  const made = await makeGroup(world)
  const body = { value: 'a secret value', groupName: made.group }
  await world.sessions.owner.call(putSecret, { params: { name: secretOfGroup }, body })
  return made
}

async function makeFile(world: World): Promise<Made> {
  const { group = '' } = await makeGroup(world)
  return putFile(world, group, 'prices.ncsv', 'NCSV', `key,Date,Close\n${group},2026-01-01,1.5\n`)
}

async function makeMarkdown(world: World): Promise<Made> {
  const { group = '' } = await makeGroup(world)
  return putFile(world, group, 'notes.md', 'MARKDOWN', '# Tanks\n')
}

async function makeTable(world: World): Promise<Made> {
  const { group = '' } = await makeGroup(world)
  return putFile(world, group, 'tanks.xlsx', 'SOURCE', await workbookOf('Tank\nRotterdam\n'))
}

async function putFile(
  { sessions: { owner } }: World,
  groupName: string,
  fileName: string,
  fileType: string,
  content: string | Buffer<ArrayBuffer>,
): Promise<Made> {
  const ticket = await owner.call(createFile, { body: { groupName, fileName, fileType } })
  const reply = await owner.fetch(ticket.location, { method: 'PUT', body: content })
  if (!reply.ok) throw new Error(`The upload failed: ${await reply.text()}`)
  return { group: groupName, fid: ticket.fileId }
}

async function makeDeletedFile(world: World): Promise<Made> {
  const { group, fid = '' } = await makeFile(world)
  await world.sessions.owner.call(deleteFile, { params: { fid } })
  return { group, deletedFid: fid }
}

async function makeJob({ sessions }: World): Promise<Made> {
  const { jobId } = await sessions.owner.call(sendStatus, { body: { status: 'INFO', message: 'policy' } })
  return { jobId }
}

const ofJob: PolicyRow = {
  make: makeJob,
  call: ({ jobId = '' }) => ({ params: { jobId } }),
  expected: ofOwner(analysts(200)),
}

/** Creates a formula over the series of a file. */
function formulaOver({ group = '' }: Made, key: string) {
  return {
    groupName: group,
    symbols: { key },
    expression: 'a * 2',
    inputs: [{ name: 'a', groupName: group, symbols: { key: group }, column: 'Close' }],
  }
}

async function makeFormula(world: World): Promise<Made> {
  const made = await makeFile(world)
  await world.sessions.owner.call(createFormula, { body: formulaOver(made, 'twice') })
  return made
}

async function makeInsight(world: World): Promise<Made> {
  const { group = '' } = await makeGroup(world)
  const insight = `insight ${randomUUID()}`
  await world.sessions.owner.call(createInsight, {
    body: { insightName: insight, groupName: group, tags: [insight], content: emptyContent() },
  })
  const { id: insightId } = await world.sessions.owner.call(getInsight, {
    params: { groupName: group, insightName: insight },
  })
  return { group, insight, insightId }
}

async function makeExporter(world: World): Promise<Made> {
  const made = await makeInsight(world)
  const { group = '', insightId = '' } = made
  const download = {
    id: 'b',
    taskReadableName: 'b',
    taskName: exporterTasks.download,
    taskOverrides: { params: [{ name: insightIdInput, value: insightId }] },
  }
  const { pipeline } = await world.sessions.owner.call(createPipeline, {
    body: { name: 'exporter', groupName: group, tasks: [trigger, download], tags: [exporterTag] },
  })
  return { ...made, pipeline: pipeline.id }
}

/** A public insight with a series, a file and a logo. */
async function publishInsight(world: World): Promise<Made> {
  const { owner } = world.sessions
  const { group = '', fid } = await makeFile(world)
  const insight = `insight ${randomUUID()}`
  const named = { groupName: group, insightName: insight }
  const source = { type: 'FILE', value: { groupName: group, fileName: 'prices.ncsv' } }
  const { id: prep } = await owner.call(createDataPrep, {
    body: { dataPrep: { name: 'policy', outputGroup: group, symbols: [{ groupName: group }] } },
  })
  const tiles = [
    { id: 'prep', type: 'Table', title: 'Prep', source: { type: 'DATA_PREP', value: { id: prep } } },
    { id: 'series', type: 'Table', title: 'Series', range: 'ALL' },
    { id: 'file', type: 'Text', title: 'File', source },
  ]
  const datapreps = { series: { symbols: [{ groupName: group, symbols: { key: group } }] } }
  const { logoLocation } = await owner.call(createInsight, {
    body: { ...named, content: { ...emptyContent(), tiles, datapreps } },
  })
  const logo = await owner.fetch(logoLocation, { method: 'PUT', body: pixel })
  if (!logo.ok) throw new Error(`The logo was refused: ${await logo.text()}`)
  await owner.call(updatePublicStatus, { body: { ...named, isPublic: true } })
  const view = await owner.call(getPublicInsight, { params: { groupName: group, fileName: insight } })
  const visible = view.content.datapreps?.series as { symbols: { groupName: string }[] }
  return { group, fid, insight, prep, groupToken: visible.symbols[0]!.groupName, version: view.version }
}

async function makeTemplate(world: World): Promise<Made> {
  const { group = '' } = await makeGroup(world)
  const template = `template ${randomUUID()}`
  await world.sessions.owner.call(createInsightTemplate, {
    body: { groupName: group, name: template, content: emptyContent() },
  })
  return { group, template }
}

/** The smallest png picture. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function makePrep(world: World): Promise<Made> {
  const { group = '' } = await makeGroup(world)
  const { id } = await world.sessions.owner.call(createDataPrep, {
    body: { dataPrep: { name: 'policy', outputGroup: group, symbols: [{ groupName: group }] } },
  })
  return { group, prep: id }
}

/** Analysts write no tasks; the administrator puts one into the group of the owner. */
async function makeTask(world: World): Promise<Made> {
  const { group = '' } = await makeGroup(world)
  const { id } = await world.sessions.administrator.call(createTask, { body: newTask(group) })
  return { group, task: id }
}

function newTask(groupName: string) {
  return { name: `task ${randomUUID()}`, groupName, definitionName: 'python-runner' }
}

async function makePipeline(world: World): Promise<Made> {
  const { group = '' } = await makeGroup(world)
  const { pipeline } = await world.sessions.owner.call(createPipeline, {
    body: { name: 'policy', groupName: group, tasks: [trigger], tags: [`tag of ${group}`] },
  })
  return { group, pipeline: pipeline.id }
}

async function makeRun(world: World): Promise<Made> {
  const made = await makePipeline(world)
  const { jobId } = await world.sessions.owner.call(executePipeline, {
    params: { pipelineId: made.pipeline ?? '' },
    body: { waitSeconds: 60 },
  })
  return { ...made, jobId }
}

async function makeTrigger(world: World): Promise<Made> {
  const made = await makePipeline(world)
  await world.sessions.owner.call(setPipelineSchedule, {
    params: { pipelineId: made.pipeline ?? '' },
    body: { schedulerTriggers: [{ type: 'FILEARRIVAL', groupName: made.group ?? '' }] },
  })
  return made
}

async function makeWebhook(world: World): Promise<Made> {
  const made = await makePipeline(world)
  const { schedulerTriggers } = await world.sessions.owner.call(setPipelineSchedule, {
    params: { pipelineId: made.pipeline ?? '' },
    body: { schedulerTriggers: [{ type: 'None' }] },
  })
  const [webhook] = schedulerTriggers
  return { ...made, webhook: webhook?.type === 'None' ? (webhook.path?.split('/').at(-1) ?? '') : '' }
}

const trigger = {
  id: 'a',
  taskReadableName: 'a',
  taskName: 'cron-trigger',
  taskOverrides: { params: [{ name: 'cron', value: '0 0 1 1 *' }] },
}

async function makeApiKey({ sessions }: World): Promise<Made> {
  const { id } = await sessions.owner.call(createApiKey, { body: { label: `key ${randomUUID()}` } })
  return { apiKeyId: id }
}

async function makeSession({ server, sessions }: World): Promise<Made> {
  const body = { userName: sessions.owner.userName, password: testPassword }
  const { refreshToken } = await server.nobody.call(logIn, { body })
  return { refreshToken }
}

/** One shared object for all rows that only read it. */
function shared(make: (world: World) => Promise<Made>): (world: World) => Promise<Made> {
  const made = new WeakMap<World, Promise<Made>>()
  return (world) => {
    const object = made.get(world) ?? make(world)
    made.set(world, object)
    return object
  }
}
async function makeGroupWithMapping(world: World): Promise<Made> {
  const made = await makeGroup(world)
  const body = { groupName: made.group!, name: 'daily', mapping: csvMappingOfMatrix }
  await world.sessions.owner.call(saveMapping, { body })
  return made
}

const csvMappingOfMatrix = {
  separator: ',',
  decimalSign: '.',
  symbolColumns: ['Code'],
  constantSymbols: [],
  date: { column: 'Date', dateFormat: 'yyyy-MM-dd', timezone: 'UTC' },
  columns: [],
} as const satisfies CsvMapping

const sharedGroup = shared(makeGroup)
const sharedFile = shared(makeFile)
const sharedInsight = shared(makeInsight)
const sharedPublicInsight = shared(publishInsight)
/** A public insight with a form for visitors. */
const sharedFormInsight = shared(async (world) => {
  const made = await publishInsight(world)
  const fields = [{ name: 'is_self_activation_required', value: 'true' }]
  await world.sessions.owner.call(patchInsight, { body: { ...insightNames(made), fields } })
  return made
})
const sharedTemplate = shared(makeTemplate)
const sharedPrep = shared(makePrep)
const sharedTask = shared(makeTask)
const sharedSecret = shared(makeSecret)
const sharedPipeline = shared(makePipeline)
const sharedApiKey = shared(makeApiKey)

const newPassword = { password: testPassword }
const anyToken = () => ({ token: randomUUID() })
const anyEmail = () => `someone-${randomUUID()}@example.com`
const byName = ({ group = '' }: Made) => ({ params: { name: group } })
const byFid = ({ fid = '' }: Made) => ({ params: { fid } })
const groupVisible = { text: ({ group = '' }: Made) => group, to: ownerAndAdministrator }
const fileVisible = { text: ({ fid = '' }: Made) => fid, to: ownerAndAdministrator }
const byPrep = ({ prep = '' }: Made) => ({ params: { id: prep } })
const byPrepName = ({ group = '' }: Made) => ({ query: { groupName: group, name: 'policy' } })
const prepVisible = { text: ({ prep = '' }: Made) => prep, to: ownerAndAdministrator }
const byTask = ({ task = '' }: Made) => ({ params: { taskId: task } })
const taskVisible = { text: ({ task = '' }: Made) => task, to: ownerAndAdministrator }
const byPipeline = ({ pipeline = '' }: Made) => ({ params: { pipelineId: pipeline } })
const pipelineVisible = { text: ({ pipeline = '' }: Made) => pipeline, to: ownerAndAdministrator }
const templateVisible = { text: ({ template = '' }: Made) => template, to: ownerAndAdministrator }
const insightNames = ({ group = '', insight = '' }: Made) => ({ groupName: group, insightName: insight })
const publicLocation = ({ group = '', insight = '' }: Made) => ({
  groupName: group,
  fileName: `${insight}.json`,
})
const insightVisible = { text: ({ insight = '' }: Made) => insight, to: ownerAndAdministrator }

/** Every route of the server by name. A route without a row fails the test over all routes of the running server.*/
export const policyMatrix: Record<string, PolicyRow> = {
  listWorkers: { expected: administrators(200) },
  drainWorker: {
    call: () => ({ params: { workerId: randomUUID() }, body: { isDraining: true } }),
    expected: administrators(404),
  },
  listTaskHosts: { expected: administrators(200) },
  listAuditRecords: { expected: administrators(200) },
  getHealth: { expected: everybody(200) },
  getOpenApi: { expected: everybody(200) },
  getConfiguration: { expected: everybody(200) },
  reportError: { call: () => ({ body: { message: 'policy' } }), expected: everybody(202) },

  logIn: {
    call: () => ({ body: { userName: 'owner@example.com', ...newPassword } }),
    expected: everybody(200),
  },
  logInWithBasic: {
    call: () => {
      const text = Buffer.from(`owner@example.com:${testPassword}`).toString('base64')
      return { headers: { Authorization: `Basic ${text}` } }
    },
    expected: everybody(200),
  },
  refreshSession: {
    make: makeSession,
    call: ({ refreshToken }) => ({ body: { refreshToken } }),
    expected: everybody(200),
  },
  logOut: {
    make: makeSession,
    call: ({ refreshToken }) => ({ body: { refreshToken } }),
    expected: everybody(200),
  },
  changePassword: {
    call: () => ({ body: { ...newPassword, currentPassword: testPassword } }),
    expected: signedIn(200),
  },
  requestPasswordReset: { call: () => ({ body: { email: anyEmail() } }), expected: everybody(202) },
  confirmPasswordReset: {
    call: () => ({ body: { ...anyToken(), ...newPassword } }),
    expected: everybody(404),
  },
  getActivation: { call: () => ({ params: anyToken() }), expected: everybody(404) },
  activateUser: { call: () => ({ params: anyToken(), body: newPassword }), expected: everybody(404) },

  getSettings: { expected: signedIn(200) },
  updateSettings: { call: () => ({ body: { settings: { language: 'eng' } } }), expected: signedIn(200) },
  getOwnStorage: { expected: signedIn(200) },
  getStorageLimits: { expected: administrators(200) },
  updateStorageLimits: { call: () => ({ body: {} }), expected: administrators(200) },
  listApiKeys: {
    make: sharedApiKey,
    expected: signedIn(200),
    shows: { text: ({ apiKeyId }) => `"id":${apiKeyId},`, to: ['owner'] },
  },
  createApiKey: { call: () => ({ body: { label: 'policy' } }), expected: signedIn(201) },
  deleteApiKey: {
    make: makeApiKey,
    call: ({ apiKeyId = 0 }) => ({ params: { id: apiKeyId } }),
    expected: { ...signedIn(404), owner: 200 },
  },
  listUsers: { expected: administrators(200) },
  createUser: { call: () => ({ body: { email: anyEmail() } }), expected: administrators(201) },
  updateUser: {
    make: makeUser,
    call: ({ userName = '' }) => ({ params: { userName }, body: { active: false } }),
    expected: administrators(200),
  },
  endUserSessions: {
    make: makeUser,
    call: ({ userName = '' }) => ({ params: { userName } }),
    expected: administrators(200),
  },
  getUser: {
    make: makeUser,
    call: ({ userName = '' }) => ({ params: { userName } }),
    expected: administrators(200),
  },
  deleteUserApiKey: {
    make: makeApiKey,
    call: ({ apiKeyId = 0 }) => ({ params: { userName: 'owner@example.com', id: apiKeyId } }),
    expected: administrators(200),
  },
  deleteUserApiKeys: {
    make: makeUser,
    call: ({ userName = '' }) => ({ params: { userName } }),
    expected: administrators(200),
  },
  listRoles: { expected: administrators(200) },

  listGroups: {
    runs: true,
    make: sharedGroup,
    call: ({ group = '' }) => ({ query: { name: group } }),
    expected: entitled(200),
    shows: groupVisible,
  },
  getGroup: {
    runs: true,
    make: sharedGroup,
    call: byName,
    expected: ofOwner(entitled(200)),
    shows: groupVisible,
  },
  getGroupContents: { make: sharedGroup, call: byName, expected: ofOwner(entitled(200)) },
  getUsage: {
    make: sharedGroup,
    call: ({ group = '' }) => ({ query: { type: 'GROUP', name: group } }),
    expected: readers,
  },
  createGroup: {
    runs: true,
    call: () => ({ body: { name: `policy ${randomUUID()}` } }),
    expected: analysts(201),
  },
  updateGroup: {
    make: makeGroup,
    call: (made) => ({ ...byName(made), body: { description: 'changed' } }),
    expected: ofOwner(analysts(200)),
  },
  deleteGroup: { make: makeGroup, call: byName, expected: ofOwner(analysts(200)) },
  listGroupTags: { runs: true, expected: entitled(200) },
  shareGroups: {
    make: makeGroup,
    call: ({ group }) => ({
      body: { sharesList: [{ email: 'viewer@example.com', access: 'R', groupName: group }] },
    }),
    expected: ofOwner(analysts(200)),
  },
  unshareGroup: {
    make: makeGroup,
    call: ({ group }) => ({ body: { groupName: group, emails: ['viewer@example.com'] } }),
    expected: ofOwner(analysts(200)),
  },
  listGroupUsers: { make: sharedGroup, call: byName, expected: ofOwner(entitled(200)) },
  searchShareEmails: {
    make: sharedGroup,
    call: (made) => ({ ...byName(made), query: { query: 'viewer' } }),
    expected: ofOwner(analysts(200)),
  },
  checkGroupShareable: { make: sharedGroup, call: byName, expected: ofOwner(entitled(200)) },

  searchFiles: {
    runs: true,
    make: sharedFile,
    call: ({ fid = '' }) => ({ query: { query: `uuid=${fid}` } }),
    expected: entitled(200),
    shows: fileVisible,
  },
  createFile: {
    runs: true,
    make: sharedGroup,
    call: ({ group }) => ({ body: { groupName: group, fileName: 'a.csv' } }),
    expected: ofOwner(analysts(200)),
  },
  putContent: {
    runs: true,
    make: sharedFile,
    call: (made) => ({ ...byFid(made), body: 'x' }),
    expected: everybody(403),
  },
  putPart: {
    runs: true,
    make: sharedFile,
    call: (made) => ({ params: { ...byFid(made).params, number: 1 }, body: 'x' }),
    expected: everybody(403),
  },
  listParts: { runs: true, make: sharedFile, call: byFid, expected: everybody(403) },
  completeParts: {
    runs: true,
    make: sharedFile,
    call: (made) => ({ ...byFid(made), body: { parts: 1, size: 1 } }),
    expected: everybody(403),
  },
  getContent: { runs: true, make: sharedFile, call: byFid, expected: everybody(403) },
  createFileArchive: {
    make: sharedFile,
    call: ({ fid = '' }) => ({ body: { fileIds: [fid] } }),
    expected: ofOwner(entitled(200)),
  },
  getFileArchive: {
    make: sharedFile,
    call: ({ fid = '' }) => ({ query: { files: fid } }),
    expected: everybody(403),
  },
  getFile: {
    runs: true,
    make: sharedFile,
    call: byFid,
    expected: ofOwner(entitled(200)),
    shows: fileVisible,
  },
  getMarkdown: {
    runs: true,
    make: shared(makeMarkdown),
    call: byFid,
    expected: ofOwner(entitled(200)),
    shows: { text: () => '# Tanks', to: ownerAndAdministrator },
  },
  saveMarkdown: {
    runs: true,
    make: makeMarkdown,
    call: (made) => ({ ...byFid(made), body: '# Full tanks' }),
    expected: ofOwner(analysts(200)),
  },
  downloadFile: {
    runs: true,
    make: sharedFile,
    call: byFid,
    expected: ofOwner(entitled(200)),
    shows: { text: () => 'Close', to: ownerAndAdministrator },
  },
  validateNcsv: {
    runs: true,
    call: () => ({ body: 'Commodity,Date,Close\nBrent,2026-03-02,1\n' }),
    expected: entitled(200),
  },
  previewSeries: {
    make: sharedFile,
    call: byFid,
    expected: ofOwner(entitled(200)),
    shows: { text: () => 'Close', to: ownerAndAdministrator },
  },
  previewTable: {
    make: shared(makeTable),
    call: byFid,
    expected: ofOwner(entitled(200)),
    shows: { text: () => 'Rotterdam', to: ownerAndAdministrator },
  },
  listCsvMappings: {
    make: sharedGroup,
    call: ({ group = '' }) => ({ query: { groupName: group } }),
    expected: ofOwner(analysts(200)),
  },
  saveCsvMapping: {
    make: sharedGroup,
    call: ({ group }) => ({ body: { groupName: group, name: 'daily', mapping: csvMappingOfMatrix } }),
    expected: ofOwner(analysts(200)),
  },
  deleteCsvMapping: {
    make: makeGroupWithMapping,
    call: ({ group = '' }) => ({ query: { groupName: group, name: 'daily' } }),
    expected: ofOwner(analysts(200)),
  },
  getFileSize: { runs: true, make: sharedFile, call: byFid, expected: ofOwner(entitled(200)) },
  listFileVersions: {
    runs: true,
    make: sharedFile,
    call: byFid,
    expected: ofOwner(entitled(200)),
    shows: fileVisible,
  },
  updateFile: {
    runs: true,
    make: makeFile,
    call: (made) => ({ ...byFid(made), body: { fields: [] } }),
    expected: ofOwner(analysts(200)),
  },
  deleteFile: { runs: true, make: makeFile, call: byFid, expected: ofOwner(analysts(200)) },
  listTrash: {
    make: makeDeletedFile,
    call: ({ group = '' }) => ({ params: { kind: 'files' }, query: { query: group } }),
    expected: entitled(200),
    shows: { text: ({ deletedFid = '' }: Made) => deletedFid, to: ownerAndAdministrator },
  },
  restoreTrashed: {
    make: makeDeletedFile,
    call: ({ deletedFid: id = '' }) => ({ params: { kind: 'files', id }, body: {} }),
    expected: ofOwner(analysts(200)),
  },
  deleteTrashed: {
    make: makeDeletedFile,
    call: ({ deletedFid: id = '' }) => ({ params: { kind: 'files', id } }),
    expected: ofOwner(analysts(200)),
  },
  transferFileOwnership: {
    make: makeFile,
    call: ({ fid }) => ({
      body: {
        fileIds: [fid],
        currentOwnerUser: 'owner@example.com',
        targetOwnerUser: 'admin@example.com',
      },
    }),
    expected: { ...analysts(403), owner: 200 },
  },

  searchStatuses: {
    runs: true,
    make: sharedFile,
    call: ({ group = '' }) => ({ query: { groupName: group } }),
    expected: analysts(200),
    shows: fileVisible,
  },
  sendStatus: {
    runs: true,
    make: sharedGroup,
    call: ({ group }) => ({ body: { status: 'INFO', message: 'policy', groupName: group } }),
    expected: signedIn(200),
  },

  streamEvents: { expected: analysts(200) },
  listStatusMessages: ofJob,
  getLog: ofJob,
  listLogComponents: ofJob,
  downloadLog: ofJob,

  searchSymbols: {
    runs: true,
    make: sharedFile,
    call: ({ group = '' }) => ({ query: { query: `groupName.keyword=${group}` } }),
    expected: signedIn(200),
    shows: groupVisible,
  },
  streamSymbols: {
    runs: true,
    make: sharedFile,
    call: ({ group = '' }) => ({ query: { query: `groupName.keyword=${group}` } }),
    expected: signedIn(200),
    shows: groupVisible,
  },
  listSymbolValues: {
    runs: true,
    make: sharedFile,
    call: ({ group }) => ({ body: { groupName: group, key: 'key' } }),
    expected: readers,
  },
  listSymbolKeys: {
    runs: true,
    make: sharedFile,
    call: ({ group }) => ({ body: { groupName: group } }),
    expected: readers,
  },
  listSymbolBranches: {
    runs: true,
    make: sharedFile,
    call: ({ group }) => ({ body: { groupName: group, key: 'key' } }),
    expected: readers,
  },
  listValueColumns: {
    runs: true,
    make: sharedFile,
    call: ({ group = '' }) => ({ query: { groupName: group } }),
    expected: readers,
  },
  listSymbolGroups: {
    runs: true,
    make: sharedFile,
    call: ({ group = '' }) => ({ query: { query: group } }),
    expected: signedIn(200),
    shows: groupVisible,
  },
  listSymbolsInFile: {
    runs: true,
    make: sharedFile,
    call: byFid,
    expected: readers,
    shows: groupVisible,
  },
  removeSymbols: {
    runs: true,
    make: makeFile,
    call: ({ group = '' }) => ({
      body: { groupName: group, symbols: [{ key: group }], checkTimeSeries: false },
    }),
    expected: ofOwner(analysts(200)),
  },
  getData: {
    runs: true,
    make: sharedFile,
    call: ({ group }) => ({ body: { keys: [{ groupName: group, symbols: { key: group } }] } }),
    expected: readers,
    shows: { text: () => '1.5', to: ownerAndAdministrator },
  },
  createFormula: {
    runs: true,
    make: makeFile,
    call: (made) => ({ body: formulaOver(made, 'twice') }),
    expected: ofOwner(analysts(200)),
  },
  changeFormula: {
    runs: true,
    make: makeFormula,
    call: (made) => ({ body: formulaOver(made, 'twice') }),
    expected: ofOwner(analysts(200)),
  },
  findFormula: {
    runs: true,
    make: makeFormula,
    call: ({ group = '' }) => ({ body: { groupName: group, symbols: { key: 'twice' } } }),
    expected: readers,
    shows: { text: ({ group = '' }) => group, to: ownerAndAdministrator },
  },
  previewFormula: {
    runs: true,
    make: makeFile,
    call: (made) => {
      const { expression, inputs } = formulaOver(made, 'twice')
      return { body: { expression, inputs } }
    },
    // A formula over unreadable symbols is rejected like one over missing symbols.
    expected: { ...signedIn(400), owner: 200, administrator: 200 },
    shows: { text: () => '3', to: ownerAndAdministrator },
  },
  streamDataBatch: {
    runs: true,
    make: sharedFile,
    call: ({ group }) => ({
      body: { queries: [{ body: { keys: [{ groupName: group, symbols: { key: group } }] } }] },
    }),
    // a caller without read access gets the error in the response of the query, not of the batch
    expected: signedIn(200),
    shows: { text: () => '1.5', to: ownerAndAdministrator },
  },
  streamData: {
    runs: true,
    make: sharedFile,
    call: ({ group }) => ({ body: { keys: [{ groupName: group, symbols: { key: group } }] } }),
    expected: readers,
    shows: { text: () => '1.5', to: ownerAndAdministrator },
  },

  getIndex: {
    runs: true,
    make: sharedFile,
    call: ({ group = '' }) => ({ query: { Group: group, From: 'all' } }),
    expected: readers,
    shows: { text: () => '1.5', to: ownerAndAdministrator },
  },
  getCatalogue: {
    runs: true,
    make: sharedFile,
    call: ({ group = '' }) => ({ query: { Group: group, NoModule: 'true' } }),
    expected: readers,
    shows: groupVisible,
  },
  requestDataAccess: {
    call: () => ({ body: { requestedData: { Prices: {} } } }),
    expected: signedIn(201),
  },
  listHolidayCalendars: { runs: true, call: () => ({ query: { query: 'GB-ENG' } }), expected: signedIn(200) },
  getHolidayCalendar: { runs: true, call: () => ({ params: { name: 'GB-ENG' } }), expected: signedIn(200) },
  saveHolidayCalendar: {
    call: () => ({ params: { name: `policy ${randomUUID()}` }, body: {} }),
    expected: administrators(200),
  },
  deleteHolidayCalendar: {
    call: () => ({ params: { name: `policy ${randomUUID()}` } }),
    expected: administrators(404),
  },

  listSecrets: {
    make: sharedSecret,
    call: ({ group = '' }) => ({ query: { groupName: group } }),
    expected: ofOwner(analysts(200)),
    shows: { text: () => secretOfGroup, to: ownerAndAdministrator },
  },
  putSecret: {
    make: sharedGroup,
    call: ({ group }) => ({
      params: { name: secretOfGroup },
      body: { value: 'a secret value', groupName: group },
    }),
    expected: ofOwner(analysts(200)),
  },
  deleteSecret: {
    make: makeSecret,
    call: ({ group = '' }) => ({ params: { name: secretOfGroup }, query: { groupName: group } }),
    expected: ofOwner(analysts(200)),
  },
  rotateSecretKey: { expected: administrators(200) },

  searchDataPreps: {
    make: sharedPrep,
    call: ({ group = '' }) => ({ query: { groupName: group } }),
    expected: analysts(200),
    shows: prepVisible,
  },
  getDataPrep: { make: sharedPrep, call: byPrep, expected: ofOwner(analysts(200)), shows: prepVisible },
  getDataPrepByName: {
    make: sharedPrep,
    call: byPrepName,
    expected: ofOwner(analysts(200)),
    shows: prepVisible,
  },
  listDataPrepVersions: {
    make: sharedPrep,
    call: byPrep,
    expected: ofOwner(analysts(200)),
    shows: prepVisible,
  },
  listDataPrepVersionsByName: {
    make: sharedPrep,
    call: byPrepName,
    expected: ofOwner(analysts(200)),
    shows: prepVisible,
  },
  createDataPrep: {
    make: sharedGroup,
    call: ({ group }) => ({ body: { dataPrep: { name: `new ${randomUUID()}`, outputGroup: group } } }),
    expected: { ...analysts(201), stranger: 400 },
  },
  updateDataPrep: {
    make: makePrep,
    call: (made) => ({
      ...byPrep(made),
      body: { dataPrep: { name: 'changed', outputGroup: made.group, version: 1 } },
    }),
    expected: ofOwner(analysts(200)),
  },
  deleteDataPrep: { make: makePrep, call: byPrep, expected: ofOwner(analysts(200)) },
  runDataPrep: { make: makePrep, call: byPrep, expected: ofOwner(analysts(200)) },
  stopDataPrepRun: { call: () => ({ body: { jobId: randomUUID() } }), expected: analysts(404) },
  getPrepSchedule: { make: sharedPrep, call: byPrep, expected: ofOwner(analysts(200)) },
  setPrepSchedule: {
    make: makePrep,
    call: (made) => ({ ...byPrep(made), body: { cron: '0 7 * * 1', timeZone: 'UTC' } }),
    expected: ofOwner(analysts(200)),
  },
  removePrepSchedule: { make: makePrep, call: byPrep, expected: ofOwner(analysts(200)) },

  searchTasks: {
    runs: true,
    make: sharedTask,
    call: ({ group = '' }) => ({ query: { query: `groupName=${group}` } }),
    expected: analysts(200),
    shows: taskVisible,
  },
  listTaskDefinitions: { expected: analysts(200) },
  listTaskCategories: { expected: analysts(200) },
  processTaskExpression: {
    call: () => ({ body: { paramName: 'Text', params: [], value: '1 + 1' } }),
    expected: analysts(200),
  },
  getTask: { make: sharedTask, call: byTask, expected: ofOwner(analysts(200)), shows: taskVisible },
  listTaskVersions: { make: sharedTask, call: byTask, expected: ofOwner(analysts(200)), shows: taskVisible },
  createTask: {
    make: sharedGroup,
    call: ({ group = '' }) => ({ body: newTask(group) }),
    expected: administrators(201),
  },
  testTask: {
    make: sharedGroup,
    call: ({ group = '' }) => {
      const { groupName, definitionName } = newTask(group)
      return { body: { groupName, definitionName, params: [{ name: 'Script', value: 'pass' }] } }
    },
    expected: administrators(200),
  },
  updateTask: {
    make: makeTask,
    call: (made) => ({ ...byTask(made), body: { version: 1, taskInput: newTask(made.group ?? '') } }),
    expected: administrators(200),
  },
  deleteTask: { make: makeTask, call: byTask, expected: administrators(200) },
  getTaskHosts: { make: sharedTask, call: byTask, expected: ofOwner(analysts(200)) },
  updateTaskHosts: {
    make: sharedTask,
    call: (made) => ({ ...byTask(made), body: { hosts: ['api.example.com'] } }),
    expected: administrators(200),
  },
  executeTask: {
    call: () => ({
      body: { taskName: 'cron-trigger', params: [{ name: 'cron', value: '0 0 1 1 *' }] },
    }),
    expected: analysts(200),
  },

  searchPipelines: {
    make: sharedPipeline,
    call: ({ group = '' }) => ({ query: { query: `groupName=${group}` } }),
    expected: analysts(200),
    shows: pipelineVisible,
  },
  getPipeline: {
    make: sharedPipeline,
    call: byPipeline,
    expected: ofOwner(analysts(200)),
    shows: pipelineVisible,
  },
  getPipelineByName: {
    make: sharedPipeline,
    call: byPrepName,
    expected: ofOwner(analysts(200)),
    shows: pipelineVisible,
  },
  findPipelineByName: {
    make: sharedPipeline,
    call: byPrepName,
    // Users who cannot read the pipeline get the error of a missing one.
    expected: analysts(200),
    shows: pipelineVisible,
  },
  listPipelineVersions: {
    make: sharedPipeline,
    call: byPipeline,
    expected: ofOwner(analysts(200)),
    shows: pipelineVisible,
  },
  listPipelineVersionsByName: {
    make: sharedPipeline,
    call: ({ group = '' }) => ({ query: { pipelineName: 'policy', groupName: group } }),
    expected: ofOwner(analysts(200)),
    shows: pipelineVisible,
  },
  listPipelineTags: {
    make: sharedPipeline,
    call: () => ({ query: {} }),
    expected: analysts(200),
    shows: { text: ({ group = '' }: Made) => `tag of ${group}`, to: ownerAndAdministrator },
  },
  patchPipeline: {
    make: makePipeline,
    call: (made) => ({ ...byPipeline(made), body: { objToUpdate: { tags: ['changed'] } } }),
    expected: ofOwner(analysts(200)),
  },
  exportPipeline: {
    make: sharedPipeline,
    call: byPipeline,
    expected: ofOwner(analysts(200)),
    shows: { text: ({ group = '' }: Made) => `tag of ${group}`, to: ownerAndAdministrator },
  },
  sharePipeline: {
    make: makePipeline,
    call: ({ pipeline = '' }) => ({
      body: { pipelineId: pipeline, url: '/Science/List', emails: [], dryRun: true },
    }),
    expected: ofOwner(analysts(200)),
  },
  importPipeline: {
    make: sharedGroup,
    call: ({ group = '' }) => ({
      body: {
        file: {
          format: 'headwater-pipeline',
          formatVersion: 1,
          pipeline: { name: `imported ${randomUUID()}`, groupName: group, tasks: [trigger] },
        },
        dryRun: false,
      },
    }),
    expected: { ...analysts(200), stranger: 400 },
  },
  createPipeline: {
    make: sharedGroup,
    call: ({ group }) => ({ body: { name: `new ${randomUUID()}`, groupName: group } }),
    expected: { ...analysts(201), stranger: 400 },
  },
  updatePipeline: {
    make: makePipeline,
    call: (made) => ({ ...byPipeline(made), body: { name: 'changed', groupName: made.group } }),
    expected: ofOwner(analysts(200)),
  },
  deletePipeline: { make: makePipeline, call: byPipeline, expected: ofOwner(analysts(200)) },
  executePipeline: { make: makePipeline, call: byPipeline, expected: ofOwner(analysts(200)) },
  getPipelineSchedule: {
    make: shared(makeTrigger),
    call: byPipeline,
    expected: ofOwner(analysts(200)),
    shows: { text: ({ group = '' }) => group, to: ownerAndAdministrator },
  },
  setPipelineSchedule: {
    make: makePipeline,
    call: (made) => ({ ...byPipeline(made), body: { schedulerTriggers: [{ type: 'RETRY' }] } }),
    expected: ofOwner(analysts(200)),
  },
  startBackfill: {
    make: makePipeline,
    call: (made) => ({
      ...byPipeline(made),
      body: { from: '2026-01-01', to: '2026-01-02', dryRun: true },
    }),
    expected: ofOwner(analysts(200)),
  },
  listBackfills: { make: sharedPipeline, call: byPipeline, expected: ofOwner(analysts(200)) },
  getBackfill: {
    make: sharedPipeline,
    call: ({ pipeline = '' }) => ({ params: { pipelineId: pipeline, backfillId: randomUUID() } }),
    expected: analysts(404),
  },
  cancelBackfill: {
    make: sharedPipeline,
    call: ({ pipeline = '' }) => ({ params: { pipelineId: pipeline, backfillId: randomUUID() } }),
    expected: analysts(404),
  },
  listSchedules: {
    make: sharedPipeline,
    call: ({ group = '' }) => ({ query: { query: `groupName=${group}` } }),
    expected: analysts(200),
    shows: pipelineVisible,
  },
  getRunLimits: {
    make: sharedPipeline,
    call: ({ pipeline = '' }) => ({ query: { pipelineId: pipeline } }),
    expected: ofOwner(analysts(200)),
  },
  setRunLimits: {
    make: makePipeline,
    call: ({ pipeline = '' }) => ({ body: { pipelineId: pipeline, maxRuns: 2 } }),
    expected: ofOwner(analysts(200)),
  },
  // The secret in the URL is the only credential.
  callWebhook: {
    make: shared(makeWebhook),
    call: ({ webhook = '' }) => ({ params: { secret: webhook }, body: 'x' }),
    expected: everybody(202),
  },
  listRuns: {
    make: shared(makeRun),
    call: () => ({ query: { size: '1000' } }),
    expected: analysts(200),
    shows: { text: ({ jobId = '' }: Made) => jobId, to: ownerAndAdministrator },
  },
  getRun: {
    make: shared(makeRun),
    call: ({ jobId = '' }) => ({ params: { jobId } }),
    expected: ofOwner(analysts(200)),
    shows: { text: ({ jobId = '' }: Made) => jobId, to: ownerAndAdministrator },
  },
  getPipelineHistory: {
    make: sharedPipeline,
    call: (made) => ({ ...byPipeline(made), query: { from: '2026-01-01', to: '2026-01-31' } }),
    expected: ofOwner(analysts(200)),
  },
  // The feature of a run reports active runs; here no run is active.
  stopPipeline: { call: () => ({ body: { jobId: randomUUID() } }), expected: analysts(404) },
  continuePipeline: { call: () => ({ body: { jobId: randomUUID() } }), expected: analysts(404) },
  resumePipeline: { call: () => ({ body: { jobId: randomUUID() } }), expected: analysts(404) },
  repeatPipeline: { call: () => ({ body: { jobId: randomUUID() } }), expected: analysts(404) },
  approvePipeline: { call: () => ({ body: { jobId: randomUUID() } }), expected: analysts(404) },
  declinePipeline: { call: () => ({ body: { jobId: randomUUID() } }), expected: analysts(404) },
  getApproval: {
    call: () => ({ body: { token: 'x', jobId: randomUUID() } }),
    expected: analysts(404),
  },
  listGeneratedValues: { make: makePipeline, call: byPipeline, expected: ofOwner(analysts(200)) },
  saveGeneratedValue: {
    make: makePipeline,
    call: (made) => ({ ...byPipeline(made), body: { name: 'state', value: 'x' } }),
    expected: ofOwner(analysts(200)),
  },
  getStoredValue: {
    runs: true,
    call: () => ({ params: { pipelineId: 'None', key: 'a' }, headers: { 'X-KH-JOB-ID': randomUUID() } }),
    expected: analysts(404),
  },
  storeValue: {
    runs: true,
    call: () => ({
      params: { pipelineId: 'None', key: 'a' },
      headers: { 'X-KH-JOB-ID': randomUUID() },
      body: 'x',
    }),
    expected: analysts(404),
  },

  searchInsights: {
    runs: true,
    make: sharedInsight,
    call: ({ group = '' }) => ({ query: { groupName: group } }),
    expected: entitled(200),
    shows: insightVisible,
  },
  searchInsightsByBody: {
    runs: true,
    make: sharedInsight,
    call: ({ group = '' }) => ({ body: { groupName: group } }),
    expected: entitled(200),
    shows: insightVisible,
  },
  findInsightExporter: {
    make: shared(makeExporter),
    call: ({ insightId = '' }) => ({ params: { id: insightId } }),
    // Users who cannot read the pipeline get the response of a missing one.
    expected: analysts(200),
    shows: pipelineVisible,
  },
  getTileData: {
    make: sharedInsight,
    call: ({ insightId = '' }) => ({ params: { id: insightId }, body: { tiles: [{ id: 'series' }] } }),
    expected: ofOwner(entitled(200)),
  },
  getDraftTileData: {
    make: sharedFile,
    call: ({ group = '' }) => ({
      body: {
        content: {
          tiles: [{ id: 't', type: 'Table', title: 'T', range: 'ALL' }],
          datapreps: { t: { symbols: [{ groupName: group, symbols: { key: group } }] } },
        },
        tiles: [{ id: 't' }],
      },
    }),
    // The data of the tile name groups that the caller cannot read.
    expected: entitled(200),
    shows: { text: () => '1.5', to: ownerAndAdministrator },
  },
  getInsight: {
    runs: true,
    make: sharedInsight,
    call: ({ group = '', insight = '' }) => ({ params: { groupName: group, insightName: insight } }),
    expected: ofOwner(entitled(200)),
    shows: insightVisible,
  },
  createInsight: {
    make: sharedGroup,
    call: ({ group }) => ({
      body: { groupName: group, insightName: `new ${randomUUID()}`, content: emptyContent() },
    }),
    expected: ofOwner(analysts(201)),
  },
  updateInsight: {
    make: makeInsight,
    call: ({ group, insight }) => ({
      body: { oldGroupName: group, oldInsightName: insight, content: emptyContent() },
    }),
    expected: ofOwner(entitled(200)),
  },
  deleteInsight: {
    make: makeInsight,
    call: ({ group, insight }) => ({ body: { groupName: group, insightName: insight } }),
    expected: ofOwner(entitled(200)),
  },
  readInsight: {
    runs: true,
    make: sharedInsight,
    call: (made) => ({ params: publicLocation(made) }),
    expected: ofOwner(entitled(200)),
    shows: insightVisible,
  },
  patchInsight: {
    make: makeInsight,
    call: (made) => ({
      body: { ...insightNames(made), fields: [{ name: 'description', value: made.insight }] },
    }),
    expected: ofOwner(entitled(200)),
    shows: insightVisible,
  },
  listInsightVersions: {
    make: sharedInsight,
    call: (made) => ({ params: insightNames(made) }),
    expected: ofOwner(entitled(200)),
    shows: { text: () => '"version":1', to: ownerAndAdministrator },
  },
  getInsightVersion: {
    make: sharedInsight,
    call: (made) => ({ params: { ...insightNames(made), version: 1 } }),
    expected: ofOwner(entitled(200)),
    shows: insightVisible,
  },
  restoreInsightVersion: {
    make: makeInsight,
    call: (made) => ({ params: { ...insightNames(made), version: 1 }, body: {} }),
    expected: ofOwner(entitled(200)),
  },
  getInsightLogo: {
    make: sharedPublicInsight,
    call: (made) => ({ params: insightNames(made) }),
    expected: ofOwner(entitled(200)),
  },
  putInsightLogo: {
    make: makeInsight,
    call: (made) => ({ params: insightNames(made), body: pixel }),
    expected: ofOwner(entitled(200)),
  },
  shareInsight: {
    make: makeInsight,
    call: (made) => ({ body: { ...insightNames(made), shares: ['viewer@example.com'] } }),
    expected: ofOwner(entitled(200)),
  },
  unshareInsight: {
    make: makeInsight,
    call: (made) => ({ body: { ...insightNames(made), emails: ['viewer@example.com'] } }),
    expected: ofOwner(entitled(200)),
  },
  listShared: {
    make: makeInsight,
    call: ({ group = '', insight = '' }) => ({ query: { groupName: group, name: insight } }),
    expected: ofOwner(entitled(200)),
  },
  assignInsightRoles: {
    make: makeInsight,
    call: (made) => ({ body: insightNames(made) }),
    expected: ofOwner(entitled(200)),
  },
  runTileCode: { call: () => ({ body: { code: 'print(1)' } }), expected: entitled(200) },
  searchInsightTemplates: {
    make: sharedTemplate,
    expected: entitled(200),
    shows: templateVisible,
  },
  getInsightTemplate: {
    make: sharedTemplate,
    call: ({ group = '', template = '' }) => ({ params: { groupName: group, name: template } }),
    expected: ofOwner(entitled(200)),
    shows: templateVisible,
  },
  lookUpTemplateName: {
    make: sharedTemplate,
    call: ({ group = '', template = '' }) => ({
      query: { groupName: group, insightName: 'any', name: template },
    }),
    expected: ofOwner(entitled(200)),
    shows: templateVisible,
  },
  createInsightTemplate: {
    make: sharedGroup,
    call: ({ group }) => ({
      body: { groupName: group, name: `template ${randomUUID()}`, content: emptyContent() },
    }),
    expected: ofOwner(analysts(201)),
  },
  getPublicStatus: {
    make: sharedPublicInsight,
    call: (made) => ({ query: insightNames(made) }),
    expected: ofOwner(entitled(200)),
    shows: { text: () => 'owner@example.com', to: ownerAndAdministrator },
  },
  updatePublicStatus: {
    make: makeInsight,
    call: (made) => ({ body: { ...insightNames(made), isPublic: true } }),
    expected: ofOwner(analysts(200)),
  },
  createPublicLink: {
    make: sharedPublicInsight,
    call: (made) => ({
      body: { ...insightNames(made), parameters: [{ name: 'key', values: ['other'] }] },
    }),
    expected: ofOwner(analysts(200)),
  },
  listPublicLinks: {
    make: sharedPublicInsight,
    call: (made) => ({ query: insightNames(made) }),
    expected: ofOwner(analysts(200)),
  },
  endPublicLink: {
    make: publishInsight,
    call: (made) => ({ query: { ...insightNames(made), key: 'gone' } }),
    expected: ofOwner(analysts(200)),
  },
  listPublicViews: {
    make: sharedPublicInsight,
    call: ({ group = '' }) => ({ query: { groupName: group } }),
    expected: ofOwner(entitled(200)),
    shows: { text: ({ insight = '' }: Made) => insight, to: ownerAndAdministrator },
  },
  endPublicView: {
    make: publishInsight,
    call: ({ group = '', insight = '' }) => ({
      query: { groupName: group, insightGroupName: group, insightName: insight },
    }),
    expected: ofOwner(analysts(200)),
  },
  listVisitors: {
    make: sharedPublicInsight,
    call: (made) => ({ query: insightNames(made) }),
    expected: ofOwner(analysts(200)),
  },
  getPublicInsight: {
    make: sharedPublicInsight,
    call: (made) => ({ params: publicLocation(made) }),
    expected: everybody(200),
    shows: { text: () => 'owner@example.com', to: [] },
  },
  getPublicTileData: {
    make: sharedPublicInsight,
    call: (made) => ({
      params: publicLocation(made),
      body: { version: made.version ?? '', tiles: [{ id: 'series' }] },
    }),
    expected: everybody(200),
    shows: { text: () => 'owner@example.com', to: [] },
  },
  listPublicValues: {
    make: sharedPublicInsight,
    call: (made) => ({ params: publicLocation(made), body: { group: made.groupToken, key: 'key' } }),
    expected: everybody(403),
  },
  getPublicFile: {
    make: sharedPublicInsight,
    call: (made) => ({
      params: publicLocation(made),
      query: { group: made.groupToken ?? '', name: 'prices.ncsv' },
    }),
    expected: everybody(200),
  },
  getPublicFileVersion: {
    make: sharedPublicInsight,
    call: (made) => ({
      params: publicLocation(made),
      query: { group: made.groupToken ?? '', name: 'prices.ncsv' },
    }),
    expected: everybody(200),
  },
  getPublicLogo: {
    make: sharedPublicInsight,
    call: (made) => ({ params: publicLocation(made) }),
    expected: everybody(200),
  },
  validatePublicAccess: {
    make: sharedPublicInsight,
    call: (made) => ({ body: { ...insightNames(made), token: 'none' } }),
    expected: everybody(200),
  },
  submitPublicAccess: {
    make: sharedFormInsight,
    call: (made) => ({
      body: { ...insightNames(made), company: 'C', email: anyEmail(), fullName: 'N' },
    }),
    expected: everybody(200),
  },
  listInsightTags: {
    make: sharedInsight,
    call: ({ insight = '' }) => ({ query: { query: insight } }),
    expected: entitled(200),
    shows: insightVisible,
  },

  getDemo: { expected: signedIn(200) },
  getDemoRemoval: { expected: administrators(200) },
  removeDemo: { expected: administrators(200) },
}
