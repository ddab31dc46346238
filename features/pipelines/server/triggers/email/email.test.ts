import { createTransport, type SendMailOptions } from 'nodemailer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { downloadFile, searchFiles } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { refusal } from '@headwater/server/testing'
import { listGeneratedValues } from '../../../contract/index.ts'
import { freePort, startImapServer, type ImapServer } from '../testing/imap-server.ts'
import { startTriggerWorld, type GivenTrigger, type TriggerWorld } from '../testing/trigger-world.ts'
import { maxMailBytes } from './read-mail.ts'
import { senderProblem } from './mail-sender.ts'

let world: TriggerWorld
let imap: ImapServer
let port: number

beforeAll(async () => {
  imap = await startImapServer()
  port = await freePort()
  world = await startTriggerWorld({
    HEADWATER_MAIL_IN_ADDRESS: 'Pipelines@example.com',
    HEADWATER_MAIL_IN_PORT: String(port),
    HEADWATER_IMAP_URL: imap.url,
    HEADWATER_IMAP_POLL_SECONDS: '1',
  })
  await world.owner.call(createGroup, { body: { name: 'Attachments' } })
})
afterAll(async () => {
  await world.stop()
  await imap.stop()
})

async function receiver(name: string, more: Partial<GivenTrigger> = {}, text = '${trigger.body}') {
  const id = await world.pipeline(name, text)
  const [set] = await world.set(id, [{ type: 'EMAIL', allowedSenders: ['*@partner.example'], ...more }])
  return { id, set: set!, address: (set as { address?: string | null }).address ?? '' }
}

/** Sends an e-mail by SMTP and returns the response code. */
async function send(mail: SendMailOptions): Promise<number> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
  try {
    const { response } = await transport.sendMail({
      from: 'Anna <Anna@Partner.example>',
      text: 'Hello',
      ...mail,
    })
    return Number(response.slice(0, 3))
  } catch (error) {
    return (error as { responseCode?: number }).responseCode ?? 0
  } finally {
    transport.close()
  }
}

test('an e-mail over SMTP to the address of a trigger starts one run with its values', async () => {
  const { id, address } = await receiver('by smtp', {}, '${trigger.subject}')
  expect(address).toMatch(/^pipelines\+[0-9a-f]{32}@example\.com$/)
  const mail = {
    to: address,
    subject: 'Prices of today',
    messageId: '<one@partner.example>',
    date: new Date(),
  }
  expect([await send(mail), await send(mail)]).toEqual([250, 250])
  const [job] = await world.ended(id, 1)
  await world.settled()
  expect(await world.jobs(id)).toHaveLength(1)
  expect(job).toMatchObject({ status: 'INFO', types: ['EMAIL'], owner: world.owner.userName })
  expect(world.mails('by smtp')).toEqual(['Prices of today'])
  const { items } = await world.owner.call(listGeneratedValues, {
    params: { pipelineId: id },
    query: { jobId: job!.jobId },
  })
  expect(Object.fromEntries(items.map(({ name, value }) => [name, value]))).toMatchObject({
    '${trigger.from}': 'anna@partner.example',
    '${trigger.subject}': 'Prices of today',
    '${trigger.body}': 'Hello\n',
    '${trigger.attachments}': '[]',
  })
})

test('an e-mail in the mailbox starts one run and is marked as seen; e-mails that start nothing are also marked', async () => {
  const { id, address } = await receiver('by imap', {}, '${trigger.subject}')
  const mail = (subject: string, to: string) =>
    `From: anna@partner.example\r\nTo: ${to}\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@partner.example>\r\n\r\nText\r\n`
  await imap.deliver(mail('first', address))
  await imap.deliver(mail('first', address))
  await imap.deliver(mail('other', 'somebody@example.com'))
  await imap.deliver(mail('large', address) + 'x'.repeat(maxMailBytes))
  await world.ended(id, 1)
  await expect.poll(() => imap.count()).toEqual({ unseen: 0, seen: 4 })
  await world.settled()
  expect(await world.jobs(id)).toHaveLength(1)
  expect(world.mails('by imap')).toEqual(['first'])
})

test('attachments become files in the group, with safe names', async () => {
  const { id, address } = await receiver('attached', { attachmentsGroupName: 'Attachments' }, 'done')
  const attachments = [
    { filename: '../../etc/prices.csv', content: 'a,b' },
    { filename: 'prices.csv', content: 'c,d' },
    {
      content: 'nameless',
      contentDisposition: 'attachment' as const,
      contentType: 'application/octet-stream',
    },
  ]
  expect(await send({ to: address, subject: 'files', attachments })).toBe(250)
  const [job] = await world.ended(id, 1)
  expect(job!.status).toBe('INFO')
  const { items } = await world.owner.call(searchFiles, {
    query: { query: 'groupName=Attachments', sortBy: 'arrivalTime', sortOrder: 'asc' } as never,
  })
  expect(items.map(({ fileName }) => fileName)).toEqual([
    expect.stringMatching(/^[^/\\]*prices\.csv$/),
    'prices.csv',
    expect.stringMatching(/^attachment-3/),
  ])
  const content = await world.owner.fetch(`/file/${items[1]!.fid}/download`)
  expect(await content.text()).toBe('c,d')
  expect(downloadFile.path).toBe('/file/:fid/download')
  const { rows } = await world.server.running.platform.database.pool.query(
    'select count(*)::int as count from pipeline_trigger_mails',
  )
  expect(rows[0].count).toBe(0)
})

test('e-mails from other senders, from this server, and to unknown addresses are rejected', async () => {
  const { id, address, set } = await receiver('guarded', {
    allowedSenders: ['*@partner.example', 'headwater@localhost.localdomain'],
    subjectPattern: 'Report*',
  })
  const mail = { to: address, subject: 'Report' }
  expect(await send({ ...mail, from: 'eve@elsewhere.example' })).toBe(554)
  expect(await send({ ...mail, from: 'eve@elsewhere.example', sender: 'anna@partner.example' })).toBe(554)
  expect(await send({ ...mail, from: ['anna@partner.example', 'eve@elsewhere.example'] })).toBe(554)
  expect(await send({ ...mail, from: 'headwater@localhost.localdomain' })).toBe(554)
  expect(await send({ ...mail, subject: 'Holiday' })).toBe(554)
  expect(await send({ ...mail, to: 'pipelines@example.com' })).toBe(550)
  expect(await send({ ...mail, to: `pipelines+${'0'.repeat(32)}@example.com` })).toBe(550)
  expect(await send({ ...mail, text: 'x'.repeat(maxMailBytes) })).toBe(552)
  await world.set(id, [{ ...set, active: false }])
  expect(await send(mail)).toBe(550)
  await world.settled()
  expect(await world.jobs(id)).toEqual([])
})

test('the number of waiting e-mails and of runs started within an hour is limited', async () => {
  const { id, address, set } = await receiver('bombed')
  const { pool } = world.server.running.platform.database
  const fill = (count: number, jobId: string | null) =>
    pool.query(
      `insert into pipeline_trigger_firings (trigger_id, cause, run_values, chain, occurred_at, job_id)
       select $1, 'mail ' || number, '{}', '{}', now(), $3 from generate_series(1, $2) as number`,
      [set.id, count, jobId],
    )
  await fill(100, null)
  expect(await send({ to: address, subject: 'one more' })).toBe(452)
  await pool.query('delete from pipeline_trigger_firings where trigger_id = $1', [set.id])
  await fill(200, set.id)
  expect(await send({ to: address, subject: 'one more' })).toBe(554)
  expect(await world.jobs(id)).toEqual([])
})

test('an e-mail with thousands of parts is rejected, or read without these parts', async () => {
  const { id, address } = await receiver('nested', {}, 'done')
  const parts = Array.from(
    { length: 5000 },
    (_, index) => `--b\r\nContent-Type: multipart/mixed; boundary=b${index}\r\n\r\n`,
  )
  const raw = `From: anna@partner.example\r\nTo: ${address}\r\nSubject: nested\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('')}--b--\r\n`
  const code = await send({ envelope: { from: 'anna@partner.example', to: address }, raw })
  expect([250, 451, 554]).toContain(code)
  await world.settled()
  expect((await world.jobs(id)).length).toBe(code === 250 ? 1 : 0)
})

test('the owner needs write access to the group of the attachments', async () => {
  await world.server.admin.call(createGroup, { body: { name: 'Not for all' } })
  const id = await world.pipeline('no access')
  const given = {
    type: 'EMAIL' as const,
    allowedSenders: ['*@partner.example'],
    attachmentsGroupName: 'Not for all',
  }
  const error = await refusal(world.set(id, [given]))
  expect(error.body.validationErrors).toMatchObject([{ field: 'schedulerTriggers' }])
})

const results = (value: string) => ({ senders: ['anna@mail.partner.example'], authentication: [value] })
test.each([
  ['mx.example.com; dmarc=pass header.from=partner.example', true],
  ['mx.example.com; spf=fail smtp.mailfrom=x@evil.example; dkim=pass (good) header.d=partner.example', true],
  ['mx.example.com; spf=pass smtp.mailfrom=bounce@mail.partner.example', true],
  ['mx.example.com; dkim=pass header.d=evil.example; spf=pass smtp.mailfrom=evil.example', false],
  ['mx.example.com; dkim=pass header.d=example', false],
  ['mx.example.com; dmarc=fail header.from=partner.example', false],
  ['mx.example.com; none (dmarc=pass)', false],
  ['mx.example.com.evil.example; dmarc=pass', false],
  ['evil.example; dmarc=pass', false],
])('the result “%s” proves the sender: %s', (value, isProven) => {
  const problem = senderProblem(results(value), ['*@mail.partner.example'], 'mx.example.com')
  expect(problem === undefined).toBe(isProven)
})

test('only the last authentication result counts', () => {
  const mail = {
    senders: ['anna@partner.example'],
    authentication: ['mx.example.com; dmarc=fail', 'mx.example.com; dmarc=pass header.from=partner.example'],
  }
  expect(senderProblem(mail, ['anna@partner.example'], 'mx.example.com')).toContain('does not confirm')
  expect(senderProblem(mail, ['anna@partner.example'], undefined)).toBeUndefined()
})
