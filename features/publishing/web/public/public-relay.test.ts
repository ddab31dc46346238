import { expect, test } from 'vitest'
import { deleteFile, downloadFile, searchFiles } from '@headwater/files/contract'
import { listSymbolValues, searchSymbols } from '@headwater/symbols/contract'
import type { CallInput } from '@headwater/web-kit'
import type { Route } from '@headwater/contract'
import { publicRelay } from './public-relay.ts'

const visit = {
  groupName: 'Board',
  insightName: 'Public',
  link: 'L',
  token: 'T',
  parameters: [{ name: 'Code', values: ['A', '*', 'B'] }],
}

async function relayed(
  route: Route,
  input: CallInput,
  respond: (input: CallInput) => Response = () => new Response(''),
) {
  const sent: { name: string; input: CallInput }[] = []
  const response = await publicRelay(visit)(route, input, {}, async (next, given) => {
    sent.push({ name: next.name, input: given })
    return respond(given)
  })
  return { sent, response }
}

test('a search by name finds a file, and the route for visitors returns its content', async () => {
  const query = { query: 'groupName=data-1&name=a b&c.csv' }
  const find = async (version: string) => {
    const { response, sent } = await relayed(searchFiles, { query }, () =>
      Response.json({ version, size: 7 }),
    )
    const { items } = (await response.json()) as { items: { fid: string; fileName: string; size: number }[] }
    return { items, sent }
  }
  const { items, sent } = await find('v1')
  expect(items).toMatchObject([{ fileName: 'a b&c.csv', size: 7 }])
  expect(sent).toMatchObject([
    { name: 'getPublicFileVersion', input: { query: { group: 'data-1', name: 'a b&c.csv', token: 'T' } } },
  ])
  // The id is the key of the cached content.
  const [again, newer] = [await find('v1'), await find('v2')]
  expect([again.items[0]!.fid === items[0]!.fid, newer.items[0]!.fid === items[0]!.fid]).toEqual([
    true,
    false,
  ])
  const read = await relayed(downloadFile, { params: { fid: items[0]!.fid } })
  expect(read.sent[0]).toMatchObject({
    name: 'getPublicFile',
    input: { query: { group: 'data-1', name: 'a b&c.csv' } },
  })
})

test('the route for visitors returns the values of a parameter of the link; other requests are rejected', async () => {
  const body = { groupName: 'data-1', key: 'code', query: 'a' }
  const { sent } = await relayed(listSymbolValues, { query: { limit: 500 }, body })
  expect(sent).toEqual([
    {
      name: 'listPublicValues',
      input: {
        params: { groupName: 'Board', fileName: 'Public.json' },
        query: { link: 'L', token: 'T' },
        body: { group: 'data-1', key: 'code', query: 'a' },
      },
    },
  ])
  const other = await relayed(listSymbolValues, { body: { ...body, key: 'Region' } })
  expect([other.sent, await other.response.json()]).toEqual([[], { from: 0, totalSize: 0, items: [] }])
  await expect(relayed(deleteFile, { params: { fid: 'x' } })).rejects.toThrow(
    'Visitors cannot use this function.',
  )
  await expect(relayed(searchSymbols, { query: {} })).rejects.toThrow(
    'Visitors cannot use the symbol search. Log in to use it.',
  )
})
