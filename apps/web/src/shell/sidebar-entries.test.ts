import { expect, test } from 'vitest'
import type { Access } from '@headwater/web-kit'
import { currentEntry, isDiscoveryOnly, sidebarGroups } from './sidebar-entries.tsx'

const everything = { can: () => true, warehouseOnly: true, unfinishedPages: true, userName: 'anna' }
const without = (...names: string[]) => ({
  ...everything,
  can: ({ resource, parent }: Access) => !names.includes(resource) && !names.includes(parent ?? ''),
})

function visibleEntries(world: Parameters<typeof sidebarGroups>[0]): Record<string, string[]> {
  return Object.fromEntries(
    sidebarGroups(world).map((group) => [group.heading ?? '', group.entries.map(({ label }) => label)]),
  )
}

test('SH-170 SH-171 SH-172 SH-174 SH-175 lists the groups and entries of the sidebar in order', () => {
  expect(visibleEntries(everything)).toEqual({
    '': ['Search all', 'Statuses'],
    DATA: ['Data lake', 'Data preps', 'Storage'],
    PIPELINES: ['List', 'Monitoring', 'Creator'],
    DISCOVER: ['AI tools', 'Knowledge', 'Insight'],
    SETTINGS: ['Trash', 'anna'],
  })
})

test('lists entries of unfinished pages in development only', () => {
  expect(visibleEntries({ ...everything, unfinishedPages: false })).toEqual({
    '': ['Search all', 'Statuses'],
    DATA: ['Data lake', 'Data preps', 'Storage'],
    PIPELINES: ['List', 'Monitoring', 'Creator'],
    DISCOVER: ['Insight'],
    SETTINGS: ['Trash', 'anna'],
  })
})

/** Returns the labels that disappear when a user loses some resources. */
function lost(...names: string[]): string[] {
  const left = Object.values(visibleEntries(without(...names))).flat()
  return Object.values(visibleEntries(everything))
    .flat()
    .filter((label) => !left.includes(label))
}

test('SH-118 SH-169 SH-173 shows each entry only with its entitlement', () => {
  expect(lost('Search')).toEqual(['Search all'])
  expect(lost('Statuses')).toEqual(['Statuses'])
  expect(lost('Lake')).toEqual(['Data lake', 'Trash'])
  expect(lost('DataPreps')).toEqual(['Data preps'])
  expect(lost('Storage')).toEqual(['Data preps', 'Storage'])
  expect(lost('Monitor')).toEqual(['Monitoring'])
  expect(lost('Creator')).toEqual(['Creator'])
  expect(lost('Science')).toEqual(['List', 'Monitoring', 'Creator'])
  expect(lost('AITools')).toEqual(['AI tools'])
  expect(lost('Insight')).toEqual(['Insight'])
  expect(lost('MyAccount')).toEqual(['Knowledge', 'anna'])
})

test('SH-173 requires read access, the default mode, for each entry of the Pipelines group', () => {
  const checked: Access[] = []
  sidebarGroups({ ...everything, can: (access) => checked.push(access) > 0 })
  const ofScience = checked.filter(({ resource, parent }) => [resource, parent].includes('Science'))
  expect(new Set(ofScience.map(({ mode }) => mode ?? 'R'))).toEqual(new Set(['R']))
})

test('SH-020 SH-176 shows Trash only in warehouse-only mode', () => {
  expect(visibleEntries(everything)['SETTINGS']).toEqual(['Trash', 'anna'])
  expect(visibleEntries({ ...everything, warehouseOnly: false })['SETTINGS']).toEqual(['anna'])
})

test('SH-182 shows the discovery-only layout without access to lake, storage and science', () => {
  const world = without('Lake', 'Storage', 'Science')
  expect(isDiscoveryOnly(world.can)).toBe(true)
  for (const two of [
    ['Lake', 'Storage'],
    ['Lake', 'Science'],
    ['Storage', 'Science'],
  ])
    expect(isDiscoveryOnly(without(...two).can)).toBe(false)
  expect(visibleEntries(world)).toEqual({
    DISCOVER: ['AI tools', 'Knowledge', 'Insight'],
    SETTINGS: ['anna'],
  })
})

test('the entry with the longest matching path, regardless of case, is the current one', () => {
  const groups = sidebarGroups(everything)
  expect(currentEntry(groups, '/lake/groups/x')).toBe('lake')
  expect(currentEntry(groups, '/Storage')).toBe('preps')
  expect(currentEntry(groups, '/storage/symbols/FX')).toBe('storage')
  expect(currentEntry(groups, '/Science/Creator/a/b')).toBe('creator')
  expect(currentEntry(groups, '/Science/List')).toBe('list')
  expect(currentEntry(groups, '/Lakeside')).toBeUndefined()
})
