import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseHostPattern } from '@headwater/contract'
import { createGroup } from '@headwater/groups/contract'
import { createPipeline, executePipeline } from '@headwater/pipelines/contract'
import type { ErrorClass } from '@headwater/runs/contract'
import type { StepWork } from '@headwater/runs/server'
import { putSecret } from '@headwater/secrets/contract'
import { createEgress, createMailer, systemClock } from '@headwater/server-kit'
import { silentLog } from '@headwater/server-kit/testing'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { createEmailSender } from './email-sender.ts'
import { openFtp } from './library/remote-files/ftp-connection.ts'
import { openSftp } from './library/remote-files/sftp-connection.ts'
import {
  startFtpServer,
  startSftpServer,
  testKeys,
  type TestSftpServer,
} from './library/testing/file-servers.ts'

const password = 'canary secret of a server 1'
const network: ErrorClass[] = ['timeout', 'connection', 'unavailable']

let server: TestServer
let owner: Session
let sftp: TestSftpServer
let ftp: { port: number; stop: () => Promise<void> }
let mail: SMTPServer
/**
 * Codes with which the mail server refuses the next recipients; the FTP server refuses the same number of list requests with
 * 451.
 */
let refusals: number[] = []
let isPasswordRefused = false
let mails = 0

beforeAll(async () => {
  sftp = await startSftpServer({ password, publicKey: testKeys().public })
  const root = await mkdtemp(join(tmpdir(), 'ftp-'))
  ftp = await startFtpServer({ root, password, isBusy: () => refusals.shift() !== undefined })
  mail = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (auth, _session, done) =>
      isPasswordRefused || auth.password !== password
        ? done(Object.assign(new Error('Invalid password'), { responseCode: 535 }))
        : done(null, { user: 'mailer' }),
    onRcptTo(_address, _session, done) {
      const responseCode = refusals.shift()
      done(responseCode === undefined ? null : Object.assign(new Error('Try later'), { responseCode }))
    },
    onData(stream, _session, done) {
      stream.resume().on('end', () => {
        mails++
        done()
      })
    },
  })
  await new Promise<void>((resolve) => mail.listen(0, '127.0.0.1', resolve))
  const { port } = mail.server.address() as AddressInfo
  server = await startTestServer({
    env: {
      HEADWATER_INTERNAL_HOSTS: '127.0.0.1',
      HEADWATER_SMTP_URL: `smtp://mailer:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    },
  })
  owner = await server.createUser({ role: 'Pipeline builder' })
  await owner.call(createGroup, { body: { name: 'Flows' } })
  for (const [name, value] of Object.entries({ password, wrong: 'canary wrong password 2' }))
    await owner.call(putSecret, { params: { name }, body: { value, groupName: 'Flows' } })
})
beforeEach(() => {
  refusals = []
  isPasswordRefused = false
  mails = 0
  sftp.faults.clear()
})
afterAll(async () => {
  await server.stop()
  sftp.stop()
  await ftp.stop()
  await new Promise<void>((resolve) => mail.close(() => resolve()))
})

let count = 0

/** Runs a task with one retry for the given error classes; returns its status, message and number of attempts. */
async function run(taskName: string, params: Record<string, string>, retryOn: readonly ErrorClass[]) {
  const list = Object.entries(params).map(([name, value]) => ({ name, value }))
  const task = { id: 'a', taskReadableName: 'a', taskName, taskOverrides: { params: list } }
  const tasks = [{ ...task, retries: 1, retryDelay: 0, retryOn }]
  const { pipeline } = await owner.call(createPipeline, {
    body: { name: `flow ${++count}`, groupName: 'Flows', tasks: tasks as never },
  })
  const { jobId } = await owner.call(executePipeline, {
    params: { pipelineId: pipeline.id },
    body: { waitSeconds: 60 } as never,
  })
  const [job] = (await owner.call(searchStatuses, { query: { jobId } })).items
  const { rowCount } = await server.running.platform.database.pool.query(
    'select from run_attempts where run_id = $1',
    [jobId],
  )
  const { status, message } = job!.componentStatuses[0]!
  return { status, message, attempts: rowCount }
}

const login = { 'User name': 'reader', Password: 'password', Host: '127.0.0.1', Group: 'Flows' }
const tasks = {
  'ftp-source': () => ({ ...login, Port: String(ftp.port), Encryption: 'none' }),
  'sftp-source': () => ({ ...login, Port: String(sftp.port), 'Host key': sftp.hostKey }),
  'email-sender': () => ({ subject: 'Prices', recipients: 'anna@example.com', text: 'New prices' }),
} as const
const sources = ['ftp-source', 'sftp-source'] as const

/** Returns a port on which no server listens. */
async function closedPort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** Starts a server that sends only a greeting. */
async function startSilentServer(greeting = ''): Promise<{ port: number; stop: () => void }> {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).resume())
    if (greeting !== '') socket.write(`${greeting}\r\n`)
  }).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const stop = () => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  }
  return { port: (silent.address() as AddressInfo).port, stop }
}

/** Sends an e-mail through the server on a port; returns the result of the task. */
async function sendMail(port: number, connectMs?: number) {
  const mailer = createMailer({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    logFile: '',
    from: 'headwater@example.com',
    clock: systemClock,
    log: silentLog(),
    ...(connectMs === undefined ? {} : { connectMs }),
  })
  const kind = createEmailSender({ mailer, files: undefined as never })
  const outcome = await kind.run({
    inputs: tasks['email-sender'](),
    signal: new AbortController().signal,
  } as unknown as StepWork)
  mailer.close()
  return outcome
}

const egress = createEgress({ internalHosts: [parseHostPattern('127.0.0.1')!] })
const ftpLogin = (port: number) =>
  ({ host: '127.0.0.1', port, encryption: 'none', userName: 'reader', password }) as const
const sftpLogin = (port: number) => ({
  host: '127.0.0.1',
  port,
  userName: 'reader',
  password,
  hostKey: sftp.hostKey,
})

test.each(sources)('%s: a refused connection has the class connection', async (task) => {
  const params = { ...tasks[task](), Port: String(await closedPort()) }
  const failed = { status: 'ERROR', message: expect.stringContaining('ECONNREFUSED') as string }
  expect(await run(task, params, ['connection'])).toEqual({ ...failed, attempts: 2 })
  expect(await run(task, params, ['timeout', 'unavailable', 'other'])).toEqual({ ...failed, attempts: 1 })
})

test('email-sender: a refused connection has the class connection', async () => {
  expect(await sendMail(await closedPort())).toMatchObject({ status: 'ERROR', errors: ['connection'] })
})

test.each(sources)('%s: a rule for network errors does not retry a wrong password', async (task) => {
  const params = { ...tasks[task](), Password: 'wrong' }
  const failed = { status: 'ERROR', message: expect.stringContaining('The server refused') as string }
  expect(await run(task, params, network)).toEqual({ ...failed, attempts: 1 })
  expect(await run(task, params, ['other'])).toEqual({ ...failed, attempts: 2 })
})

test('email-sender: a rule for network errors does not retry a wrong password', async () => {
  isPasswordRefused = true
  const failed = { status: 'ERROR', message: expect.stringContaining('535 Invalid password') as string }
  expect(await run('email-sender', tasks['email-sender'](), network)).toEqual({ ...failed, attempts: 1 })
  expect(await run('email-sender', tasks['email-sender'](), ['other'])).toEqual({ ...failed, attempts: 2 })
})

test.each([
  // The client tries a second command to list a folder if the first one is refused.
  ['ftp-source', [451, 451]],
  ['email-sender', [421]],
  ['email-sender', [450]],
] as const)('%s: a temporary refusal with %j has the class unavailable', async (task, codes) => {
  refusals = [...codes]
  expect(await run(task, tasks[task](), ['unavailable'])).toMatchObject({ status: 'INFO', attempts: 2 })
  expect(mails).toBe(task === 'email-sender' ? 1 : 0)
  refusals = [...codes]
  const others = await run(task, tasks[task](), ['connection', 'timeout', 'other'])
  expect(others).toMatchObject({ status: 'ERROR', attempts: 1 })
})

test('a server that greets with 421 counts as unavailable', async () => {
  const busy = await startSilentServer('421 Too many connections')
  const { signal } = new AbortController()
  await expect(openFtp(egress, ftpLogin(busy.port), signal)).rejects.toMatchObject({
    errorClass: 'unavailable',
    message: 'The server responded: 421 Too many connections',
  })
  expect(await sendMail(busy.port)).toMatchObject({ status: 'ERROR', errors: ['unavailable'] })
  busy.stop()
})

test('reports a server that does not respond in time as a timeout', async () => {
  const silent = await startSilentServer()
  const { signal } = new AbortController()
  const timeout = { errorClass: 'timeout' }
  await expect(openFtp(egress, ftpLogin(silent.port), signal, { loginMs: 200 })).rejects.toMatchObject(
    timeout,
  )
  await expect(openFtp(egress, ftpLogin(silent.port), signal, { responseMs: 200 })).rejects.toMatchObject(
    timeout,
  )
  await expect(openSftp(egress, sftpLogin(silent.port), signal, { readyMs: 200 })).rejects.toMatchObject(
    timeout,
  )
  expect(await sendMail(silent.port, 200)).toMatchObject({ status: 'ERROR', errors: ['timeout'] })
  silent.stop()
  sftp.faults.add('silent list')
  // The server must open the SFTP session within this time, even on a busy machine.
  const connection = await openSftp(egress, sftpLogin(sftp.port), signal, { timeoutMs: 3000 })
  await expect(connection.list('/')).rejects.toMatchObject(timeout)
  connection.close()
})

test('an SFTP connection that closes while listing a folder has the class connection; a missing folder does not', async () => {
  const { signal } = new AbortController()
  sftp.faults.add('lost list')
  const lost = await openSftp(egress, sftpLogin(sftp.port), signal)
  await expect(lost.list('/')).rejects.toMatchObject({ errorClass: 'connection' })
  lost.close()
  const connection = await openSftp(egress, sftpLogin(sftp.port), signal)
  await expect(connection.list('/missing')).rejects.toMatchObject({ errorClass: 'other' })
  connection.close()
})
