import { rename, writeFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createFile,
  deleteFile,
  listFileVersions,
  searchFiles,
  transferOwnership,
} from '@headwater/files/contract'
import { createGroup, getGroup } from '@headwater/groups/contract'
import { searchStatuses } from '@headwater/statuses/contract'
import {
  type CallError,
  startTestServer,
  upload as uploadFile,
  type Session,
  type TestServer,
  refusal,
} from '@headwater/server/testing'
import { emptyContent, type InsightContent } from '@headwater/tile-data/contract'
import {
  createInsight,
  deleteInsight,
  getInsight,
  infoValue,
  listInsightTags,
  searchInsights,
  searchInsightsByBody,
  updateInsight,
} from '../contract/index.ts'
import { listShared, shareInsight, unshareInsight, updatePublicStatus } from '@headwater/publishing/contract'

let server: TestServer
let owner: Session
let stranger: Session

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser()
  stranger = await server.createUser()
  for (const name of ['Energy', 'Power', 'Private']) await newGroup(owner, name)
})
afterAll(() => server.stop())

async function newGroup(session: Session, name: string) {
  await session.call(createGroup, { body: { name } })
}

function content(...tiles: Record<string, unknown>[]): InsightContent {
  return { ...emptyContent(), tiles: tiles as InsightContent['tiles'] }
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** Uploads a picture and returns its file id. */
async function uploadLogo(groupName: string, fileName: string): Promise<string> {
  return (await uploadFile(owner, { groupName, fileName, content: new Uint8Array(png) })).fileId
}

const chart = { id: 'a', title: 'Spot', type: 'Chart', series: [{ label: 'Brent', future: 1 }] }

/** Gives a user access to a group. */
async function grant(groupName: string, { userName }: Session, access: 'R' | 'RW' | 'RWS'): Promise<void> {
  await server.grantGroup({ groupName, userName, access })
}

let roles = 0
/** Creates a user whose only role grants these modes on the resources of insights. */
async function userWith(modes: Record<string, 'R' | 'RW'>): Promise<Session> {
  const user = await server.createUser()
  const { accounts, database } = server.running.platform
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into roles (name, description, holds_everything) values ($1, '', false) returning id`,
    [`Role ${++roles}`],
  )
  const entitlements = [
    ['', 'Insight', 'R'],
    ...Object.entries(modes).map(([name, mode]) => ['Insight', name, mode]),
  ]
  for (const [parent, resource, mode] of entitlements)
    await database.pool.query(
      'insert into role_entitlements (role_id, parent, resource, mode) values ($1, $2, $3, $4)',
      [rows[0]!.id, parent, resource, mode],
    )
  const { userId } = (await accounts.findUserByName(user.userName))!
  await accounts.setUserRoles(userId, [Number(rows[0]!.id)])
  return user
}

async function upload(
  session: Session,
  groupName: string,
  fileName: string,
  text: string,
  fileType = 'INSIGHT',
) {
  const { location } = await session.call(createFile, { body: { groupName, fileName, fileType, fields: [] } })
  const { pathname, search } = new URL(location)
  const result = await fetch(`${server.url}${pathname}${search}`, { method: 'PUT', body: text })
  expect(result.status).toBe(200)
}

test('IN-040 IN-041 IN-042 IN-045 IN-049 IN-081 IN-082 a new insight is a file of the type INSIGHT with its details as metadata', async () => {
  const logoId = await uploadLogo('Energy', 'crude.png')
  const headerBoxes = [{ id: 'h', title: 'Week', content: 'TEXT', text: '47' }]
  const footer = { buttons: [{ id: 'b', title: 'Lake', type: 'PAGE', url: '/Lake' }] }
  const response = await owner.fetch('/insights', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      content: { ...content(chart), headerBoxes, footer, surprise: { deep: true } },
      description: 'Oil',
      groupName: 'Energy',
      insightName: ' Crude ',
      isWorkflow: false,
      logoId,
      shouldCreateGroup: false,
      tags: ['a b', 'Öl'],
      type: 'VISUALISATION',
      useUserToken: true,
    }),
  })
  expect(response.status).toBe(201)
  const created = (await response.json()) as { id: string; logoLocation: string }
  expect(created).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    logoLocation: '/insights/Energy/Crude/logo',
  })
  const { id } = created
  const files = await owner.call(searchFiles, { query: { query: 'name=Crude.json&groupName=Energy' } })
  expect(files.items).toHaveLength(1)
  expect(files.items[0]).toMatchObject({
    fid: id,
    fileType: 'INSIGHT',
    fields: {
      description: 'Oil',
      tags: 'a%20b %C3%96l',
      insight_type: 'VISUALISATION',
      use_user_token: 'true',
      Origin: 'INSIGHT_BUILDER',
      logo: logoId,
    },
  })
  const text = await (await owner.fetch(`/file/${id}/download`)).json()
  expect(text).toMatchObject({
    type: 'VISUALISATION',
    tiles: [chart],
    surprise: { deep: true },
    headerBoxes,
    footer,
    inputParams: {},
  })

  const insight = await owner.call(getInsight, { params: { groupName: 'Energy', insightName: 'Crude' } })
  expect(insight.fields).toEqual(
    expect.arrayContaining([
      { name: 'description', value: 'Oil' },
      { name: 'tags', value: 'a%20b %C3%96l' },
      { name: 'use_user_token', value: 'true' },
    ]),
  )
  expect(insight).toMatchObject({
    fid: id,
    insightName: 'Crude',
    groupName: 'Energy',
    fileName: 'Crude.json',
    fileType: 'INSIGHT',
    version: 1,
    tags: ['a b', 'Öl'],
    owner: owner.userName,
    writeAccess: true,
  })
  expect(insight.content.tiles[0]).toMatchObject(chart)
  expect(insight.content.surprise).toEqual({ deep: true })
})

test('IN-083 IN-084 an update replaces all fields together and returns the id of the new file', async () => {
  await owner.call(createInsight, {
    body: { insightName: 'Before', groupName: 'Energy', tags: ['old'], content: content() },
  })
  const response = await owner.fetch('/insights', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      content: content(chart),
      fields: [{ name: 'description', value: 'Changed' }],
      isWorkflow: false,
      oldGroupName: 'Energy',
      oldInsightName: 'Before',
      newGroupName: 'Power',
      newInsightName: 'After',
      tags: ['new'],
      waitForUpload: true,
    }),
  })
  expect(response.status).toBe(200)
  const reply = (await response.json()) as { fileId: string }
  expect(reply).toEqual({ fileId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string })
  // With waitForUpload, the new version is complete when the server responds.
  expect(
    await owner.call(getInsight, { params: { groupName: 'Power', insightName: 'After' } }),
  ).toMatchObject({
    fid: reply.fileId,
    description: 'Changed',
    tags: ['new'],
    isWorkflow: false,
    content: { tiles: [chart] },
  })
  const old = owner.call(getInsight, { params: { groupName: 'Energy', insightName: 'Before' } })
  expect((await refusal(old)).status).toBe(404)
})

test('IN-083 IN-084 each save is a new version, and omitted details stay unchanged', async () => {
  const { id } = await owner.call(createInsight, {
    body: {
      insightName: 'Versions',
      groupName: 'Energy',
      description: 'One',
      tags: ['x'],
      content: content(),
    },
  })
  const { fileId } = await owner.call(updateInsight, {
    body: {
      oldGroupName: 'Energy',
      oldInsightName: 'Versions',
      expectedFileId: id,
      fields: [{ name: 'self_activation_tiles', value: '2' }],
      content: content(chart, { id: 'b', title: 'Future', type: 'HOLOGRAM', depth: 3 }),
    },
  })
  const insight = await owner.call(getInsight, { params: { groupName: 'Energy', insightName: 'Versions' } })
  expect(insight).toMatchObject({ fid: fileId, version: 2, description: 'One', tags: ['x'] })
  expect(infoValue(insight.fields, 'self_activation_tiles')).toBe('2')
  expect(insight.content.tiles[1]).toMatchObject({ type: 'HOLOGRAM', depth: 3 })
  const versions = await owner.call(listFileVersions, { params: { fid: fileId } })
  expect(versions.items.map(({ fid }) => fid)).toEqual([fileId, id])
})

test('rejects a save that is based on an older version', async () => {
  const { id } = await owner.call(createInsight, {
    body: { insightName: 'Conflict', groupName: 'Energy', content: content() },
  })
  const save = (title: string) =>
    owner.call(updateInsight, {
      body: {
        oldGroupName: 'Energy',
        oldInsightName: 'Conflict',
        expectedFileId: id,
        content: content({ id: 'a', title, type: 'Text' }),
      },
    })
  await save('first')
  expect((await refusal(save('second'))).body.code).toBe('insightChanged')
  const insight = await owner.call(getInsight, { params: { groupName: 'Energy', insightName: 'Conflict' } })
  expect(insight.content.tiles.map(({ title }) => title)).toEqual(['first'])
})

test('of many concurrent saves based on the same version, one succeeds and the others are rejected', async () => {
  const { id } = await owner.call(createInsight, {
    body: { insightName: 'Race', groupName: 'Energy', content: content() },
  })
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, (_, index) =>
      owner.call(updateInsight, {
        body: {
          oldGroupName: 'Energy',
          oldInsightName: 'Race',
          expectedFileId: id,
          content: content({ id: 'a', title: `by ${index}`, type: 'Text' }),
        },
      }),
    ),
  )
  const won = results.filter(({ status }) => status === 'fulfilled')
  expect(won).toHaveLength(1)
  for (const result of results)
    if (result.status === 'rejected') expect((result.reason as CallError).body.code).toBe('insightChanged')
  const insight = await owner.call(getInsight, { params: { groupName: 'Energy', insightName: 'Race' } })
  expect(insight.version).toBe(2)
})

const saveAs = (insightName: string, title: string, newInsightName?: string) =>
  owner.call(updateInsight, {
    body: {
      oldGroupName: 'Energy',
      oldInsightName: insightName,
      newInsightName,
      content: content({ id: 'a', title, type: 'Text' }),
    },
  })
const titleOf = async (insightName: string) =>
  (await owner.call(getInsight, { params: { groupName: 'Energy', insightName } })).content.tiles[0]?.title

test('IN-083 each of many concurrent saves without a version succeeds and creates one version', async () => {
  const { id } = await owner.call(createInsight, {
    body: { insightName: 'Crowd', groupName: 'Energy', content: content() },
  })
  const results = await Promise.all(Array.from({ length: 12 }, (_, index) => saveAs('Crowd', `by ${index}`)))
  const { items } = await owner.call(listFileVersions, { params: { fid: id } })
  expect(items.map(({ version }) => version)).toEqual(Array.from({ length: 13 }, (_, index) => 13 - index))
  expect(items.map(({ fid }) => fid).sort()).toEqual([id, ...results.map(({ fileId }) => fileId)].sort())
})

test('many insights can be saved concurrently', async () => {
  const names = Array.from({ length: 24 }, (_, index) => `Lane ${index}`)
  for (const insightName of names)
    await owner.call(createInsight, { body: { insightName, groupName: 'Energy', content: content() } })
  await Promise.all(names.map((name) => saveAs(name, `title of ${name}`)))
  expect(await titleOf('Lane 23')).toBe('title of Lane 23')
})

test('a save concurrent with a rename either comes first or reports that the insight does not exist', async () => {
  for (let round = 0; round < 8; round += 1) {
    const [from, to] = [`Here ${round}`, `There ${round}`]
    await owner.call(createInsight, { body: { insightName: from, groupName: 'Energy', content: content() } })
    const [moved, ...saves] = await Promise.allSettled([
      saveAs(from, 'moved', to),
      ...Array.from({ length: 3 }, (_, index) => saveAs(from, `save ${index}`)),
    ])
    expect(moved.status).toBe('fulfilled')
    for (const save of saves)
      if (save.status === 'rejected') expect((save.reason as CallError).body.code).toBe('insightNotFound')
    expect(await titleOf(to)).toBe('moved')
    expect((await refusal(titleOf(from))).body.code).toBe('insightNotFound')
  }
})

test('of many concurrent renames, one succeeds and the others report that the insight does not exist', async () => {
  await owner.call(createInsight, {
    body: { insightName: 'Nomad', groupName: 'Energy', content: content() },
  })
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) => saveAs('Nomad', 'moved', `Nomad ${index % 3}`)),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results)
    if (result.status === 'rejected') expect((result.reason as CallError).body.code).toBe('insightNotFound')
  const { items } = await owner.call(searchInsights, { query: { query: 'name=Nomad*' } })
  expect(items).toHaveLength(1)
})

/** Calls a function while content cannot be written. */
async function withoutContents<T>(work: () => Promise<T>): Promise<T> {
  const folder = join(server.dataFolder, 'content', 'unfinished')
  await rename(folder, `${folder}-away`)
  await writeFile(folder, 'no folder')
  try {
    return await work()
  } finally {
    await unlink(folder)
    await rename(`${folder}-away`, folder)
  }
}

test('an insight that cannot be stored under its new name keeps its old name', async () => {
  await owner.call(createInsight, { body: { insightName: 'Stays', groupName: 'Energy', content: content() } })
  await expect(withoutContents(() => saveAs('Stays', 'moved', 'Moved'))).rejects.toThrow()
  expect((await refusal(titleOf('Moved'))).body.code).toBe('insightNotFound')
  expect(await titleOf('Stays')).toBeUndefined()
  await saveAs('Stays', 'moved', 'Moved')
  expect(await titleOf('Moved')).toBe('moved')
})

test('a save whose content cannot be stored leaves no file without content', async () => {
  const note = { id: 'n', title: 'Note', type: 'Text', source: { type: 'EDITOR' }, templateContent: 'text' }
  await newGroup(owner, 'Waiting')
  const { pool } = server.running.platform.database
  const announced = async () => {
    const { rows } = await pool.query<{ name: string; state: string }>(
      `select files.name, state from files join groups on groups.id = group_id where groups.name = 'Waiting'`,
    )
    return rows.map(({ name, state }) => `${name} ${state}`).toSorted()
  }
  const create = (...tiles: Record<string, unknown>[]) =>
    owner.call(createInsight, {
      body: { insightName: 'Kept', groupName: 'Waiting', content: content(...tiles) },
    })
  for (const tiles of [[], [note]]) {
    await expect(withoutContents(() => create(...tiles))).rejects.toThrow()
    expect(await announced()).toEqual([])
  }
  const { items } = await owner.call(searchStatuses, { query: { groupName: 'Waiting' } })
  await create(note)
  expect(await announced()).toEqual(['Kept.json ready', 'Kept_Note.md ready'])
  expect(items.map(({ status }) => status)).toEqual(['ERROR', 'ERROR'])
})

test('a failed rename renames the text files back; a file of another owner stays in place', async () => {
  const texts = ['a', 'b'].map((title) => ({
    id: title,
    title,
    type: 'Text',
    source: { type: 'EDITOR' },
    templateContent: `text ${title}`,
  }))
  const body = { insightName: 'Two', groupName: 'Texts', content: content(...texts) }
  await owner.call(createInsight, { body: { ...body, shouldCreateGroup: true } })
  await upload(owner, 'Texts', 'Moved_a.md', 'of somebody else', 'SOURCE')
  const names = async () =>
    (await owner.call(searchFiles, { query: { query: 'groupName=Texts', latest: true } })).items
      .map(({ fileName }) => fileName)
      .toSorted()
  const move = () =>
    owner.call(updateInsight, {
      body: { oldInsightName: 'Two', oldGroupName: 'Texts', newInsightName: 'Moved', content: body.content },
    })
  const before = await names()
  await expect(withoutContents(move)).rejects.toThrow()
  expect(await names()).toEqual(before)
  await move()
  // Files that stayed behind are written again; moved files are not.
  expect(await names()).toEqual(['Moved.json', 'Moved_a(1).md', 'Moved_a.md', 'Moved_b.md', 'Two_a.md'])
})

test('moving an insight to another group does not change existing files of other users there', async () => {
  const text = (templateContent: string) =>
    content({ id: 'n', title: 'Note', type: 'Text', source: { type: 'EDITOR' }, templateContent })
  for (const name of ['From here', 'To there']) await newGroup(owner, name)
  const filesIn = async (groupName: string, insightName: string) => {
    const query = `groupName=${groupName}&name=${insightName}_Note*`
    const { items } = await owner.call(searchFiles, { query: { query } })
    const described = items.map(async ({ fid, fileName, version }) => {
      const result = await owner.fetch(`/file/${fid}/download`)
      return `${fileName} ${version}: ${await result.text()}`
    })
    return (await Promise.all(described)).toSorted()
  }
  const move = (insightName: string, changed: InsightContent) =>
    owner.call(updateInsight, {
      body: {
        oldInsightName: insightName,
        oldGroupName: 'From here',
        newGroupName: 'To there',
        content: changed,
      },
    })
  for (const insightName of ['Same', 'Other', 'Emptied']) {
    const body = { insightName, groupName: 'From here', content: text('mine') }
    await owner.call(createInsight, { body })
    await upload(owner, 'To there', `${insightName}_Note.md`, 'of somebody else', 'SOURCE')
  }
  const query = { query: 'groupName=From here&name=Emptied_Note.md' }
  const { items } = await owner.call(searchFiles, { query })
  await owner.call(deleteFile, { params: { fid: items[0]!.fid } })

  await move('Same', text('mine'))
  await move('Other', text('mine now'))
  await move('Emptied', text('mine'))
  expect(await filesIn('To there', 'Same')).toEqual([
    'Same_Note(1).md 1: mine',
    'Same_Note.md 1: of somebody else',
  ])
  expect(await filesIn('To there', 'Other')).toEqual([
    'Other_Note(1).md 1: mine now',
    'Other_Note.md 1: of somebody else',
  ])
  expect(await filesIn('To there', 'Emptied')).toEqual([
    'Emptied_Note(1).md 1: mine',
    'Emptied_Note.md 1: of somebody else',
  ])
  const params = { groupName: 'To there', insightName: 'Same' }
  const moved = await owner.call(getInsight, { params })
  expect(moved.content.tiles[0]).toMatchObject({ source: { value: 'Same_Note(1).md' } })
})

test('a text whose file is missing is written to the target group of the insight', async () => {
  const note = { id: 'n', title: 'Note', type: 'Text', source: { type: 'EDITOR' }, templateContent: 'mine' }
  for (const name of ['Without', 'With']) await newGroup(owner, name)
  const body = { insightName: 'Bare', groupName: 'Without', content: content(note) }
  await owner.call(createInsight, { body })
  const findText = async (groupName: string) => {
    const query = { query: `groupName=${groupName}&name=Bare_Note.md` }
    return (await owner.call(searchFiles, { query })).items
  }
  await owner.call(deleteFile, { params: { fid: (await findText('Without'))[0]!.fid } })
  await owner.call(updateInsight, {
    body: { oldInsightName: 'Bare', oldGroupName: 'Without', newGroupName: 'With', content: content(note) },
  })
  expect(await findText('With')).toHaveLength(1)
})

test('a failed save leaves no text file behind, neither under a new name nor as a new version', async () => {
  const text = (templateContent: string, title = 'Note') => ({
    id: title,
    title,
    type: 'Text',
    source: { type: 'EDITOR' },
    templateContent,
  })
  const body = { insightName: 'Half', groupName: 'Halves', content: content(text('before')) }
  await owner.call(createInsight, { body: { ...body, shouldCreateGroup: true } })
  const versions = async () =>
    (await owner.call(searchFiles, { query: { query: 'groupName=Halves' } })).items
      .map(({ fileName, version }) => `${fileName} ${version}`)
      .toSorted()
  const { pool } = server.running.platform.database
  await pool.query(`create function refuse_insight() returns trigger language plpgsql as
    $$ begin raise exception 'no insights today'; end $$`)
  await pool.query(`create trigger refuse_insight before insert on files for each row
    when (new.type = 'INSIGHT') execute function refuse_insight()`)
  const change = (newInsightName: string) =>
    owner.call(updateInsight, {
      body: {
        oldInsightName: 'Half',
        oldGroupName: 'Halves',
        newInsightName,
        content: content(text('after'), text('new', 'More')),
      },
    })
  const create = () => owner.call(createInsight, { body: { ...body, insightName: 'Other' } })
  for (const attempt of [() => change('Half'), () => change('Whole'), create]) {
    await expect(attempt()).rejects.toThrow()
    expect(await versions()).toEqual(['Half.json 1', 'Half_Note.md 1'])
  }
  await pool.query('drop function refuse_insight cascade')
  await change('Whole')
  expect(await versions()).toEqual([
    'Whole.json 1',
    'Whole.json 2',
    'Whole_More.md 1',
    'Whole_Note.md 1',
    'Whole_Note.md 2',
  ])
})

test('two concurrent renames of two insights to each other’s names do not deadlock', async () => {
  for (const insightName of ['Left', 'Right'])
    await owner.call(createInsight, { body: { insightName, groupName: 'Energy', content: content() } })
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, (_, index) =>
      index % 2 === 0 ? saveAs('Left', 'left', 'Right') : saveAs('Right', 'right', 'Left'),
    ),
  )
  for (const result of results) {
    expect(result.status).toBe('rejected')
    expect(((result as PromiseRejectedResult).reason as CallError).body.code).toBe('insightExists')
  }
})

test('IN-067 IN-073 insights can be searched by text, tag, group and type, in pages from 0; tags match a wildcard, ascending', async () => {
  await newGroup(owner, 'Fuels')
  const make = (
    insightName: string,
    groupName: string,
    tags: string[],
    tiles: Record<string, unknown>[] = [],
  ) => owner.call(createInsight, { body: { insightName, groupName, tags, content: content(...tiles) } })
  await make('Gas prices', 'Fuels', ['market gas', 'Daily'])
  await make('Gas storage', 'Fuels', ['storage'])
  await make('Runs', 'Fuels', ['storage'], [{ id: 's', title: 'Runs', type: 'STATUS' }])
  const names = async (query: object) =>
    (
      await owner.call(searchInsights, {
        query: { groupName: 'Fuels', sortBy: 'name', sortOrder: 'asc', ...query },
      })
    ).items.map(({ insightName }) => insightName)
  expect(await names({})).toEqual(['Gas prices', 'Gas storage', 'Runs'])
  expect(await names({ query: 'GAS' })).toEqual(['Gas prices', 'Gas storage'])
  expect(await names({ query: 'market g' })).toEqual(['Gas prices'])
  expect(await names({ query: 'name=gas*' })).toEqual(['Gas prices', 'Gas storage'])
  expect(await names({ query: '100%' })).toEqual([])
  expect(await names({ tag: 'STORAGE' })).toEqual(['Gas storage', 'Runs'])
  expect(await names({ tag: 'Market gas' })).toEqual(['Gas prices'])
  expect(await names({ insightType: 'WORKFLOW' })).toEqual(['Runs'])
  expect(await names({ insightType: 'VISUALISATION' })).toEqual(['Gas prices', 'Gas storage'])
  expect(await names({ size: 1, from: 1 })).toEqual(['Gas storage'])
  const one = await owner.call(searchInsights, { query: { query: 'groupName=Fuels&name=Runs', size: 1 } })
  expect(one).toMatchObject({ totalSize: 1, items: [{ insightName: 'Runs', isWorkflow: true }] })
  const page = async (from: string) =>
    (await (
      await owner.fetch(
        `/insights?query=name=gas*&size=1&insightType=VISUALISATION&sortBy=name&sortOrder=asc${from}`,
      )
    ).json()) as { from: number; totalSize: number; items: { insightName: string }[] }
  // The first page begins at 0, which is the default.
  for (const from of ['', '&from=0'])
    expect(await page(from)).toMatchObject({ from: 0, totalSize: 2, items: [{ insightName: 'Gas prices' }] })
  expect((await page('&from=1')).items.map(({ insightName }) => insightName)).toEqual(['Gas storage'])

  const tags = async (query: string) => (await owner.call(listInsightTags, { query: { query } })).items
  expect(await tags('.*stor.*')).toEqual(['storage'])
  expect(await tags('stor')).toEqual([])
  const made = ['market gas', 'Daily', 'storage']
  // The list can also contain tags of other tests.
  expect((await tags('*')).filter((tag) => made.includes(tag))).toEqual(['Daily', 'market gas', 'storage'])
})

test('IN-036 without read access to its group an insight cannot be found; with read access it cannot be changed', async () => {
  await owner.call(createInsight, {
    body: { insightName: 'Secret', groupName: 'Private', content: content() },
  })
  const params = { groupName: 'Private', insightName: 'Secret' }
  expect((await refusal(stranger.call(getInsight, { params }))).status).toBe(404)
  const { id } = await owner.call(getInsight, { params })
  for (const query of [{ query: 'Secret' }, { id }])
    expect((await stranger.call(searchInsights, { query })).totalSize).toBe(0)
  const byId = async (text: string) => (await owner.call(searchInsights, { query: { id: text } })).items
  expect((await byId(id)).map(({ insightName }) => insightName)).toEqual(['Secret'])
  expect(await byId('Secret')).toEqual([])

  const { groupId } = await owner.call(getGroup, { params: { name: 'Private' } })
  await server.running.platform.database.pool.query(
    'insert into group_grants (group_id, user_id, access) select $1, id, $3 from users where user_name = $2',
    [groupId, stranger.userName, 'R'],
  )
  expect(await stranger.call(getInsight, { params })).toMatchObject({ writeAccess: false })
  const save = stranger.call(updateInsight, {
    body: { oldGroupName: 'Private', oldInsightName: 'Secret', content: content(chart) },
  })
  expect((await refusal(save)).status).toBe(403)
  expect((await refusal(stranger.call(deleteInsight, { body: params }))).status).toBe(403)
  expect((await refusal(server.nobody.call(getInsight, { params }))).status).toBe(401)
})

test('IN-036 SH-114 write access to an insight needs write access to its file and to the area of its kind', async () => {
  await newGroup(owner, 'Guarded')
  const kinds = {
    Picture: content(chart),
    Process: content({ id: 's', title: 'Runs', type: 'STATUS' }),
  }
  for (const [insightName, definition] of Object.entries(kinds))
    await owner.call(createInsight, { body: { insightName, groupName: 'Guarded', content: definition } })
  const area = { Picture: 'Visualisations', Process: 'Workflows' } as const
  for (const [file, visualisations, workflows] of [
    ['RW', 'RW', 'RW'],
    ['R', 'RW', 'RW'],
    ['RW', 'R', 'RW'],
    ['RW', 'RW', 'R'],
  ] as const) {
    const user = await userWith({ Visualisations: visualisations, Workflows: workflows })
    await grant('Guarded', user, file)
    for (const [insightName, definition] of Object.entries(kinds)) {
      const params = { groupName: 'Guarded', insightName }
      const mode = area[insightName as keyof typeof area] === 'Workflows' ? workflows : visualisations
      const canWrite = file === 'RW' && mode === 'RW'
      const label = `${insightName}: file ${file}, area ${mode}`
      expect((await user.call(getInsight, { params })).writeAccess, label).toBe(canWrite)
      const save = user.call(updateInsight, {
        body: { oldGroupName: 'Guarded', oldInsightName: insightName, content: definition },
      })
      if (canWrite) await save
      else expect((await refusal(save)).status, label).toBe(403)
    }
  }
})

test('IN-083 IN-095 a rename or move includes all versions of the insight and leaves nothing behind', async () => {
  await owner.call(createInsight, {
    body: { insightName: 'Old name', groupName: 'Energy', tags: ['keep'], content: content(chart) },
  })
  await owner.call(updateInsight, {
    body: {
      oldGroupName: 'Energy',
      oldInsightName: 'Old name',
      newGroupName: 'Power',
      newInsightName: 'New name.json',
      content: content(chart),
    },
  })
  const moved = await owner.call(getInsight, { params: { groupName: 'Power', insightName: 'New name' } })
  expect(moved).toMatchObject({ tags: ['keep'], version: 2 })
  const old = owner.call(getInsight, { params: { groupName: 'Energy', insightName: 'Old name' } })
  expect((await refusal(old)).body.code).toBe('insightNotFound')
})

test('IN-104 validation errors are a list of fields and messages', async () => {
  await owner.call(createInsight, { body: { insightName: 'Taken', groupName: 'Energy', content: content() } })
  const make = (insightName: string, groupName = 'Energy') =>
    refusal(owner.call(createInsight, { body: { insightName, groupName, content: content() } }))
  expect((await make('Taken')).body.validationErrors).toEqual([
    { field: 'name', message: expect.stringContaining('“Taken”') },
  ])
  await upload(owner, 'Energy', 'other.json', '{}', 'SOURCE')
  expect((await make('other')).body).toMatchObject({
    code: 'fileInTheWay',
    validationErrors: [{ field: 'name' }],
  })
  expect((await make('')).body.validationErrors?.[0]?.field).toBe('insightName')
  for (const name of ['a/b', '..', 'a\u0000b', 'x'.repeat(201)]) expect((await make(name)).status).toBe(400)
  expect((await make('New', 'No such group')).body.validationErrors?.[0]?.field).toBe('groupName')
})

test('IN-122 a new or changed insight with two tiles of the same title is rejected, naming the second tile', async () => {
  const name = { groupName: 'Energy', insightName: 'Twice' }
  const first = { id: '1', title: 'A', type: 'Text' }
  const twice = content(first, { id: '2', title: 'A', type: 'Chart' })
  const expected = [{ field: 'content.tiles[1].title', message: 'Another tile already has the title “A”.' }]
  const create = owner.call(createInsight, { body: { ...name, content: twice } })
  expect((await refusal(create)).body.validationErrors).toEqual(expected)
  await owner.call(createInsight, { body: { ...name, content: content(first) } })
  const update = owner.call(updateInsight, {
    body: { oldGroupName: 'Energy', oldInsightName: 'Twice', content: twice },
  })
  expect((await refusal(update)).body.validationErrors).toEqual(expected)
  const stored = await owner.call(getInsight, { params: name })
  expect(stored.version).toBe(1)
  expect(stored.content.tiles).toMatchObject([first])
  expect(stored.content.tiles).toHaveLength(1)
})

test('IN-075 deleting an insight removes all its versions, and its group only with removeGroup', async () => {
  await newGroup(owner, 'Short lived')
  const body = { insightName: 'Gone', groupName: 'Short lived', content: content() }
  await owner.call(createInsight, { body })
  await owner.call(updateInsight, {
    body: { oldGroupName: 'Short lived', oldInsightName: 'Gone', content: content(chart) },
  })
  const names = { insightName: 'Gone', groupName: 'Short lived' }
  await owner.call(deleteInsight, { body: names })
  expect((await owner.call(searchFiles, { query: { query: 'name=Gone.json' } })).totalSize).toBe(0)
  expect((await refusal(owner.call(deleteInsight, { body: names }))).status).toBe(404)
  expect((await owner.call(getGroup, { params: { name: 'Short lived' } })).owner).toBe(owner.userName)

  await owner.call(createInsight, { body })
  await owner.call(deleteInsight, { body: { ...names, removeGroup: true } })
  expect((await refusal(owner.call(getGroup, { params: { name: 'Short lived' } }))).status).toBe(404)
})

test('IN-081 shouldCreateGroup creates the group', async () => {
  await owner.call(createInsight, {
    body: { insightName: 'First', groupName: 'Brand new', shouldCreateGroup: true, content: content() },
  })
  expect((await owner.call(getGroup, { params: { name: 'Brand new' } })).owner).toBe(owner.userName)
  const bad = owner.call(createInsight, {
    body: { insightName: 'First', groupName: 'a/b', shouldCreateGroup: true, content: content() },
  })
  expect((await refusal(bad)).body.validationErrors?.[0]?.field).toBe('groupName')
  const large = { ...content(), padding: 'x'.repeat(5_000_000) }
  const tooLarge = owner.call(createInsight, {
    body: { insightName: 'First', groupName: 'Never made', shouldCreateGroup: true, content: large },
  })
  expect((await refusal(tooLarge)).body.code).toBe('insightTooLarge')
  expect((await refusal(owner.call(getGroup, { params: { name: 'Never made' } }))).status).toBe(404)
})

test('IN-086 IN-087 IN-096 text tiles edited in place are saved to separate files before the insight that uses them', async () => {
  const text = (title: string, templateContent: string) => ({
    id: title || 'none',
    title,
    type: 'Text',
    source: { type: 'EDITOR' },
    templateContent,
  })
  const files = async () =>
    (await owner.call(searchFiles, { query: { query: 'name=Notes_*&type=MARKDOWN' } })).items.map((file) => [
      file.fileName,
      file.version,
      file.groupName,
    ])
  const newestName = async () =>
    (await owner.call(searchFiles, { query: { query: 'name=Notes*' } })).items[0]?.fileName
  await owner.call(createInsight, {
    body: {
      insightName: 'Notes',
      groupName: 'Energy',
      content: content(text('Intro', '# Hello'), text('', 'x')),
    },
  })
  expect((await files()).toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))).toEqual([
    ['Notes_Intro.md', 1, 'Energy'],
    ['Notes_TextTile.md', 1, 'Energy'],
  ])
  expect(await newestName()).toBe('Notes.json')
  await owner.call(updateInsight, {
    body: {
      oldInsightName: 'Notes',
      oldGroupName: 'Energy',
      content: content(text('Intro', '# Hello again'), text('', 'x')),
    },
  })
  const latest = await owner.call(searchFiles, { query: { query: 'name=Notes_Intro.md', latest: true } })
  expect(await (await owner.fetch(`/file/${latest.items[0]!.fid}/download`)).text()).toBe('# Hello again')
  expect(await newestName()).toBe('Notes.json')
  expect(await files()).toHaveLength(3)
})

test('reports a damaged definition as a client error, and allows it to be overwritten', async () => {
  const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
  const cases = {
    Broken: '{"tiles": [',
    List: '[]',
    Text: 'hello',
    Empty: '',
    Deep: deep,
    Binary: '\u0000\u0001',
  }
  for (const [name, text] of Object.entries(cases)) {
    await upload(owner, 'Energy', `${name}.json`, text)
    const params = { groupName: 'Energy', insightName: name }
    expect((await refusal(owner.call(getInsight, { params }))).body.code).toBe('insightDamaged')
    await owner.call(updateInsight, {
      body: { oldGroupName: 'Energy', oldInsightName: name, content: content() },
    })
    expect((await owner.call(getInsight, { params })).version).toBe(2)
  }
})

test('a partly damaged definition opens with its valid parts', async () => {
  await upload(
    owner,
    'Energy',
    'Half.json',
    JSON.stringify({
      tiles: [null, 7, 'x', { type: 5 }, { type: 'Chart', title: ['no'], series: 'no' }],
      datapreps: 3,
    }),
  )
  const insight = await owner.call(getInsight, { params: { groupName: 'Energy', insightName: 'Half' } })
  expect(insight.content.tiles).toHaveLength(2)
})

test('rejects a definition that is nested without limit or too large', async () => {
  const nested = (depth: number): unknown => (depth === 0 ? 1 : { nested: nested(depth - 1) })
  const save = (extra: object) =>
    refusal(
      owner.call(createInsight, {
        body: { insightName: 'Huge', groupName: 'Energy', content: { ...content(), ...extra } },
      }),
    )
  expect((await save({ nested: nested(61) })).body.validationErrors?.[0]?.field).toBe('content')
  expect((await save({ nested: nested(500) })).body.code).toBe('jsonTooDeep')
  expect((await save({ text: 'x'.repeat(5_000_000) })).body.code).toBe('insightTooLarge')
})

test('IN-049 IN-050 IN-051 every part of a definition is stored unchanged, including by an update', async () => {
  const parts = {
    type: 'VISUALISATION',
    tiles: [chart],
    headerBoxes: [{ id: 'h', title: 'Week', content: 'TEXT', text: '47' }],
    footer: { buttons: [{ id: 'b', title: 'Lake', type: 'PAGE', url: '/Lake' }] },
    inputParams: { p1: { title: 'Choose', keys: [] } },
    datapreps: { a: { symbols: [{ groupName: 'Energy', symbols: { Code: 'A' } }] } },
    mapData: [{ at: [1, 2] }],
    mapConfig: { dateFormat: 'yyyy-MM-dd', zoom: 3 },
    summaryConfig: { rows: 1 },
    nodes: [{ id: 'n' }],
    colorScheme: { accent: '#123456' },
  }
  const { id } = await owner.call(createInsight, {
    body: { insightName: 'Parts', groupName: 'Energy', content: { ...emptyContent(), ...parts } },
  })
  const params = { groupName: 'Energy', insightName: 'Parts' }
  const { content: read } = await owner.call(getInsight, { params })
  const { fileId } = await owner.call(updateInsight, {
    body: { oldGroupName: 'Energy', oldInsightName: 'Parts', content: { ...read, changed: true } },
  })
  for (const fid of [id, fileId])
    expect(await (await owner.fetch(`/file/${fid}/download`)).json()).toMatchObject(parts)
})

test('SH-114 insights are read with mode R of their area, and published with mode RW of the public view', async () => {
  await newGroup(owner, 'Published')
  const name = { groupName: 'Published', insightName: 'Open' }
  await owner.call(createInsight, { body: { ...name, content: content(chart) } })
  for (const [mode, status] of [
    ['R', 403],
    ['RW', 200],
  ] as const) {
    const user = await userWith({ Visualisations: 'RW', PublicView: mode })
    await grant('Published', user, 'RWS')
    expect(await user.call(getInsight, { params: name })).toMatchObject({ writeAccess: true })
    const body = JSON.stringify({ ...name, isPublic: true })
    const headers = { 'Content-Type': 'application/json' }
    const response = await user.fetch('/insights/public', { method: 'PUT', headers, body })
    expect(response.status, mode).toBe(status)
  }
  const nobody = await server.createUser()
  const { accounts } = server.running.platform
  await accounts.setUserRoles((await accounts.findUserByName(nobody.userName))!.userId, [])
  expect((await refusal(nobody.call(searchInsights, { query: {} }))).status).toBe(403)
})

test('IN-047 IN-048 IN-071 an insight includes its public status, shares and access, and can be read by name with isPublic', async () => {
  const name = { groupName: 'Energy', insightName: 'Carried' }
  const tiles = [chart, { id: 's', title: 'Runs', type: 'STATUS' }]
  await owner.call(createInsight, { body: { ...name, content: content(...tiles) } })
  const asVisitors = () => owner.call(getInsight, { params: name, query: { isPublic: true } })
  expect((await refusal(asVisitors())).body.code).toBe('notPublic')
  await owner.call(updatePublicStatus, { body: { ...name, isPublic: true, expirationDate: '2999-12-31' } })
  await owner.call(shareInsight, { body: { ...name, shares: [stranger.userName] } })
  const insight = await owner.call(getInsight, { params: name })
  expect(insight).toMatchObject({
    type: 'WORKFLOW',
    isWorkflow: true,
    fid: expect.any(String),
    isPublic: true,
    publicExpirationDate: '2999-12-31T23:59:59',
    isShared: true,
    writeAccess: true,
    content: { tiles: [{ id: 'a' }, { id: 's' }] },
  })
  // A user with read access gets the same insight without write access.
  expect(await stranger.call(getInsight, { params: name })).toMatchObject({ writeAccess: false })
  const { items } = await owner.call(listShared, {
    query: { groupName: 'Energy', name: 'Carried' },
  })
  expect(items).toMatchObject([{ email: stranger.userName, groups: [{ groupName: 'Energy', access: 'R' }] }])
  expect((await asVisitors()).content.tiles.map(({ id }) => id)).toEqual(['a'])
  await owner.call(unshareInsight, { body: { ...name, emails: [stranger.userName] } })
})

test('IN-070 a search accepts query, from, size and insightType in the body', async () => {
  for (const [insightName, ...tiles] of [
    ['Wind one'],
    ['Wind two'],
    ['Wind three'],
    ['Wind run', { id: 's', title: 'Runs', type: 'STATUS' }],
    ['Sun'],
  ] as [string, ...object[]][])
    await owner.call(createInsight, {
      body: { insightName, groupName: 'Energy', content: content(...(tiles as Record<string, unknown>[])) },
    })
  const search = async (body: object) => {
    const result = await owner.fetch('/insights/search', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ sortBy: 'name', sortOrder: 'asc', ...body }),
    })
    const { items, ...rest } = (await result.json()) as { items: { insightName: string }[] }
    return { ...rest, names: items.map(({ insightName }) => insightName) }
  }
  expect(await search({ query: 'name=Wind*', from: 1, size: 1, insightType: 'VISUALISATION' })).toMatchObject(
    { from: 1, totalSize: 3, names: ['Wind three'] },
  )
  expect((await search({ query: 'name=Wind*', insightType: 'WORKFLOW' })).names).toEqual(['Wind run'])
  // The contract names the same route.
  expect((await owner.call(searchInsightsByBody, { body: { query: 'name=Wind*' } })).totalSize).toBe(4)
})

test('IN-037 read access to workflows and read access to visualisations give access to different insights', async () => {
  const reader = await server.createUser({ role: 'Pipeline builder' })
  const operator = await userWith({ Workflows: 'R' })
  await newGroup(owner, 'Mixed')
  const name = { groupName: 'Mixed', insightName: 'Shown' }
  await owner.call(createInsight, { body: { ...name, content: content(chart) } })
  await owner.call(createInsight, {
    body: { ...name, insightName: 'Run', content: content({ id: 's', title: 'Runs', type: 'STATUS' }) },
  })
  await owner.call(shareInsight, { body: { ...name, shares: [reader.userName, operator.userName] } })
  const namesFor = async (session: Session) =>
    (await session.call(searchInsights, { query: { groupName: 'Mixed' } })).items.map(
      (each) => each.insightName,
    )
  expect(await namesFor(reader)).toEqual(['Shown'])
  expect(await namesFor(operator)).toEqual(['Run'])
  expect((await namesFor(owner)).toSorted()).toEqual(['Run', 'Shown'])
})

test('IN-038 only the owner of an insight can transfer the ownership of its file', async () => {
  await newGroup(owner, 'Owners')
  const { id } = await owner.call(createInsight, {
    body: { insightName: 'Owned', groupName: 'Owners', content: content() },
  })
  // Neither read access nor full access to the group makes a user the owner.
  const colleague = await server.createUser()
  await grant('Owners', colleague, 'RWS')
  await grant('Owners', stranger, 'R')
  const give = (session: Session) =>
    session.call(transferOwnership, {
      body: { fileIds: [id], currentOwnerUser: owner.userName, targetOwnerUser: stranger.userName },
    })
  for (const other of [stranger, colleague]) expect((await refusal(give(other))).body.code).toBe('notOwner')
  await give(owner)
  const insight = await owner.call(getInsight, { params: { groupName: 'Owners', insightName: 'Owned' } })
  expect(insight.owner).toBe(stranger.userName)
})

test('IN-093 a file-based template becomes a plain file source when it is saved', async () => {
  const template = {
    id: 'f',
    title: 'Old',
    type: 'FTL',
    dlTemplate: { groupName: 'Energy', name: 'page.ftl' },
  }
  const { id } = await owner.call(createInsight, {
    body: { insightName: 'From client', groupName: 'Energy', content: content(template) },
  })
  const { fileId } = await owner.call(updateInsight, {
    body: { oldInsightName: 'From client', oldGroupName: 'Energy', content: content(template) },
  })
  for (const fid of [id, fileId]) {
    const stored = (await (await owner.fetch(`/file/${fid}/download`)).json()) as InsightContent
    expect(stored.tiles[0]).toMatchObject({
      type: 'CODE',
      source: { type: 'FILE', value: { groupName: 'Energy', fileName: 'page.ftl' } },
    })
    expect(stored.tiles[0]).not.toHaveProperty('dlTemplate')
  }
})

test('IN-086 IN-088 IN-097 IN-098 code tiles edited in place are saved to files with the extension of their code type', async () => {
  const code = (title: string, codeType: string) => ({
    id: `${title}${codeType}`,
    title,
    type: 'CODE',
    codeType,
    source: { type: 'EDITOR' },
    templateContent: `code of ${title}`,
  })
  const tiles = [
    code('Page', 'html'),
    code('Model', 'python'),
    code('Query', 'sql'),
    code('Odd', '../x'),
    code('', 'html'),
  ]
  await owner.call(createInsight, {
    body: { insightName: 'Coded', groupName: 'Energy', content: content(...tiles) },
  })
  const { items } = await owner.call(searchFiles, { query: { query: 'name=Coded_*' } })
  expect(items.map(({ fileName }) => fileName).toSorted()).toEqual([
    'Coded_CodeTile.ftl',
    'Coded_Model.py',
    'Coded_Odd.x',
    'Coded_Page.ftl',
    'Coded_Query.sql',
  ])
  const page = items.find(({ fileName }) => fileName === 'Coded_Page.ftl')!
  expect(page.groupName).toBe('Energy')
  const textOf = async (fid: string) => (await owner.fetch(`/file/${fid}/download`)).text()
  expect(await textOf(page.fid)).toBe('code of Page')
  const changed = { ...tiles[0]!, templateContent: 'changed code' }
  await owner.call(updateInsight, {
    body: { oldInsightName: 'Coded', oldGroupName: 'Energy', content: content(changed, ...tiles.slice(1)) },
  })
  const query = { query: 'name=Coded_Page.ftl', latest: true }
  const [newest] = (await owner.call(searchFiles, { query })).items
  expect(newest!.version).toBe(2)
  expect(await textOf(newest!.fid)).toBe('changed code')
  const all = await owner.call(searchFiles, { query: { query: 'name=Coded*' } })
  expect(all.items[0]!.fileName, 'saved last').toBe('Coded.json')
})
