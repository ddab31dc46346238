import { expect, test } from 'vitest'
import { createEvent } from './event.ts'

test('an event calls its handlers one after the other, in the order of subscription', async () => {
  const deleted = createEvent<[name: string]>()
  const calls: string[] = []
  deleted.subscribe(async (name) => {
    await Promise.resolve()
    calls.push(`first ${name}`)
  })
  deleted.subscribe(async (name) => void calls.push(`second ${name}`))
  await deleted.emit('oil')
  expect(calls).toEqual(['first oil', 'second oil'])
})

test('an error of a handler is thrown and later handlers are not called', async () => {
  const deleted = createEvent<[]>()
  let calls = 0
  deleted.subscribe(() => Promise.reject(new Error('refused')))
  deleted.subscribe(async () => void calls++)
  await expect(deleted.emit()).rejects.toThrow('refused')
  expect(calls).toBe(0)
})

test('an event without handlers can be emitted', async () => {
  await expect(createEvent<[]>().emit()).resolves.toBeUndefined()
})
