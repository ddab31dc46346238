import { expect, test } from 'vitest'
import { links } from '@headwater/web-kit'
import { basketHref, maxLinkedSymbols, newPrepHref } from './prep-links.ts'

const brent = { groupName: 'Prices & more', symbols: { Code: 'BRENT', Formula: 'a=b|c' } }

test('DP-294 the link to a new data prep contains the symbol as name=value pairs joined by a vertical bar', () => {
  const address = new URL(newPrepHref([brent]), 'http://localhost')
  expect(address.pathname.toLowerCase()).toBe('/storage/creator/new')
  expect(address.hash.toLowerCase()).toBe('#table')
  expect([...address.searchParams]).toEqual([
    ['query', ''],
    ['groupName', 'Prices & more'],
    ['symbol', 'Code=BRENT|Formula=a=b|c'],
  ])
  expect(newPrepHref([brent])).toBe(links.dataPrepNew({ groupName: brent.groupName, symbol: brent.symbols }))
})

test('the link of several symbols repeats the parameters groupName and symbol once per symbol', () => {
  const many = Array.from({ length: maxLinkedSymbols }, (_, index) => ({
    groupName: `G${index}`,
    symbols: { Code: `C${index}` },
  }))
  const address = new URL(basketHref(many), 'http://localhost')
  expect(address.hash.toLowerCase()).toBe('#basket')
  expect(address.searchParams.getAll('groupName')).toHaveLength(50)
  expect(address.searchParams.getAll('symbol')[49]).toBe('Code=C49')
})
