import { expect, test } from 'vitest'
import { insightErrors } from '../contract/index.ts'
import { unlessRefused } from './refusals.ts'

test('only what is not there or not allowed becomes nothing; other failures stay failures', async () => {
  expect(await unlessRefused(Promise.resolve(1))).toBe(1)
  expect(await unlessRefused(Promise.reject(insightErrors.templateNotFound()))).toBeUndefined()
  expect(await unlessRefused(Promise.reject(insightErrors.mayNotEdit({ kind: 'workflows' })))).toBeUndefined()
  for (const failure of [
    new Error('connection lost'),
    insightErrors.templateDamaged({ name: 'a', problem: 'b' }),
  ])
    await expect(unlessRefused(Promise.reject(failure))).rejects.toBe(failure)
})
