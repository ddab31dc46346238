import { createElement, Suspense } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetFailedParts, lazyPart, type LazyPart } from './lazy-part.ts'

// Parts observe the styles of the page; there is no page here.
beforeEach(() => void vi.stubGlobal('document', new EventTarget()))
afterEach(() => void vi.unstubAllGlobals())

/** A part whose code the test provides. Records each fetch. */
function slowPart() {
  const fetched: PromiseWithResolvers<{ default: () => string }>[] = []
  const Part = lazyPart(() => {
    fetched.push(Promise.withResolvers())
    return fetched.at(-1)!.promise
  })
  const arrive = () => fetched.at(-1)!.resolve({ default: () => 'shown' })
  return { Part, fetched, arrive }
}

/** Returns the rendered text of a part after it has loaded. */
async function rendered(Part: LazyPart<object>): Promise<string> {
  const errors: unknown[] = []
  const element = createElement(Suspense, { fallback: 'waiting' }, createElement(Part))
  const stream = await renderToReadableStream(element, { onError: (error) => void errors.push(error) })
  await stream.allReady
  if (errors.length > 0) throw errors[0]
  return new Response(stream).text()
}

test('fetches code once, even when it is preloaded and rendered several times before it arrives', async () => {
  const { Part, fetched, arrive } = slowPart()
  Part.preload()
  Part.preload()
  const both = [rendered(Part), rendered(Part)]
  await expect.poll(() => fetched).toHaveLength(1)
  arrive()
  for (const text of await Promise.all(both)) expect(text).toContain('shown')
  Part.preload()
  expect(await rendered(Part)).toContain('shown')
  expect(fetched).toHaveLength(1)
})

test('fetches code again after its failure was reported, and again after the next one', async () => {
  const { Part, fetched, arrive } = slowPart()
  Part.preload()
  const first = rendered(Part)
  await expect.poll(() => fetched).toHaveLength(1)
  fetched[0]!.reject(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  expect(fetched).toHaveLength(1)
  forgetFailedParts()
  const second = rendered(Part)
  Part.preload()
  await expect.poll(() => fetched).toHaveLength(2)
  arrive()
  expect(await second).toContain('shown')
  expect(fetched).toHaveLength(2)
})
