import { expect, test } from 'vitest'
import { AppError, commonErrors } from '@headwater/contract'
import { isClientError, unlessRefused } from './refusals.ts'

test('returns undefined only for missing or forbidden objects, and rethrows other errors', async () => {
  expect(await unlessRefused(Promise.resolve(1))).toBe(1)
  for (const refusal of [
    commonErrors.routeNotFound({ path: '/x' }),
    commonErrors.forbidden({ what: 'do this' }),
  ])
    expect(await unlessRefused(Promise.reject(refusal))).toBeUndefined()
  for (const failure of [new Error('connection lost'), commonErrors.signInNeeded()])
    await expect(unlessRefused(Promise.reject(failure))).rejects.toBe(failure)
})

test('errors with a status below 500 are client errors; other errors are not', () => {
  expect(isClientError(commonErrors.routeNotFound({ path: '/x' }))).toBe(true)
  expect(isClientError(new AppError('x', 500, 'x'))).toBe(false)
  expect(isClientError(new Error('connection lost'))).toBe(false)
})
