import { createElement, Suspense } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetFailedParts, lazyPart, type LazyPart } from './lazy-part.ts'

// Parts watch the styles of the page, which is not there.
beforeEach(() => void vi.stubGlobal('document', new EventTarget()))
afterEach(() => void vi.unstubAllGlobals())

/** A part whose code comes when it is told to; counts how often it was fetched. */
function slowPart() {
  const fetched: PromiseWithResolvers<{ default: () => string }>[] = []
  const Part = lazyPart(() => {
    fetched.push(Promise.withResolvers())
    return fetched.at(-1)!.promise
  })
  const arrive = () => fetched.at(-1)!.resolve({ default: () => 'shown' })
  return { Part, fetched, arrive }
}

/** What a part shows once all of it is there. */
async function shown(Part: LazyPart<object>): Promise<string> {
  const errors: unknown[] = []
  const place = createElement(Suspense, { fallback: 'waiting' }, createElement(Part))
  const stream = await renderToReadableStream(place, { onError: (error) => void errors.push(error) })
  await stream.allReady
  if (errors.length > 0) throw errors[0]
  return new Response(stream).text()
}

test('code is fetched once, however often it is fetched ahead and shown before it has arrived', async () => {
  const { Part, fetched, arrive } = slowPart()
  Part.preload()
  Part.preload()
  const both = [shown(Part), shown(Part)]
  await vi.waitFor(() => expect(fetched).toHaveLength(1))
  arrive()
  for (const text of await Promise.all(both)) expect(text).toContain('shown')
  Part.preload()
  expect(await shown(Part)).toContain('shown')
  expect(fetched).toHaveLength(1)
})

test('code that did not arrive is fetched anew once that was told, and then once again', async () => {
  const { Part, fetched, arrive } = slowPart()
  Part.preload()
  const first = shown(Part)
  await vi.waitFor(() => expect(fetched).toHaveLength(1))
  fetched[0]!.reject(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  expect(fetched).toHaveLength(1)
  forgetFailedParts()
  const second = shown(Part)
  Part.preload()
  await vi.waitFor(() => expect(fetched).toHaveLength(2))
  arrive()
  expect(await second).toContain('shown')
  expect(fetched).toHaveLength(2)
})
