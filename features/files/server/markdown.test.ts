import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAuditRecords } from '@headwater/audit/contract'
import { pathOf } from '@headwater/contract'
import { createGroup } from '@headwater/groups/contract'
import {
  CallError,
  refusal,
  startTestServer,
  upload,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import {
  createFile,
  getMarkdown,
  listFileVersions,
  saveMarkdown,
  updateFile,
  type ContentReceipt,
} from '../contract/index.ts'

let server: TestServer
let anna: Session
let reader: Session
let stranger: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  reader = await server.createUser({ email: 'reader@example.com' })
  stranger = await server.createUser({ email: 'stranger@example.com' })
  await anna.call(createGroup, { body: { name: 'Notes' } })
  await server.grantGroup({ groupName: 'Notes', userName: reader.userName, access: 'R' })
})
afterAll(() => server.stop())

async function make(fileName = 'tanks.md', content = '# Tanks\r\n'): Promise<string> {
  const fields = [
    { name: 'Desk', value: 'oil' },
    { name: 'dataStart', value: '1000' },
    { name: 'dataEnd', value: '2000' },
  ]
  return (await upload(anna, { groupName: 'Notes', fileName, fileType: 'MARKDOWN', fields, content })).fileId
}

const read = (fid: string, session = anna) => session.fetch(pathOf(getMarkdown.path, { fid }))

async function save(
  fid: string,
  text: string,
  { session = anna, query = '', headers = {} }: { session?: Session; query?: string; headers?: object } = {},
): Promise<ContentReceipt> {
  const response = await session.fetch(`${pathOf(saveMarkdown.path, { fid })}${query}`, {
    method: 'PUT',
    body: text,
    headers: { 'Content-Type': 'application/octet-stream', ...headers },
  })
  const body: unknown = await response.json()
  if (!response.ok) throw new CallError(response.status, body as CallError['body'])
  return body as ContentReceipt
}

const versions = async (fid: string) => (await anna.call(listFileVersions, { params: { fid } })).items

test('DP-191 a text is returned as it was stored, and saved as a new version with the metadata of the previous one', async () => {
  const fid = await make()
  const response = await read(fid)
  expect(await response.text()).toBe('# Tanks\r\n')
  expect(response.headers.get('content-security-policy')).toContain('sandbox')
  const receipt = await save(fid, '# Full\n', { query: '?fileType=source' })
  expect(receipt).toMatchObject({ status: 'READY', size: 7 })
  expect(await (await read(receipt.fileId)).text()).toBe('# Full\n')
  const [newest] = await versions(fid)
  expect(newest).toMatchObject({
    fid: receipt.fileId,
    fileType: 'SOURCE',
    version: 2,
    latest: true,
    fields: { Desk: 'oil' },
    dataStart: 1000,
    dataEnd: 2000,
    owner: anna.userName,
  })
  await server.running.platform.audit.flush()
  const { items } = await server.admin.call(listAuditRecords, { query: { route: 'saveMarkdown' } })
  expect(items.map(({ userName, object, status }) => ({ userName, object, status }))).toEqual([
    { userName: anna.userName, object: { fid }, status: 200 },
  ])
})

test('one of two concurrent saves based on the same version is stored, and the other is rejected; metadata changed in the meantime is preserved', async () => {
  const fid = await make('race.md')
  await anna.call(updateFile, { params: { fid }, body: { fields: [{ name: 'Desk', value: 'gas' }] } })
  const results = await Promise.allSettled(['one', 'two', 'three'].map((text) => save(fid, text)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results.filter(({ status }) => status === 'rejected'))
    expect(result).toMatchObject({ reason: { status: 409, body: { code: 'notNewestVersion' } } })
  // Also a later save over the outdated version.
  expect((await refusal(save(fid, 'late'))).body.code).toBe('notNewestVersion')
  const saved = await versions(fid)
  expect(saved.map(({ version, fields }) => [version, fields])).toEqual([
    [2, { Desk: 'gas' }],
    [1, { Desk: 'gas' }],
  ])
})

/** A body whose end arrives when the test calls `finish`. */
function slowBody() {
  let finish = () => {}
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode('# Slow '))
      await new Promise<void>((resolve) => (finish = resolve))
      controller.enqueue(new TextEncoder().encode('text'))
      controller.close()
    },
  })
  return { init: { method: 'PUT', body, duplex: 'half' } as RequestInit, finish: () => finish() }
}

test.for([
  {
    way: 'text',
    fileName: 'slow.md',
    send: async (fid: string, init: RequestInit) =>
      anna.fetch(pathOf(saveMarkdown.path, { fid }), {
        ...init,
        headers: { 'Content-Type': 'application/octet-stream' },
      }),
  },
  {
    way: 'content',
    fileName: 'slow.txt',
    send: async (fid: string, init: RequestInit) => {
      const { location } = await anna.call(createFile, { body: { groupName: 'Notes', fileName: 'slow.txt' } })
      return fetch(`${location}&basedOn=${fid}&keepsMetadata=true`, init)
    },
  },
])(
  'metadata that is changed or removed during the transfer of a $way is not lost',
  async ({ fileName, send }) => {
    const fid = await make(fileName)
    const { init, finish } = slowBody()
    const saving = send(fid, init)
    await expect
      .poll(async () => {
        const { rows } = await server.running.platform.database.pool.query(
          `select from files where name = $1 and state = 'awaiting'`,
          [fileName],
        )
        return rows.length
      })
      .toBe(1)
    const fields = [
      { name: 'Desk', value: '' },
      { name: 'Region', value: 'EU' },
    ]
    await anna.call(updateFile, { params: { fid }, body: { fields } })
    finish()
    const receipt = (await (await saving).json()) as ContentReceipt
    const [newest] = await versions(fid)
    expect(newest).toMatchObject({
      fid: receipt.fileId,
      fields: { Region: 'EU' },
      dataStart: 1000,
      dataEnd: 2000,
    })
    expect(newest!.fields).not.toHaveProperty('Desk')
  },
)

test('a text with the type of a series file or above 25 MB is rejected with an error that states the allowed values, and nothing is stored', async () => {
  const fid = await make('limits.md')
  for (const fileType of ['ncsv', 'D-NCSV'])
    expect(await refusal(save(fid, 'Code,Date,Close', { query: `?fileType=${fileType}` }))).toMatchObject({
      status: 400,
      body: {
        code: 'notTypeOfText',
        validationErrors: [
          {
            field: 'fileType',
            message: expect.stringContaining('Choose MARKDOWN, SOURCE or another type') as unknown,
          },
        ],
      },
    })
  const tooLarge = 'x'.repeat(25_000_001)
  const refused = {
    status: 413,
    body: { code: 'textTooLarge', message: expect.stringContaining('at most 25 MB') as unknown },
  }
  expect(await refusal(save(fid, tooLarge))).toMatchObject(refused)
  const body = new Blob([tooLarge]).stream()
  const response = await anna.fetch(pathOf(saveMarkdown.path, { fid }), {
    method: 'PUT',
    body,
    duplex: 'half',
    headers: { 'Content-Type': 'application/octet-stream' },
  } as RequestInit)
  expect({ status: response.status, body: await response.json() }).toMatchObject(refused)
  const { rows } = await server.running.platform.database.pool.query(
    "select state from files where name = 'limits.md'",
  )
  expect(rows).toEqual([{ state: 'ready' }])
})

test('users with read access cannot save, users without access get 404, and files of other types are rejected', async () => {
  const fid = await make('rights.md')
  expect((await read(fid, reader)).status).toBe(200)
  expect(await refusal(save(fid, 'theirs', { session: reader }))).toMatchObject({
    status: 403,
    body: { code: 'groupForbidden' },
  })
  for (const outcome of [await read(fid, stranger), await read('00000000-0000-4000-8000-000000000000')])
    expect(outcome.status).toBe(404)
  expect((await refusal(save(fid, 'theirs', { session: stranger }))).status).toBe(404)
  const { fileId } = await upload(anna, { groupName: 'Notes', fileName: 'plain.txt' })
  const refused = await refusal(save(fileId, '# No'))
  expect(refused).toMatchObject({
    status: 400,
    body: {
      code: 'notMarkdown',
      message: '“plain.txt” is not a markdown file. Its type must be MARKDOWN, or its name must end in .md.',
    },
  })
  expect((await read(fileId)).status).toBe(400)
  expect(await versions(fid)).toHaveLength(1)
})

test('a damaged transfer saves nothing and leaves no announced file', async () => {
  const fid = await make('damaged.md')
  const headers = { 'X-Content-SHA256': '0'.repeat(64) }
  expect((await refusal(save(fid, 'changed', { headers }))).body.code).toBe('digestWrong')
  const { rows } = await server.running.platform.database.pool.query<{ state: string }>(
    "select state from files where name = 'damaged.md'",
  )
  expect(rows).toEqual([{ state: 'ready' }])
})

test('a failure to remove the announced file does not hide why a text was not saved', async () => {
  const fid = await make('stuck.md')
  const { pool } = server.running.platform.database
  await pool.query(`create function refuse_deletion() returns trigger language plpgsql as
    $$ begin raise exception 'no deletion'; end $$`)
  await pool.query(`create trigger refused before delete on files for each row when (old.name = 'stuck.md')
    execute function refuse_deletion()`)
  const headers = { 'X-Content-SHA256': '0'.repeat(64) }
  expect((await refusal(save(fid, 'changed', { headers }))).body.code).toBe('digestWrong')
  await pool.query('drop trigger refused on files')
})
