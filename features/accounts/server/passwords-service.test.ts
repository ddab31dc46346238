import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixedClock } from '@headwater/server-kit/testing'
import {
  startMailServer,
  startTestServer,
  testPassword,
  type MailServer,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import {
  activateUser,
  changePassword,
  confirmPasswordReset,
  createUser,
  getActivation,
  getSettings,
  logIn,
  requestPasswordReset,
} from '@headwater/accounts/contract'

const clock = fixedClock('2026-03-01T08:00:00Z')
const hour = 3_600_000

let mailServer: MailServer
let server: TestServer
beforeAll(async () => {
  mailServer = await startMailServer()
  server = await startTestServer({
    clock,
    env: { HEADWATER_SMTP_URL: mailServer.url, HEADWATER_PUBLIC_URL: 'https://data.example.com' },
  })
})
afterAll(async () => {
  await server.stop()
  await mailServer.stop()
})

/** The e-mails that were sent while `work` ran. */
async function mailsDuring(work: () => Promise<unknown>, on: TestServer = server) {
  const before = mailServer.mails.length
  await work()
  await on.running.platform.accounts.settled()
  return mailServer.mails.slice(before)
}

async function mailDuring(work: () => Promise<unknown>) {
  const [mail, ...more] = await mailsDuring(work)
  expect(more).toEqual([])
  return mail ?? { to: [], text: '' }
}

const tokenIn = (text: string, page: string) => new RegExp(`/${page}/([\\w-]+)`).exec(text)?.[1] ?? ''

async function requestReset(email: string): Promise<string> {
  const mail = await mailDuring(() => server.nobody.call(requestPasswordReset, { body: { email } }))
  return tokenIn(mail.text, 'ChangePassword')
}

const confirm = (token: string, password = 'a password after the reset') =>
  server.nobody.call(confirmPasswordReset, { body: { token, password } })
const signIn = (userName: string, password: string) =>
  server.nobody.call(logIn, { body: { userName, password } })

describe('password reset', () => {
  test('the e-mail links to /ChangePassword/{token}, whose token sets a new password once', async () => {
    const user = await server.createUser({ email: 'reset@example.com' })
    const mail = await mailDuring(() =>
      server.nobody.call(requestPasswordReset, { body: { email: 'RESET@example.com' } }),
    )
    expect(mail.to).toEqual(['reset@example.com'])
    expect(mail.text).toContain('Subject: Headwater: set a new password')
    expect(mail.text).toContain('https://data.example.com/ChangePassword/')
    const token = tokenIn(mail.text, 'ChangePassword')
    await confirm(token)
    await signIn('reset@example.com', 'a password after the reset')
    await expect(signIn('reset@example.com', testPassword)).rejects.toMatchObject({ status: 401 })
    await expect(user.call(getSettings, {})).rejects.toMatchObject({ status: 401 })
    await expect(confirm(token)).rejects.toMatchObject({ status: 404, body: { code: 'linkNotValid' } })
  })

  test('the response for an unknown address is the same, but no e-mail is sent', async () => {
    const { userName } = await server.createUser()
    const response = async (email: string) => {
      const response = await server.nobody.fetch(requestPasswordReset.path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email }),
      })
      return { status: response.status, body: await response.text() }
    }
    const known = await response(userName)
    await server.running.platform.accounts.settled()
    expect(await mailsDuring(async () => expect(await response('who@example.com')).toEqual(known))).toEqual(
      [],
    )
    expect(known.status).toBe(202)
  })

  test('a link works for one hour, and only the newest one works', async () => {
    const { userName } = await server.createUser()
    const first = await requestReset(userName)
    const second = await requestReset(userName)
    await expect(confirm(first)).rejects.toMatchObject({ status: 404 })
    clock.advance(hour)
    await expect(confirm(second)).rejects.toMatchObject({ status: 404 })
  })

  test('an earlier link stops working after a password change', async () => {
    const user = await server.createUser()
    const token = await requestReset(user.userName)
    await user.call(changePassword, {
      body: { currentPassword: testPassword, password: 'a password of my own' },
    })
    await expect(confirm(token)).rejects.toMatchObject({ status: 404, body: { code: 'linkNotValid' } })
    await signIn(user.userName, 'a password of my own')
  })

  test('a common password and the user’s own address are rejected, and the link still works afterwards', async () => {
    const user = await server.createUser({ email: 'strong.minded@example.com' })
    const token = await requestReset(user.userName)
    const change = (password: string) =>
      user.call(changePassword, { body: { currentPassword: testPassword, password } })
    for (const set of [change, (password: string) => confirm(token, password)])
      for (const [password, code] of [
        ['Password123', 'passwordCommon'],
        ['strong.minded@example.com', 'passwordOwnName'],
      ] as const)
        await expect(set(password)).rejects.toMatchObject({
          status: 400,
          body: { code, validationErrors: [{ field: 'password' }] },
        })
    await confirm(token)
  })

  test('one of ten concurrent confirmations with the same link succeeds', async () => {
    const { userName } = await server.createUser()
    const token = await requestReset(userName)
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) => confirm(token, `password number ${i}`)),
    )
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  })

  test('a password reset ends the waits caused by wrong passwords', async () => {
    const { userName } = await server.createUser()
    clock.advance(6 * 60_000)
    for (let i = 0; i < 6; i += 1) await signIn(userName, `wrong ${i}`).catch(() => undefined)
    await expect(signIn(userName, testPassword)).rejects.toMatchObject({ status: 403 })
    await confirm(await requestReset(userName))
    await signIn(userName, 'a password after the reset')
  })

  test('repeated requests are throttled with 403, even for unknown addresses', async () => {
    for (const email of ['flood@example.com', (await server.createUser()).userName]) {
      const requestReset = () => server.nobody.call(requestPasswordReset, { body: { email } })
      for (let i = 0; i < 3; i += 1) await requestReset()
      await expect(requestReset()).rejects.toMatchObject({
        status: 403,
        body: {
          code: 'tooManyAttempts',
          message: expect.stringMatching(
            /^There were too many attempts\. Wait \d+ seconds? and try again\.$/,
          ),
        },
      })
    }
    await server.running.platform.accounts.settled()
  })

  test('an inactive user receives no link', async () => {
    const { userName } = await server.createUser()
    const { accounts } = server.running.platform
    const known = await accounts.findUserByName(userName)
    await accounts.setUserStatus(known?.userId ?? 0, 'INACTIVE')
    const requestReset = () => server.nobody.call(requestPasswordReset, { body: { email: userName } })
    expect(await mailsDuring(requestReset)).toEqual([])
  })

  test('invalid input is reported on its field', async () => {
    await expect(
      server.nobody.call(requestPasswordReset, { body: { email: 'no address' } }),
    ).rejects.toMatchObject({ status: 400, body: { validationErrors: [{ field: 'email' }] } })
    await expect(confirm('x', 'short')).rejects.toMatchObject({
      status: 400,
      body: { validationErrors: [{ field: 'password' }] },
    })
    await expect(confirm('\u0000')).rejects.toMatchObject({ status: 404 })
  })
})

describe('activation', () => {
  /** Creates a user by Basic, since the clock of these tests outruns the administrator's token. */
  const createByBasic = (body: object) =>
    fetch(server.url + createUser.path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Basic ${Buffer.from(`admin@example.com:${testPassword}`).toString('base64')}`,
      },
      body: JSON.stringify(body),
    })
  const invite = async (body: { email: string; templateName?: string; withWelcomeEmail?: boolean }) =>
    mailDuring(async () => expect((await createByBasic(body)).status).toBe(201))
  const activate = (
    token: string,
    body: { templateName?: string; withWelcomeEmail?: boolean; password?: string } = {},
  ) =>
    server.nobody.call(activateUser, {
      params: { token },
      body: { password: 'the first password', ...body },
    })

  test('SH-069 the e-mail links to /Activate/{token}, whose token sets the first password and signs in', async () => {
    const mail = await invite({ email: 'new@example.com' })
    expect(mail.to).toEqual(['new@example.com'])
    expect(mail.text).toMatch(/https:\/\/data\.example\.com\/Activate\/[\w-]{43}\r?\n/)
    const token = tokenIn(mail.text, 'Activate')
    await expect(signIn('new@example.com', 'the first password')).rejects.toMatchObject({ status: 401 })
    expect(await server.nobody.call(getActivation, { params: { token } })).toEqual({
      userName: 'new@example.com',
      company: 'Default',
    })
    await expect(activate(token, { password: 'Password123' })).rejects.toMatchObject({
      status: 400,
      body: { code: 'passwordCommon' },
    })
    const pair = await activate(token)
    const response = await fetch(server.url + getSettings.path, {
      headers: { Authorization: `Bearer ${pair.token}` },
    })
    expect(await response.json()).toMatchObject({ settings: { userName: 'new@example.com' } })
    await signIn('new@example.com', 'the first password')
  })

  test('SH-070 SH-071 the link names the template and the welcome variant', async () => {
    const mail = await invite({
      email: 'template@example.com',
      templateName: 'Gas & power/2026',
      withWelcomeEmail: true,
    })
    expect(mail.text).toContain('/Gas%20%26%20power%2F2026?withWelcomeEmail=true')
    const welcome = await mailDuring(() =>
      activate(tokenIn(mail.text, 'Activate'), { templateName: 'Gas & power/2026', withWelcomeEmail: true }),
    )
    expect(welcome.to).toEqual(['template@example.com'])
    expect(welcome.text).toContain('Subject: Welcome to Headwater')
    expect(welcome.text).toContain('https://data.example.com/')
  })

  test('a link works once and for seven days', async () => {
    const mail = await invite({ email: 'once@example.com' })
    const token = tokenIn(mail.text, 'Activate')
    await activate(token)
    await expect(activate(token)).rejects.toMatchObject({ status: 404, body: { code: 'linkNotValid' } })
    await expect(server.nobody.call(getActivation, { params: { token } })).rejects.toMatchObject({
      status: 404,
    })
    const late = tokenIn((await invite({ email: 'late@example.com' })).text, 'Activate')
    clock.advance(7 * 24 * hour)
    await expect(activate(late)).rejects.toMatchObject({ status: 404 })
  })

  test('a user who lost the activation link gets a new one by requesting a reset', async () => {
    await invite({ email: 'lost@example.com' })
    const mail = await mailDuring(() =>
      server.nobody.call(requestPasswordReset, { body: { email: 'lost@example.com' } }),
    )
    await activate(tokenIn(mail.text, 'Activate'))
    await signIn('lost@example.com', 'the first password')
  })

  test('a reset link does not work as an activation link', async () => {
    const { userName } = await server.createUser()
    const token = await requestReset(userName)
    await expect(activate(token)).rejects.toMatchObject({ status: 404 })
    await confirm(token)
  })

  test('a template name that would change the path is rejected', async () => {
    const response = await createByBasic({ email: 'dots@example.com', templateName: '..' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ validationErrors: [{ field: 'templateName' }] })
  })

  test('users are created even if the mail server does not respond', async () => {
    const other = await startTestServer({ clock, env: { HEADWATER_SMTP_URL: 'smtp://127.0.0.1:9' } })
    const created = await other.admin.call(createUser, { body: { email: 'quiet@example.com' } })
    expect(created).toMatchObject({ userName: 'quiet@example.com', status: 'PENDING' })
    await other.running.platform.accounts.settled()
    await other.stop()
  })
})

describe('without a mail server or a public address', () => {
  let plain: TestServer
  let mailLog: string
  beforeAll(async () => {
    plain = await startTestServer({ clock })
    mailLog = join(plain.dataFolder, 'logs', 'mails.log')
  })
  afterAll(() => plain.stop())

  async function linkFor(session: Session, host: string): Promise<string> {
    await plain.running.platform.app.inject({
      method: 'POST',
      url: requestPasswordReset.path,
      headers: { host },
      payload: { email: session.userName },
    })
    await plain.running.platform.accounts.settled()
    const lines = (await readFile(mailLog, 'utf8')).trim().split('\n')
    const { text } = JSON.parse(lines.at(-1) ?? '{}') as { text: string }
    return /\S+\/ChangePassword\//.exec(text)?.[0] ?? ''
  }

  test('e-mails go to a log that only its owner can read', async () => {
    const user = await plain.createUser()
    expect(await linkFor(user, 'localhost:8080')).toBe('http://localhost:8080/ChangePassword/')
    expect((await stat(mailLog)).mode & 0o777).toBe(0o600)
  })

  test.each(['evil.example', 'evil.example:80', 'localhost@evil.example', 'localhost.evil.example', 'a/b'])(
    'a reset link never points to the forged host %s',
    async (host) => {
      const user = await plain.createUser()
      const link = await linkFor(user, host)
      expect(link).toMatch(/^http:\/\/[\w.-]+(:\d+)?\/ChangePassword\/$/)
      expect(link).not.toContain('evil')
      expect(link).not.toContain('a/b')
    },
  )
})
