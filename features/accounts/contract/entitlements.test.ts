import { describe, expect, test } from 'vitest'
import type { AccessMode } from '@headwater/contract'
import { isEntitled, resources, type Entitlement } from './entitlements.ts'

const everything = resources.map(({ name, ...rest }): Entitlement => ({ resource: name, ...rest }))

/** Returns the highest mode that the table of the product grants for a resource, using only the check. */
function modeOf(resource: string, parent?: string): AccessMode | undefined {
  return (['RWS', 'RW', 'R'] as const).find((mode) => isEntitled(everything, resource, mode, parent))
}

describe('the access check', () => {
  test('SH-110 takes a resource, an optional mode with the default R, and an optional parent', () => {
    const held: Entitlement[] = [
      { resource: 'Lake', mode: 'R' },
      { resource: 'Groups', parent: 'Lake', mode: 'RW' },
    ]
    expect(isEntitled(held, 'Lake')).toBe(true)
    expect(isEntitled(held, 'Lake', 'RW')).toBe(false)
    expect(isEntitled(held, 'Groups', 'RW', 'Lake')).toBe(true)
    expect(isEntitled(held, 'Groups', 'RWS', 'Lake')).toBe(false)
    expect(isEntitled(held, 'Groups', 'R')).toBe(false)
    expect(isEntitled(held, 'Files', 'R', 'Lake')).toBe(false)
  })

  test.each([
    ['R', [true, false, false]],
    ['RW', [true, true, false]],
    ['RWS', [true, true, true]],
  ] as const)('SH-109 the mode %s includes the modes before it and no other', (mode, expected) => {
    const held: Entitlement[] = [{ resource: 'Templates', mode }]
    expect((['R', 'RW', 'RWS'] as const).map((wanted) => isEntitled(held, 'Templates', wanted))).toEqual(
      expected,
    )
  })

  test('an entitlement within an area requires the entitlement of the area', () => {
    expect(isEntitled([{ resource: 'Groups', parent: 'Lake', mode: 'RWS' }], 'Groups', 'R', 'Lake')).toBe(
      false,
    )
  })
})

describe('DP-038 DP-064 SH-111 SH-112 SH-113 SH-114 SH-115 SH-116 SH-117 each resource has the mode of the specification', () => {
  test.each([
    ['SH-111', 'Lake', { Groups: 'RWS', Files: 'RWS', DataProviders: 'R' }],
    ['SH-112', 'Science', { Creator: 'RWS', Monitor: 'R', Pipeline: 'R', Task: 'RW' }],
    ['SH-113', 'Storage', { Data: 'RW', DataPreps: 'RW' }],
    ['SH-114', 'Insight', { Visualisations: 'RW', Workflows: 'RW', PublicView: 'RW' }],
    ['SH-115', 'AITools', {}],
    ['SH-115', 'Excel', {}],
    ['SH-115', 'Templates', {}],
    ['SH-116', 'MyAccount', { DatabaseAccountSetup: 'R' }],
    ['SH-117', 'Statuses', {}],
    ['SH-117', 'Search', {}],
    ['SH-117', 'Administrator', {}],
  ])('%s %s has the mode R, and its parts have their own modes', (_id, area, parts) => {
    expect(modeOf(area)).toBe('R')
    for (const [part, mode] of Object.entries(parts)) expect(modeOf(part, area)).toBe(mode)
  })
})
