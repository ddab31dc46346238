import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEgress, type EgressOptions } from '@headwater/server-kit'
import { certificate, privateKey } from '@headwater/server-kit/testing'
import { startImapServer, type ImapServer } from '../testing/imap-server.ts'
import { readMailbox } from './imap-mailbox.ts'

let imap: ImapServer
beforeAll(async () => {
  imap = await startImapServer({ certificate, key: privateKey })
  await imap.deliver('From: anna@partner.example\r\nSubject: Prices\r\n\r\nText\r\n')
})
afterAll(() => imap.stop())

const port = () => Number(new URL(imap.url).port)

/** Reads the mailbox of a host and returns its e-mails. */
async function read(host: string, options: Partial<EgressOptions>): Promise<string[]> {
  const mails: string[] = []
  const egress = createEgress({
    internalHosts: [{ host, subdomains: false, port: port() }],
    resolve: async () => ['127.0.0.1'],
    ...options,
  })
  const settings = { host, port: port(), secure: true, user: 'reader', password: 'secret' }
  await readMailbox(
    { ...settings, mailbox: 'INBOX', pollSeconds: 60 },
    egress,
    async (content) => {
      mails.push(content.toString())
      return { state: 'accepted' }
    },
    () => undefined,
  )
  return mails
}

test('a TLS mailbox is read only if the certificate is valid for its host and the address is allowed', async () => {
  const trusted = { authorities: [certificate] }
  await expect(read('secure.example', {})).rejects.toThrow(/self-signed certificate/)
  await expect(read('other.example', trusted)).rejects.toThrow(/does not match certificate/)
  await expect(read('secure.example', { ...trusted, internalHosts: [] })).rejects.toMatchObject({
    code: 'egressAddressForbidden',
  })
  const metadata = { ...trusted, resolve: async () => ['127.0.0.1', '169.254.169.254'] }
  await expect(read('secure.example', metadata)).rejects.toMatchObject({ code: 'egressAddressForbidden' })
  expect(await imap.count()).toEqual({ unseen: 1, seen: 0 })
  expect(await read('secure.example', trusted)).toEqual([expect.stringContaining('Subject: Prices')])
  expect(await imap.count()).toEqual({ unseen: 0, seen: 1 })
})
