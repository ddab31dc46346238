import { expect, test } from 'vitest'
import type { Access } from '@headwater/web-kit'
import { currentEntry, isDiscoveryOnly, sidebarGroups } from './sidebar-entries.tsx'

const everything = { can: () => true, warehouseOnly: true, userName: 'anna' }
const without = (...names: string[]) => ({
  ...everything,
  can: ({ resource, parent }: Access) => !names.includes(resource) && !names.includes(parent ?? ''),
})

function shown(world: Parameters<typeof sidebarGroups>[0]): Record<string, string[]> {
  return Object.fromEntries(
    sidebarGroups(world).map((group) => [group.heading ?? '', group.entries.map(({ label }) => label)]),
  )
}

test('SH-170 SH-171 SH-172 SH-174 SH-175 the groups and entries of the sidebar, in order', () => {
  expect(shown(everything)).toEqual({
    '': ['Search all', 'Statuses'],
    DATA: ['Data lake', 'Data preps', 'Storage'],
    PIPELINES: ['List', 'Monitoring', 'Creator'],
    DISCOVER: ['AI tools', 'Knowledge', 'Insight'],
    SETTINGS: ['Trash', 'anna'],
  })
})

test('SH-118 SH-169 SH-173 each entry is there only with its entitlement', () => {
  expect(shown(without('Lake'))['DATA']).toEqual(['Data preps', 'Storage'])
  expect(shown(without('Monitor'))['PIPELINES']).toEqual(['List', 'Creator'])
  expect(shown(without('Creator'))['PIPELINES']).toEqual(['List', 'Monitoring'])
  expect(shown(without('Science'))['PIPELINES']).toBeUndefined()
  expect(shown(without('AITools'))['DISCOVER']).toEqual(['Knowledge', 'Insight'])
  expect(shown(without('Search'))['']).toEqual(['Statuses'])
})

test('SH-020 SH-176 Trash is there only in warehouse-only mode', () => {
  expect(shown({ ...everything, warehouseOnly: false })['SETTINGS']).toEqual(['anna'])
})

test('SH-182 without lake, storage and science the layout is discovery only', () => {
  const world = without('Lake', 'Storage', 'Science')
  expect(isDiscoveryOnly(world.can)).toBe(true)
  expect(isDiscoveryOnly(without('Lake', 'Storage').can)).toBe(false)
  expect(shown(world)).toEqual({ DISCOVER: ['AI tools', 'Knowledge', 'Insight'], SETTINGS: ['anna'] })
})

test('the current entry is the one with the longest path that fits, in any letter case', () => {
  const groups = sidebarGroups(everything)
  expect(currentEntry(groups, '/lake/groups/x')).toBe('lake')
  expect(currentEntry(groups, '/Storage')).toBe('preps')
  expect(currentEntry(groups, '/storage/symbols/FX')).toBe('storage')
  expect(currentEntry(groups, '/Science/Creator/a/b')).toBe('creator')
  expect(currentEntry(groups, '/Science/List')).toBe('list')
  expect(currentEntry(groups, '/Lakeside')).toBeUndefined()
})
