import { expect, test } from 'vitest'
import { createVisitorLimit } from './visitor-limit.ts'

test('addresses of one IPv6 network share a limit, which refills with time; other networks have their own', () => {
  let seconds = 0
  const clock = { now: () => new Date(seconds * 1000) }
  const limit = createVisitorLimit({ burst: 3, perSecond: 1, clock })
  for (const host of [1, 2, 3]) limit.take(`2001:db8:0:1::${host}`)
  expect(() => limit.take('2001:db8:0:1::4')).toThrow(expect.objectContaining({ code: 'tooManyRequests' }))
  limit.take('2001:db8:0:2::1', 3)
  limit.take('192.0.2.1', 3)
  limit.take('192.0.2.2', 3)
  seconds = 1
  limit.take('2001:db8:0:1::4')
  expect(() => limit.take('2001:db8:0:1::5')).toThrow(expect.objectContaining({ code: 'tooManyRequests' }))
})
