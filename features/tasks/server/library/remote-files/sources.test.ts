import { mkdtemp, utimes, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseHostPattern } from '@headwater/contract'
import { searchFiles } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import type { StepWork } from '@headwater/runs/server'
import { putSecret } from '@headwater/secrets/contract'
import { createEgress } from '@headwater/server-kit'
import { certificate, privateKey } from '@headwater/server-kit/testing'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { startFtpServer, startSftpServer, testKeys, type TestSftpServer } from '../testing/file-servers.ts'
import { taskRuns, type TaskRuns } from '../testing/task-runs.ts'
import { openFtp } from './ftp-connection.ts'
import { openSftp } from './sftp-connection.ts'
import { createSftpSource } from './source-kinds.ts'

const password = 'canary secret of a file server 1'
const passphrase = 'canary passphrase of a key 2'
const keys = testKeys(passphrase)

let server: TestServer
let owner: Session
let run: TaskRuns
let sftp: TestSftpServer
let ftp: { port: number; stop: () => Promise<void> }
let ftpFolder: string

beforeAll(async () => {
  sftp = await startSftpServer({ password, publicKey: keys.public })
  ftpFolder = await mkdtemp(join(tmpdir(), 'ftp-'))
  ftp = await startFtpServer({ root: ftpFolder, password })
  // FTP data connections use separate ports, so the host is allowed without a port.
  server = await startTestServer({ env: { HEADWATER_INTERNAL_HOSTS: '127.0.0.1' } })
  owner = await server.createUser({ role: 'Pipeline builder' })
  await owner.call(createGroup, { body: { name: 'Flows' } })
  const secrets = { password, wrong: 'canary wrong password 3', key: keys.private, passphrase }
  for (const [name, value] of Object.entries(secrets))
    await owner.call(putSecret, { params: { name }, body: { value, groupName: 'Flows' } })
  run = taskRuns(owner, 'Flows')
})
afterAll(async () => {
  await server.stop()
  sftp.stop()
  await ftp.stop()
})

const newGroup = async (name: string) => (await owner.call(createGroup, { body: { name } })).name
const sftpParams = (group: string) => ({
  Host: '127.0.0.1',
  Port: String(sftp.port),
  'Host key': sftp.hostKey,
  'User name': 'reader',
  Password: 'password',
  Group: group,
})
const filesOf = async (group: string) =>
  (await owner.call(searchFiles, { query: { query: `groupName=${group}`, size: 100 } })).items
const namesOf = async (group: string) => (await filesOf(group)).map(({ name }) => name).toSorted()

async function contentOf(value: string): Promise<string> {
  const { id } = JSON.parse(value) as { id: string }
  return (await owner.fetch(`/file/${id}/download`)).text()
}

test('SFTP source fetches each new matching file once, and again when it changes', async () => {
  const group = await newGroup('Fetched')
  const large = Buffer.from(Array.from({ length: 100_000 }, (_, at) => `line ${at}\n`).join(''))
  sftp.files.clear()
  sftp.files.set('b large.csv', { content: large, mtime: 2000 })
  sftp.files.set('a.csv', { content: Buffer.from('one'), mtime: 1000 })
  sftp.files.set('empty.csv', { content: Buffer.alloc(0), mtime: 3000 })
  sftp.files.set('notes.txt', { content: Buffer.from('no'), mtime: 1000 })
  const task = { task: 'sftp-source', params: { ...sftpParams(group), Pattern: '*.csv' } }
  const first = await run({ ...task, outputs: ['Files', 'Count', 'File'] })
  expect(first.steps).toEqual([
    {
      status: 'INFO',
      message: expect.stringMatching(/^Stored 3 of 3 matching files \(.+\) in Fetched\.$/) as string,
    },
  ])
  const values = JSON.parse(first.value('t0.Files')!) as string[]
  expect(values.map((value) => (JSON.parse(value) as { name: string }).name)).toEqual([
    'a.csv',
    'b large.csv',
    'empty.csv',
  ])
  expect(first.value('t0.Count')).toBe('3')
  expect(await contentOf(values[0]!)).toBe('one')
  expect(await contentOf(values[1]!)).toBe(large.toString())
  const [a] = (await filesOf(group)).filter(({ name }) => name === 'a.csv')
  expect(a!.fields.source).toBe(`sftp://reader@127.0.0.1:${sftp.port}/a.csv`)

  const second = await run({ ...task, outputs: ['Files'] })
  expect(second.steps).toEqual([{ status: 'INFO', message: 'No new files. 3 files match the pattern.' }])
  expect(second.value('t0.Files')).toBe('[]')
  sftp.files.set('a.csv', { content: Buffer.from('two'), mtime: 4000 })
  const third = await run({ ...task, outputs: ['File'] })
  expect(third.steps[0]!.message).toMatch(/^Stored 1 of 3 /)
  expect(await contentOf(third.value('t0.File')!)).toBe('two')
  const all = await run({ ...task, params: { ...task.params, Fetch: 'all' }, outputs: ['Count'] })
  expect(all.value('t0.Count')).toBe('3')
})

test('a step that is repeated after a crash stores no file twice and still outputs all files', async () => {
  const group = await newGroup('Repeated')
  sftp.files.clear()
  for (const name of ['a.csv', 'b.csv']) sftp.files.set(name, { content: Buffer.from(name), mtime: 1000 })
  const { files, accounts } = server.running.platform
  const egress = createEgress({ internalHosts: [parseHostPattern('127.0.0.1')!] })
  const kind = createSftpSource({ egress, files })
  for (const fetch of ['new', 'all']) {
    const { grant, restart } = await server.startCode(owner)
    const principal = (await accounts.findPrincipal(grant.userId))!
    const attempt = async (number: number) => {
      const work = {
        principal: { ...principal, run: { ...grant.run, attempt: number, isBuiltIn: true } },
        eId: grant.run.eId,
        inputs: { ...sftpParams(group), Password: password, Fetch: fetch },
        signal: new AbortController().signal,
        report: () => Promise.resolve(),
      } as unknown as StepWork
      const outcome = await kind.run(work)
      return outcome.status === 'WAIT' ? undefined : outcome.outputs
    }
    const first = await attempt(1)
    const stored = await filesOf(group)
    await restart()
    expect(await attempt(2)).toEqual(first)
    expect(await filesOf(group)).toEqual(stored)
  }
})

test('a private key with a passphrase signs in; a wrong password or host key fails, and no message contains a secret', async () => {
  const group = await newGroup('Logins')
  sftp.files.clear()
  sftp.files.set('a.csv', { content: Buffer.from('x'), mtime: 1000 })
  const params = sftpParams(group)
  const key = { Authentication: 'key', 'Private key': 'key', Passphrase: 'passphrase' }
  const signedIn = await run({ task: 'sftp-source', params: { ...params, ...key } })
  expect(signedIn.steps[0]!.status).toBe('INFO')
  sftp.passwords.length = 0
  const messages: string[] = []
  for (const [change, message] of [
    [{ 'Host key': `SHA256:${'A'.repeat(43)}` }, `has the host key ${sftp.hostKey}, not the expected one`],
    [{ ...key, Passphrase: 'wrong' }, 'The private key cannot be read'],
    [{ Folder: '/missing' }, 'The folder “/missing” cannot be listed'],
    [{ Password: 'wrong' }, 'The server refused the user name, the password or the key.'],
  ] as const) {
    const { steps, jobId } = await run({ task: 'sftp-source', params: { ...params, ...change } })
    expect(steps[0]).toMatchObject({ status: 'ERROR', message: expect.stringContaining(message) as string })
    messages.push(steps[0]!.message, await (await owner.fetch(`/Logs/${jobId}`)).text())
    // A server with a different host key never receives the password.
    if ('Host key' in change) expect(sftp.passwords).toEqual([])
  }
  const texts = messages.join('\n')
  expect(texts).not.toContain('canary')
  expect(texts).not.toContain(keys.private.split('\n')[1])
  await expect(run({ task: 'sftp-source', params: { ...params, 'Host key': 'aa:bb' } })).rejects.toThrow(
    'The host key must be a fingerprint',
  )
})

test('SFTP source closes its connection after storing files and after an error', async () => {
  const group = await newGroup('Closed')
  sftp.files.clear()
  sftp.files.set('a.csv', { content: Buffer.from('x'), mtime: 1000 })
  await expect.poll(() => sftp.openConnections()).toBe(0)
  for (const [folder, status] of [
    ['/', 'INFO'],
    ['/missing', 'ERROR'],
  ] as const) {
    const { steps } = await run({ task: 'sftp-source', params: { ...sftpParams(group), Folder: folder } })
    expect(steps[0]!.status).toBe(status)
    await expect.poll(() => sftp.openConnections(), { message: folder }).toBe(0)
  }
})

test('nothing is stored if a listed name contains a path, a file changes while it is read, or too many files match', async () => {
  const group = await newGroup('Hostile')
  const params = sftpParams(group)
  for (const name of ['../../etc/cron.d/x', 'a\\b', 'a\u0000b', 'a/b']) {
    sftp.files.clear()
    sftp.files.set(name, { content: Buffer.from('x'), mtime: 1 })
    sftp.files.set('ok.csv', { content: Buffer.from('x'), mtime: 1 })
    const { steps } = await run({ task: 'sftp-source', params: { ...params, Pattern: 'ok*' } })
    expect(steps[0], name).toMatchObject({
      status: 'ERROR',
      message: expect.stringContaining('which contains a path. Nothing was fetched.') as string,
    })
  }
  sftp.files.clear()
  // The listed size differs from the size of the content.
  sftp.files.set('growing.csv', { content: Buffer.from('x'), mtime: 1, statedBytes: 5 })
  const growing = await run({ task: 'sftp-source', params })
  expect(growing.steps[0]).toEqual({
    status: 'ERROR',
    message: 'growing.csv changed while it was read. Run the task again when the file is complete.',
  })
  sftp.files.clear()
  for (let at = 0; at < 1001; at++) sftp.files.set(`f${at}`, { content: Buffer.alloc(0), mtime: 1 })
  const many = await run({ task: 'sftp-source', params })
  expect(many.steps[0]!.message).toBe(
    '1,001 files match the pattern; at most 1,000 can be fetched in one run. Use a narrower pattern.',
  )
  expect(await namesOf(group)).toEqual([])
})

test('a connection fails and is released if the server sends an endless list or stops responding', async () => {
  const egress = createEgress({ internalHosts: [parseHostPattern('127.0.0.1')!] })
  const login = { host: '127.0.0.1', port: sftp.port, userName: 'reader', hostKey: sftp.hostKey, password }
  sftp.files.set('a.csv', { content: Buffer.from('x'), mtime: 1 })
  const faults = {
    'endless list':
      'The folder “/” cannot be listed: the server sends an endless list. Check the folder on the server, or choose another one.',
    'long names': 'The list of the folder “/” is larger than 20 MB.',
    'silent list':
      'The folder “/” cannot be listed: the server did not respond within 3 s. Check the server, then run the task again.',
    'silent read':
      'The file “/a.csv” cannot be read: the server did not respond within 3 s. Check the server, then run the task again.',
  } as const
  for (const [fault, message] of Object.entries(faults)) {
    // Only a silent server may exceed its timeout, however slow the machine is.
    const options = fault.startsWith('silent') ? { timeoutMs: 3000 } : {}
    const connection = await openSftp(egress, login, new AbortController().signal, options)
    sftp.faults.add(fault as keyof typeof faults)
    const read = async () => {
      await connection.list('/')
      await text(await connection.read('/a.csv', 1))
    }
    await expect(read(), fault).rejects.toThrow(message)
    connection.close()
    sftp.faults.clear()
  }
})

test('FTP source fetches new files over passive connections, and a wrong password is rejected', async () => {
  const group = await newGroup('Ftp')
  await writeFile(join(ftpFolder, 'a.csv'), 'one')
  await writeFile(join(ftpFolder, 'b with space.csv'), 'x'.repeat(300_000))
  await writeFile(join(ftpFolder, 'c.txt'), 'no')
  const params = {
    Host: '127.0.0.1',
    Port: String(ftp.port),
    Encryption: 'none',
    'User name': 'reader',
    Password: 'password',
    Pattern: '*.csv',
    Group: group,
  }
  const first = await run({ task: 'ftp-source', params, outputs: ['Files'] })
  expect(first.steps[0]).toMatchObject({
    status: 'INFO',
    message: expect.stringMatching(/^Stored 2 of 2 /) as string,
  })
  expect(await namesOf(group)).toEqual(['a.csv', 'b with space.csv'])
  expect((await run({ task: 'ftp-source', params })).steps[0]!.message).toMatch(/^No new files\./)
  // The same size, but a different time.
  await writeFile(join(ftpFolder, 'a.csv'), 'two')
  await utimes(join(ftpFolder, 'a.csv'), 1_900_000_000, 1_900_000_000)
  const changed = await run({ task: 'ftp-source', params, outputs: ['File'] })
  expect(await contentOf(changed.value('t0.File')!)).toBe('two')
  const wrong = await run({ task: 'ftp-source', params: { ...params, Password: 'wrong' } })
  expect(wrong.steps[0]).toEqual({
    status: 'ERROR',
    message: 'The server refused the user name or the password.',
  })
})

test('FTP with TLS verifies the certificate, and data connections also use TLS', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ftps-'))
  await writeFile(join(folder, 'a.csv'), 'secret content')
  const secure = await startFtpServer({ root: folder, password, tls: { key: privateKey, cert: certificate } })
  const login = {
    host: 'secure.example',
    port: secure.port,
    encryption: 'explicit',
    userName: 'reader',
    password,
  } as const
  const egressOf = (authorities: string[]) =>
    createEgress({
      internalHosts: [parseHostPattern('secure.example')!, parseHostPattern('other.example')!],
      resolve: () => Promise.resolve(['127.0.0.1']),
      authorities,
    })
  const { signal } = new AbortController()
  const connection = await openFtp(egressOf([certificate]), login, signal)
  expect(await connection.list('/')).toMatchObject([{ name: 'a.csv', sizeBytes: 14 }])
  expect(await text(await connection.read('/a.csv', 14))).toBe('secret content')
  connection.close()
  await expect(openFtp(egressOf([]), login, signal)).rejects.toThrow('The connection to the server failed')
  await expect(openFtp(egressOf([certificate]), { ...login, host: 'other.example' }, signal)).rejects.toThrow(
    'The connection to the server failed',
  )
  await secure.stop()
})

test('FTP data connections with TLS use the address of the control connection, even if the host name then resolves to a different address', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ftps-'))
  await writeFile(join(folder, 'a.csv'), 'content')
  const secure = await startFtpServer({ root: folder, password, tls: { key: privateKey, cert: certificate } })
  let addresses = ['127.0.0.1']
  const egress = createEgress({
    internalHosts: [parseHostPattern('secure.example')!],
    resolve: () => Promise.resolve(addresses),
    authorities: [certificate],
  })
  const login = {
    host: 'secure.example',
    port: secure.port,
    encryption: 'explicit',
    userName: 'reader',
    password,
  } as const
  const connection = await openFtp(egress, login, new AbortController().signal)
  // No server listens there.
  addresses = ['127.0.0.2']
  expect(await connection.list('/')).toMatchObject([{ name: 'a.csv' }])
  expect(await text(await connection.read('/a.csv', 7))).toBe('content')
  connection.close()
  await secure.stop()
})

test('an FTP server cannot redirect data connections to a different host or to an invalid port', async () => {
  const other = createServer()
  let connections = 0
  other.on('connection', (socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.3', resolve))
  const { port: foreign } = other.address() as AddressInfo
  const egress = createEgress({
    internalHosts: ['127.0.0.1', '127.0.0.3'].map((host) => parseHostPattern(host)!),
  })
  const passive = [
    ['229 Entering Extended Passive Mode (|||99999|)', '', 'names port 99999'],
    ['229 Entering Extended Passive Mode (|||0|)', '', 'names port 0'],
    ['500 unknown', '227 Entering Passive Mode (127,0,0,1,999,1)', 'names port 255745'],
    ['500 unknown', `227 Entering Passive Mode (127,0,0,3,${foreign >> 8},${foreign & 255})`, 'failed'],
    [`229 Entering Extended Passive Mode (|1|127.0.0.3|${foreign}|)`, '500 unknown', 'unknown'],
  ] as const
  for (const [extended, plain, message] of passive) {
    const server = createServer((socket) => {
      const reply = (line: string) => socket.write(`${line}\r\n`)
      reply('220 ready')
      socket.on('error', () => undefined)
      socket.on('data', (data) => {
        for (const command of data
          .toString()
          .split('\r\n')
          .filter((line) => line !== ''))
          if (command.startsWith('USER')) reply('331 password')
          else if (command.startsWith('EPSV')) reply(extended)
          else if (command.startsWith('PASV')) reply(plain)
          else reply('200 ok')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const login = { host: '127.0.0.1', port, encryption: 'none', userName: 'reader', password } as const
    const connection = await openFtp(egress, login, new AbortController().signal)
    await expect(connection.list('/'), extended + plain).rejects.toThrow(message)
    connection.close()
    server.close()
  }
  expect(connections).toBe(0)
  other.close()
})

test('the login to an FTP server that never completes TLS ends at the timeout, or when the run is stopped', async () => {
  const open = new Set<Socket>()
  for (const encryption of ['implicit', 'explicit'] as const) {
    const server = createServer((socket) => {
      open.add(socket)
      socket.on('error', () => undefined).on('close', () => open.delete(socket))
      if (encryption === 'implicit') socket.resume()
      else {
        socket.write('220 ready\r\n')
        socket.once('data', () => socket.write('234 TLS now\r\n'))
      }
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const egress = createEgress({ internalHosts: [parseHostPattern('127.0.0.1')!] })
    const login = { host: '127.0.0.1', port, encryption, userName: 'reader', password }
    const { signal } = new AbortController()
    await expect(openFtp(egress, login, signal, { loginMs: 300 }), encryption).rejects.toThrow(
      'The login did not complete within 0.3 s. Check the server and the encryption, then run the task again.',
    )
    await expect(openFtp(egress, login, AbortSignal.timeout(300)), encryption).rejects.toThrow('timeout')
    await expect.poll(() => open.size, { message: encryption }).toBe(0)
    server.close()
  }
})

test('both sources can reach only allowed internal hosts, and data connections use only allowed ports', async () => {
  const group = await newGroup('Internal')
  for (const host of ['10.0.0.1', '169.254.169.254', 'localhost'])
    for (const task of ['sftp-source', 'ftp-source']) {
      const params = { ...sftpParams(group), Host: host, Encryption: 'none' }
      if (task === 'ftp-source') Reflect.deleteProperty(params, 'Host key')
      else Reflect.deleteProperty(params, 'Encryption')
      const { steps } = await run({ task, params })
      expect(steps[0], `${task} ${host}`).toMatchObject({
        status: 'ERROR',
        message: expect.stringContaining('is an internal host') as string,
      })
    }
  const egress = createEgress({ internalHosts: [parseHostPattern(`127.0.0.1:${ftp.port}`)!] })
  const login = {
    host: '127.0.0.1',
    port: ftp.port,
    encryption: 'none',
    userName: 'reader',
    password,
  } as const
  const connection = await openFtp(egress, login, new AbortController().signal)
  await expect(connection.list('/')).rejects.toThrow('is an internal host')
  connection.close()
})

test('both sources reject a host name that resolves to a disallowed internal address before they send a password', async () => {
  sftp.files.clear()
  sftp.files.set('a.csv', { content: Buffer.from('content'), mtime: 1000 })
  await writeFile(join(ftpFolder, 'a.csv'), 'content')
  const { signal } = new AbortController()
  const open = (addresses: string[], allowed: readonly string[]) => {
    const egress = createEgress({
      internalHosts: allowed.map((host) => parseHostPattern(host)!),
      resolve: () => Promise.resolve(addresses),
    })
    const login = { host: 'files.example', userName: 'reader', password }
    return [
      () => openSftp(egress, { ...login, port: sftp.port, hostKey: sftp.hostKey }, signal),
      () => openFtp(egress, { ...login, port: ftp.port, encryption: 'none' }, signal),
    ]
  }
  const loginCount = sftp.passwords.length
  for (const addresses of [
    ['127.0.0.1'],
    ['10.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    // The client could use either of them.
    ['8.8.8.8', '127.0.0.1'],
  ])
    for (const connect of open(addresses, ['other.example']))
      await expect(connect(), addresses.join()).rejects.toMatchObject({
        code: 'egressAddressForbidden',
        message: expect.stringContaining('“files.example:') as string,
      })
  expect(sftp.passwords).toHaveLength(loginCount)

  for (const connect of open(['127.0.0.1'], ['files.example'])) {
    const connection = await connect()
    expect(await connection.list('/')).toContainEqual(expect.objectContaining({ name: 'a.csv' }))
    connection.close()
  }
})
