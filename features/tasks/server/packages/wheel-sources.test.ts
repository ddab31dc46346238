import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEgress } from '@headwater/server-kit'
import { startIndex, type TestIndex } from './testing/wheels.ts'
import { createIndexSource } from './wheel-sources.ts'

let index: TestIndex
beforeAll(async () => {
  index = await startIndex([{ name: 'alpha', version: '1.0' }])
})
afterAll(() => index.close())

const unreachable = 'The package index cannot be reached.'

test('a configured index can be internal, but its host name must not resolve to a metadata service', async () => {
  const url = new URL(index.url)
  url.hostname = 'packages.example'
  const sourceAt = (addresses: string[]) =>
    createIndexSource({ url: url.href, fileOrigins: [] }, (internalHosts) =>
      createEgress({ internalHosts, resolve: async () => addresses }),
    )
  const [offer] = await sourceAt(['127.0.0.1']).list('alpha')
  expect(offer?.fileName).toMatch(/^alpha-1\.0-/)
  expect((await offer!.read()).length).toBeGreaterThan(0)
  await expect(sourceAt(['169.254.169.254']).list('alpha')).rejects.toThrow(unreachable)
  await expect(sourceAt(['127.0.0.1', '169.254.169.254']).list('alpha')).rejects.toThrow(unreachable)
})

test('an internal host that is not in the configuration cannot be reached', async () => {
  const source = createIndexSource({ url: index.url, fileOrigins: [] }, () =>
    createEgress({ internalHosts: [] }),
  )
  await expect(source.list('alpha')).rejects.toThrow(unreachable)
})
