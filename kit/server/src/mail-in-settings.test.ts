import { expect, test } from 'vitest'
import { readMailIn } from './mail-in-settings.ts'

const address = { HEADWATER_MAIL_IN_ADDRESS: 'Pipelines@Example.com' }

test('without a mailbox and a port, the server receives no e-mail', () => {
  expect(readMailIn({})).toBeUndefined()
  expect(readMailIn(address)).toBeUndefined()
})

test('parses the mailbox settings', () => {
  const url = 'imaps://reader%40example.com:p%3Aw@mail.example.com/Team%20A'
  expect(readMailIn({ ...address, HEADWATER_IMAP_URL: url })).toEqual({
    address: 'pipelines@example.com',
    imap: {
      host: 'mail.example.com',
      port: 993,
      secure: true,
      user: 'reader@example.com',
      password: 'p:w',
      mailbox: 'Team A',
      pollSeconds: 60,
    },
    port: undefined,
    host: '127.0.0.1',
    authServer: undefined,
  })
  const plain = readMailIn({ ...address, HEADWATER_IMAP_URL: 'imap://a:b@[::1]:1430' })
  expect(plain?.imap).toMatchObject({ host: '::1', port: 1430, secure: false, mailbox: 'INBOX' })
})

test('parses the port setting', () => {
  const env = { ...address, HEADWATER_MAIL_IN_PORT: '2525', HEADWATER_MAIL_IN_AUTHSERV: 'MX.example.com' }
  expect(readMailIn(env)).toMatchObject({ imap: undefined, port: 2525, authServer: 'mx.example.com' })
})

test.each([
  [{ HEADWATER_MAIL_IN_PORT: '2525' }, 'HEADWATER_MAIL_IN_ADDRESS'],
  [
    { HEADWATER_MAIL_IN_PORT: '2525', HEADWATER_MAIL_IN_ADDRESS: 'a+b@example.com' },
    'HEADWATER_MAIL_IN_ADDRESS',
  ],
  [{ ...address, HEADWATER_MAIL_IN_PORT: '70000' }, 'HEADWATER_MAIL_IN_PORT'],
  [{ ...address, HEADWATER_IMAP_URL: 'pop3://a:secret@b' }, 'HEADWATER_IMAP_URL'],
  [
    { ...address, HEADWATER_IMAP_URL: 'imaps://a:secret@b', HEADWATER_IMAP_POLL_SECONDS: '0' },
    'HEADWATER_IMAP_POLL_SECONDS',
  ],
])(
  'the server does not start with an invalid setting, and the error contains its name but not its password: %j',
  (env, name) => {
    expect(() => readMailIn(env)).toThrow(name)
    expect(() => readMailIn(env)).not.toThrow('secret')
  },
)
