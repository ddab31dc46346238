import { expect, test } from 'vitest'
import { attemptEach, failureToast } from './attempt-each.ts'

const items = Array.from({ length: 8 }, (_, index) => ({ name: `file ${index}` }))

test('attempts every object, and returns the result or the error of each', async () => {
  const attempted: string[] = []
  const { done, failed } = await attemptEach(items, async ({ name }) => {
    attempted.push(name)
    if (name < 'file 3') throw new Error(`no ${name}`)
    return name.toUpperCase()
  })
  expect(attempted).toEqual(items.map(({ name }) => name))
  expect(done.map(({ result }) => result)).toEqual(['FILE 3', 'FILE 4', 'FILE 5', 'FILE 6', 'FILE 7'])
  expect(failed).toEqual(items.slice(0, 3).map((item) => ({ item, error: new Error(`no ${item.name}`) })))
})

test('a toast names the first failures and the number of further ones', () => {
  const failed = items.map((item) => ({ item, error: new Error('No.') }))
  expect(failureToast('2 files could not be restored.', failed.slice(0, 2))).toEqual({
    kind: 'error',
    title: '2 files could not be restored.',
    text: 'file 0: No. file 1: No.',
  })
  expect(failureToast('', failed).text).toBe(
    'file 0: No. file 1: No. file 2: No. file 3: No. file 4: No. And 3 more, which are still selected.',
  )
})
