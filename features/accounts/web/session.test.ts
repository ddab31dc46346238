import { expect, test } from 'vitest'
import { ApiError, errorOf } from '@headwater/web-kit'
import type { CurrentUser, TokenPair } from '../contract/index.ts'
import { type SessionCalls, createSession } from './session.ts'
import { createSessionStorage, refreshTokenKey, takeTokenFromUrl } from './session-storage.ts'

class MemoryStorage {
  [name: string]: unknown
  getItem(key: string): string | null {
    return (this[key] as string | undefined) ?? null
  }
  setItem(key: string, value: string): void {
    this[key] = value
  }
  removeItem(key: string): void {
    delete this[key]
  }
  clear(): void {
    for (const key of Object.keys(this)) delete this[key]
  }
}

const user = {
  settings: { userName: 'anna@example.com' },
  uiEntitlements: [],
  defaultPage: 'insight',
} as unknown as CurrentUser
const refused = new ApiError({ status: 401, code: 'sessionEnded', message: 'The session has ended.' })
const noAnswer = new ApiError({ status: 0, code: 'noAnswer', message: 'The server cannot be reached.' })

function jwt(lifeSeconds: number): string {
  const text = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  return `${text({ alg: 'HS256' })}.${text({ iat: 1000, exp: 1000 + lifeSeconds })}.x`
}

/** A session in a browser without a network: `log` is what it called, in order. */
function open(calls: Partial<SessionCalls> = {}, stored?: string) {
  const area = new MemoryStorage() as unknown as Storage
  if (stored !== undefined) area.setItem(refreshTokenKey, stored)
  const log: string[] = []
  const told: string[] = []
  const timers: { delayMs: number; callback: () => void }[] = []
  let count = 0
  let queue: Promise<unknown> = Promise.resolve()
  const session = createSession({
    calls: {
      async refresh(refreshToken) {
        log.push(`refresh ${refreshToken}`)
        if (calls.refresh) return calls.refresh(refreshToken)
        count++
        return { token: `access-${count}`, refreshToken: `refresh-${count}` }
      },
      async settings() {
        log.push('settings')
        return calls.settings ? calls.settings() : user
      },
      async logOut(refreshToken) {
        log.push(`logOut ${refreshToken}`)
      },
    },
    storage: createSessionStorage(() => area),
    exclusively: (work) => {
      const turn = queue.then(work)
      queue = turn.catch(() => undefined)
      return turn
    },
    tellTabs: (token) => told.push(token),
    after(delayMs, callback) {
      const timer = { delayMs, callback }
      timers.push(timer)
      return () => void timers.splice(timers.indexOf(timer), 1)
    },
  })
  return { session, area, log, told, timers, phase: () => session.state.get().phase }
}

test('SH-056 SH-057 SH-059 exchanges a stored refresh token at start, then fetches the settings', async () => {
  const { session, log, area, phase } = open({}, 'stored')
  await session.start()
  expect(log).toEqual(['refresh stored', 'settings'])
  expect(phase()).toBe('signed-in')
  expect(session.token()).toBe('access-1')
  expect(area.getItem(refreshTokenKey)).toBe('refresh-1')
})

test('SH-056 SH-066 prefers a refresh token in the URL to the stored one and removes it from the URL', async () => {
  const { session, log } = open({}, 'stored')
  const taken = takeTokenFromUrl('http://localhost/Insight/a?x=1&refreshToken=given#top')
  expect(taken).toEqual({ token: 'given', url: 'http://localhost/Insight/a?x=1#top' })
  await session.start(taken.token)
  expect(log[0]).toBe('refresh given')
  expect(takeTokenFromUrl('http://localhost/Lake').token).toBeUndefined()
})

test('IN-420 stores the refresh token and its source NG under keys named ng-*, and not the access token', async () => {
  const { session, area } = open({}, 'stored')
  await session.start()
  expect(Object.fromEntries(Object.entries(area))).toEqual({
    'ng-token': 'refresh-1',
    'ng-token-source': 'NG',
  })
  expect(JSON.stringify(area)).not.toContain('access-1')
})

test('SH-058 clears browser storage and signs out when the refresh is rejected', async () => {
  const { session, area, phase } = open({ refresh: () => Promise.reject(refused) }, 'stored')
  area.setItem('something-else', '1')
  await session.start()
  expect(Object.keys(area)).toEqual([])
  expect(phase()).toBe('signed-out')
})

test('a start without an answer keeps the token and can be tried again', async () => {
  let answers = false
  const pair: TokenPair = { token: 'a', refreshToken: 'r' }
  const { session, area, phase } = open(
    { refresh: () => (answers ? Promise.resolve(pair) : Promise.reject(noAnswer)) },
    'stored',
  )
  await session.start()
  expect(phase()).toBe('unreachable')
  expect(area.getItem(refreshTokenKey)).toBe('stored')
  answers = true
  await session.start()
  expect(phase()).toBe('signed-in')
})

test('SH-060 logs the user out when the settings cannot be read', async () => {
  const { session, log, area, phase } = open(
    { settings: () => Promise.reject(new Error('no settings')) },
    'stored',
  )
  await session.start()
  expect(phase()).toBe('signed-out')
  expect(log).toEqual(['refresh stored', 'settings', 'logOut refresh-1'])
  expect(area.getItem(refreshTokenKey)).toBeNull()
})

test('a server that does not answer the settings call ends no session', async () => {
  let answers = false
  const { session, area, phase } = open(
    {
      settings: () => (answers ? Promise.resolve(user) : Promise.reject(noAnswer)),
    },
    'stored',
  )
  await session.start()
  expect(phase()).toBe('unreachable')
  expect(area.getItem(refreshTokenKey)).toBe('refresh-1')
  answers = true
  await session.start()
  expect(phase()).toBe('signed-in')
})

test('SH-061 SH-062 log out calls the server and clears the state of the user, but not the state of the browser', async () => {
  const { session, log, area, phase } = open({}, 'stored')
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

test('without any token login is shown and nothing is called', async () => {
  const { session, log, phase } = open()
  await session.start()
  expect(phase()).toBe('signed-out')
  expect(log).toEqual([])
})

test('the access token is renewed a minute before its end', async () => {
  const { session, timers, log } = open(
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
  const { session, log } = open({}, 'stored')
  await session.start()
  const results = await Promise.all([session.renew(), session.renew(), session.renew()])
  expect(results).toEqual([true, true, true])
  expect(log.filter((entry) => entry.startsWith('refresh'))).toEqual(['refresh stored', 'refresh refresh-1'])
})

test('a tab that waits for another one takes its token instead of exchanging again', async () => {
  const { session, log, told } = open({}, 'stored')
  await session.start()
  expect(told).toEqual(['access-1'])
  const renewal = session.renew()
  session.takeToken('from-another-tab')
  expect(await renewal).toBe(true)
  expect(session.token()).toBe('from-another-tab')
  expect(log.filter((entry) => entry.startsWith('refresh'))).toEqual(['refresh stored'])
})

test('signing out in another tab signs out here, signing in there signs in here', async () => {
  const { session, area, phase } = open({}, 'stored')
  await session.start()
  area.removeItem(refreshTokenKey)
  session.storageChanged()
  expect(phase()).toBe('signed-out')
  area.setItem(refreshTokenKey, 'other')
  session.storageChanged()
  await expect.poll(phase).toBe('signed-in')
})

test('a failed renewal of a signed-in user ends the session when it is refused, not when there is no answer', async () => {
  let next: Error = noAnswer
  let first = true
  const { session, phase } = open(
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

test('what something between the browser and the server says ends no session', async () => {
  for (const status of [403, 407, 429, 511, 520]) {
    const between = await errorOf(new Response('<html>Log in to this network</html>', { status }))
    let renews = false
    const { session, area, phase } = open(
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
  const { session, area, phase } = open({ settings: () => Promise.reject(between) }, 'stored')
  await session.start()
  expect(phase()).toBe('unreachable')
  expect(area.getItem(refreshTokenKey)).toBe('refresh-1')
})

test('a server that cannot work at the moment ends no session', async () => {
  for (const status of [429, 502, 503, 504]) {
    const busy = await errorOf(new Response('', { status }))
    const renewed = open({ refresh: () => Promise.reject(busy) }, 'stored')
    await renewed.session.start()
    expect([status, renewed.phase(), renewed.area.getItem(refreshTokenKey)]).toEqual([
      status,
      'unreachable',
      'stored',
    ])
    const unread = open({ settings: () => Promise.reject(busy) }, 'stored')
    await unread.session.start()
    expect([status, unread.phase()]).toEqual([status, 'unreachable'])
  }
})

test('SH-058 SH-060 ends the session on any other error response', async () => {
  for (const status of [400, 401, 404, 500]) {
    const failed = await errorOf(new Response('', { status }))
    const refused = open({ refresh: () => Promise.reject(failed) }, 'stored')
    await refused.session.start()
    expect([refused.phase(), refused.area.getItem(refreshTokenKey)]).toEqual(['signed-out', null])
    const unread = open({ settings: () => Promise.reject(failed) }, 'stored')
    await unread.session.start()
    expect([unread.phase(), unread.area.getItem(refreshTokenKey)]).toEqual(['signed-out', null])
  }
})

test('a browser that forbids storage can still be signed in for one page', async () => {
  const storage = createSessionStorage(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  storage.keep('r1')
  expect(storage.refreshToken()).toBe('r1')
  storage.clear()
  expect(storage.refreshToken()).toBeUndefined()
})
