import { expect, test } from 'vitest'
import { ApiError, errorOf } from '@headwater/web-kit'
import type { CurrentUser, TokenPair } from '../contract/index.ts'
import { MemoryStorage, jwt, openSession, refused, unreachable, user } from './testing/open-session.ts'
import type { SessionCalls } from './session.ts'
import { createSessionStorage, refreshTokenKey } from './session-storage.ts'

test('SH-056 SH-057 SH-059 exchanges a stored refresh token at start, then fetches the settings', async () => {
  const { session, log, area, phase } = openSession({}, 'stored')
  await session.start()
  expect(log).toEqual(['refresh stored', 'settings'])
  expect(phase()).toBe('signed-in')
  expect(session.token()).toBe('access-1')
  expect(area.getItem(refreshTokenKey)).toBe('refresh-1')
})

test('SH-056 SH-066 a refresh token in the URL takes precedence and replaces the stored one of the same user', async () => {
  const { session, log, area, phase } = openSession({}, 'stored')
  await session.start('given')
  expect(log).toEqual([
    'refresh given from address by secret-1',
    'refresh stored',
    'settings',
    'settings access-1',
  ])
  expect([phase(), session.token(), area.getItem(refreshTokenKey)]).toEqual([
    'signed-in',
    'access-1',
    'refresh-1',
  ])
})

test('without a session, a refresh token in the URL signs the user in', async () => {
  const { session, log, area, phase } = openSession()
  await session.start('given')
  expect(log).toEqual(['refresh given from address by secret-1', 'settings'])
  expect([phase(), area.getItem(refreshTokenKey)]).toEqual(['signed-in', 'refresh-1'])
})

const eve = { ...user, settings: { userName: 'eve@example.com' } } as unknown as CurrentUser

test('a session starts before its settings arrive, and for another account only after the user agrees', async () => {
  const states: string[] = []
  const settings = Promise.withResolvers<CurrentUser>()
  const alone = openSession({ settings: () => settings.promise }, 'stored')
  void alone.session.begun.then(() => states.push(alone.phase()))
  void alone.session.start()
  await expect.poll(() => states).toEqual(['starting'])
  settings.resolve(user)
  await expect.poll(alone.phase).toBe('signed-in')

  const both = openSession({}, 'stored', { 'access-1': eve })
  void both.session.begun.then(() => states.push('begun'))
  await both.session.start('given')
  expect([both.phase(), states]).toEqual(['switching', ['starting']])
})

test('a token of another user needs confirmation; nothing changes if the user declines', async () => {
  const { session, log, area, phase, choice, switches } = openSession({}, 'stored', { 'access-1': eve })
  area.setItem('ng-recent-groups', '[1]')
  await session.start('given')
  expect(choice()).toMatchObject({ current: 'anna@example.com', next: 'eve@example.com' })
  expect([session.token(), area.getItem(refreshTokenKey)]).toEqual(['access-2', 'refresh-2'])
  choice().stay()
  expect([phase(), session.token(), area.getItem(refreshTokenKey)]).toEqual([
    'signed-in',
    'access-2',
    'refresh-2',
  ])
  expect(session.state.get()).toMatchObject({ user })
  expect([area.getItem('ng-recent-groups'), switches(), log.at(-1)]).toEqual(['[1]', 0, 'logOut refresh-1'])
})

test('after the user agrees, the account is switched: the former session and its stored data are removed, and other tabs are notified', async () => {
  const { session, log, area, choice, switches } = openSession({}, 'stored', { 'access-1': eve })
  area.setItem('ng-recent-groups', '[1]')
  area.setItem('ng-darkmode', 'dark')
  await session.start('given')
  choice().switchAccount()
  expect(session.state.get()).toMatchObject({ phase: 'signed-in', user: eve })
  expect([session.token(), area.getItem(refreshTokenKey)]).toEqual(['access-1', 'refresh-1'])
  expect([area.getItem('ng-recent-groups'), area.getItem('ng-darkmode')]).toEqual([null, 'dark'])
  expect([switches(), log.at(-1)]).toEqual([1, 'logOut refresh-2'])
})

test('a tab whose browser switched to another user restarts as that user', async () => {
  const { session, timers, phase } = openSession({}, 'stored')
  await session.start()
  session.userChanged()
  expect([phase(), session.token()]).toEqual(['signed-out', undefined])
  timers.at(-1)!.callback()
  await expect.poll(phase).toBe('signed-in')
})

test('a page that is reloaded before it has exchanged the token in the URL exchanges it as the same browser', async () => {
  const tab = new MemoryStorage() as unknown as Storage
  const left = openSession({ refresh: () => new Promise(() => {}) }, undefined, {}, tab)
  void left.session.start('given')
  const again = openSession({}, undefined, {}, tab)
  await again.session.start()
  expect([left.log[0], again.log[0]]).toEqual(Array(2).fill('refresh given from address by secret-1'))
  expect([again.phase(), Object.keys(tab)]).toEqual(['signed-in', []])
})

test('a rejected token in the URL does not affect another session; without a session it leads to the login page', async () => {
  const refresh: SessionCalls['refresh'] = (token) =>
    token === 'given' ? Promise.reject(refused) : Promise.resolve({ token: 'a', refreshToken: 'r' })
  const signedIn = openSession({ refresh }, 'stored')
  signedIn.area.setItem('ng-recent-groups', '[1]')
  await signedIn.session.start('given')
  expect([signedIn.phase(), signedIn.area.getItem('ng-recent-groups')]).toEqual(['signed-in', '[1]'])
  const nobody = openSession({ refresh })
  await nobody.session.start('given')
  expect([nobody.phase(), Object.keys(nobody.area)]).toEqual(['signed-out', []])
})

test('a token in the URL is used when the stored one is rejected', async () => {
  const refresh: SessionCalls['refresh'] = (token) =>
    token === 'stored' ? Promise.reject(refused) : Promise.resolve({ token: 'a', refreshToken: 'r' })
  const { session, area, phase } = openSession({ refresh }, 'stored')
  await session.start('given')
  expect([phase(), area.getItem(refreshTokenKey)]).toEqual(['signed-in', 'r'])
})

test('the exchange of a token in the URL is retried if it gets no response, and the token is stored only after a response', async () => {
  let responds = false
  const pair: TokenPair = { token: 'a', refreshToken: 'r' }
  const { session, area, phase } = openSession({
    refresh: () => (responds ? Promise.resolve(pair) : Promise.reject(unreachable)),
  })
  await session.start('given')
  expect([phase(), area.getItem(refreshTokenKey)]).toEqual(['unreachable', null])
  responds = true
  await session.start()
  expect([phase(), area.getItem(refreshTokenKey)]).toEqual(['signed-in', 'r'])
})

test('IN-420 stores the refresh token and its source NG under keys named ng-*, but not the access token', async () => {
  const { session, area } = openSession({}, 'stored')
  await session.start()
  expect(Object.fromEntries(Object.entries(area))).toEqual({
    'ng-token': 'refresh-1',
    'ng-token-source': 'NG',
  })
  expect(JSON.stringify(area)).not.toContain('access-1')
})

test('SH-058 clears browser storage and signs out when the refresh is rejected', async () => {
  const { session, area, phase } = openSession({ refresh: () => Promise.reject(refused) }, 'stored')
  area.setItem('something-else', '1')
  await session.start()
  expect(Object.keys(area)).toEqual([])
  expect(phase()).toBe('signed-out')
})

test('a start without a response preserves the token and can be retried', async () => {
  let isReachable = false
  const pair: TokenPair = { token: 'a', refreshToken: 'r' }
  const { session, area, phase } = openSession(
    { refresh: () => (isReachable ? Promise.resolve(pair) : Promise.reject(unreachable)) },
    'stored',
  )
  await session.start()
  expect(phase()).toBe('unreachable')
  expect(area.getItem(refreshTokenKey)).toBe('stored')
  isReachable = true
  await session.start()
  expect(phase()).toBe('signed-in')
})

test('SH-060 logs the user out when the settings cannot be read', async () => {
  const { session, log, area, phase } = openSession(
    { settings: () => Promise.reject(new Error('no settings')) },
    'stored',
  )
  await session.start()
  expect(phase()).toBe('signed-out')
  expect(log).toEqual(['refresh stored', 'settings', 'logOut refresh-1'])
  expect(area.getItem(refreshTokenKey)).toBeNull()
})

test('a settings request without a response does not end the session', async () => {
  let isReachable = false
  const { session, area, phase } = openSession(
    {
      settings: () => (isReachable ? Promise.resolve(user) : Promise.reject(unreachable)),
    },
    'stored',
  )
  await session.start()
  expect(phase()).toBe('unreachable')
  expect(area.getItem(refreshTokenKey)).toBe('refresh-1')
  isReachable = true
  await session.start()
  expect(phase()).toBe('signed-in')
})

test('SH-061 SH-062 logging out calls the server and clears the state of the user, but not the state of the browser', async () => {
  const { session, log, area, phase } = openSession({}, 'stored')
  area.setItem('ng-darkmode', 'dark')
  area.setItem('ng-demo-notice', 'dismissed')
  area.setItem('ng-palette', 'GREEN')
  area.setItem('ng-guides', '["insight-builder"]')
  area.setItem('ng-closed-params', '[]')
  area.setItem('ng-recent-groups', '[1]')
  await session.start()
  await session.logOut()
  expect(log.at(-1)).toBe('logOut refresh-1')
  expect(Object.keys(area)).toEqual(['ng-darkmode', 'ng-demo-notice', 'ng-palette', 'ng-guides'])
  expect(session.token()).toBeUndefined()
  expect(phase()).toBe('signed-out')
})

test('a session that ends because its user was deactivated states so, at its start and during its use', async () => {
  const deactivated = new ApiError({ status: 401, code: 'accountDeactivated', message: 'Deactivated.' })
  const rejects = async () => {
    throw deactivated
  }
  const atStart = openSession({ refresh: rejects }, 'stored')
  await atStart.session.start()
  expect(atStart.session.state.get()).toEqual({ phase: 'signed-out', error: deactivated })

  let isActive = true
  const pair = { token: 'access', refreshToken: 'next' }
  const inUse = openSession({ refresh: async () => (isActive ? pair : rejects()) }, 'stored')
  await inUse.session.start()
  isActive = false
  expect(await inUse.session.renew()).toBe(false)
  // The call that noticed it fails too.
  await inUse.session.logOut()
  expect(inUse.session.state.get()).toEqual({ phase: 'signed-out', error: deactivated })

  const other = openSession({ refresh: async () => Promise.reject(refused) }, 'stored')
  await other.session.start()
  expect(other.session.state.get()).toEqual({ phase: 'signed-out' })
})

test('without any token the login page appears and the server is not called', async () => {
  const { session, log, phase } = openSession()
  await session.start()
  expect(phase()).toBe('signed-out')
  expect(log).toEqual([])
})

test('the access token is renewed a minute before its end', async () => {
  const { session, timers, log } = openSession(
    { refresh: async () => ({ token: jwt(900), refreshToken: 'next' }) },
    'stored',
  )
  await session.start()
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([840_000])
  timers[0]!.callback()
  await session.renew()
  expect(log.filter((entry) => entry === 'refresh next')).toHaveLength(1)
})

test('many calls that need a new token share one exchange', async () => {
  const { session, log } = openSession({}, 'stored')
  await session.start()
  const results = await Promise.all([session.renew(), session.renew(), session.renew()])
  expect(results).toEqual([true, true, true])
  expect(log.filter((entry) => entry.startsWith('refresh'))).toEqual(['refresh stored', 'refresh refresh-1'])
})

test('a tab that waits for another one uses its token instead of exchanging again', async () => {
  const { session, log, notifiedTabs } = openSession({}, 'stored')
  await session.start()
  expect(notifiedTabs).toEqual(['access-1'])
  const renewal = session.renew()
  session.takeToken('from-another-tab')
  expect(await renewal).toBe(true)
  expect(session.token()).toBe('from-another-tab')
  expect(log.filter((entry) => entry.startsWith('refresh'))).toEqual(['refresh stored'])
})

test('signing in or out in one tab does the same in the other tabs', async () => {
  const { session, area, phase } = openSession({}, 'stored')
  await session.start()
  area.removeItem(refreshTokenKey)
  session.storageChanged()
  expect(phase()).toBe('signed-out')
  area.setItem(refreshTokenKey, 'other')
  session.storageChanged()
  await expect.poll(phase).toBe('signed-in')
})

test('a failed renewal ends the session if the server rejects it, but not if the server does not respond', async () => {
  let next: Error = unreachable
  let first = true
  const { session, phase } = openSession(
    {
      refresh: () => {
        if (!first) return Promise.reject(next)
        first = false
        return Promise.resolve({ token: 'a', refreshToken: 'r' })
      },
    },
    'stored',
  )
  await session.start()
  expect(await session.renew()).toBe(false)
  expect(phase()).toBe('signed-in')
  next = refused
  expect(await session.renew()).toBe(false)
  expect(phase()).toBe('signed-out')
})

test('errors from proxies do not end the session', async () => {
  for (const status of [403, 407, 429, 511, 520]) {
    const between = await errorOf(new Response('<html>Log in to this network</html>', { status }))
    let renews = false
    const { session, area, phase } = openSession(
      {
        refresh: () =>
          renews ? Promise.reject(between) : Promise.resolve({ token: 'a', refreshToken: 'r' }),
      },
      'stored',
    )
    await session.start()
    renews = true
    expect(await session.renew()).toBe(false)
    expect(phase()).toBe('signed-in')
    expect(area.getItem(refreshTokenKey)).toBe('r')
    await session.start()
    expect(phase()).toBe('unreachable')
  }
  const between = await errorOf(new Response('<html>Log in to this network</html>', { status: 511 }))
  const { session, area, phase } = openSession({ settings: () => Promise.reject(between) }, 'stored')
  await session.start()
  expect(phase()).toBe('unreachable')
  expect(area.getItem(refreshTokenKey)).toBe('refresh-1')
})

test('a temporary error of the server does not end the session', async () => {
  for (const status of [429, 502, 503, 504]) {
    const busy = await errorOf(new Response('', { status }))
    const renewed = openSession({ refresh: () => Promise.reject(busy) }, 'stored')
    await renewed.session.start()
    expect([status, renewed.phase(), renewed.area.getItem(refreshTokenKey)]).toEqual([
      status,
      'unreachable',
      'stored',
    ])
    const unread = openSession({ settings: () => Promise.reject(busy) }, 'stored')
    await unread.session.start()
    expect([status, unread.phase()]).toEqual([status, 'unreachable'])
  }
})

test('SH-058 SH-060 ends the session on any other error response', async () => {
  for (const status of [400, 401, 404, 500]) {
    const failed = await errorOf(new Response('', { status }))
    const refused = openSession({ refresh: () => Promise.reject(failed) }, 'stored')
    await refused.session.start()
    expect([refused.phase(), refused.area.getItem(refreshTokenKey)]).toEqual(['signed-out', null])
    const unread = openSession({ settings: () => Promise.reject(failed) }, 'stored')
    await unread.session.start()
    expect([unread.phase(), unread.area.getItem(refreshTokenKey)]).toEqual(['signed-out', null])
  }
})

test('a browser that forbids storage can sign in for one page', async () => {
  const storage = createSessionStorage(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  storage.keep('r1')
  expect(storage.refreshToken()).toBe('r1')
  storage.clear()
  expect(storage.refreshToken()).toBeUndefined()
})
