import { z } from 'zod'
import type { AccessMode } from '@headwater/contract'

/** A resource of the product that a role can grant. */
export interface Resource {
  /** Name, unique within its area. */
  name: string
  /** The area that contains the resource; absent for an area itself. */
  parent?: string
  /** The highest mode of the resource; the role Administrator holds it. */
  mode: AccessMode
}

/**
 * Every resource that can be entitled, areas first. The letter S allows sharing the objects of the resource with
 * others. `MyAccount/Companies` is the company management entitlement: users, roles and companies.
 */
export const resources = [
  { name: 'Lake', mode: 'R' },
  { name: 'Groups', parent: 'Lake', mode: 'RWS' },
  { name: 'Files', parent: 'Lake', mode: 'RWS' },
  { name: 'DataProviders', parent: 'Lake', mode: 'R' },
  { name: 'Science', mode: 'R' },
  { name: 'Creator', parent: 'Science', mode: 'RWS' },
  { name: 'Monitor', parent: 'Science', mode: 'R' },
  { name: 'Pipeline', parent: 'Science', mode: 'R' },
  { name: 'Task', parent: 'Science', mode: 'RW' },
  { name: 'Storage', mode: 'R' },
  { name: 'Data', parent: 'Storage', mode: 'RW' },
  { name: 'DataPreps', parent: 'Storage', mode: 'RW' },
  { name: 'Insight', mode: 'R' },
  { name: 'Visualisations', parent: 'Insight', mode: 'RW' },
  { name: 'Workflows', parent: 'Insight', mode: 'RW' },
  { name: 'PublicView', parent: 'Insight', mode: 'RW' },
  { name: 'AITools', mode: 'R' },
  { name: 'Excel', mode: 'R' },
  { name: 'Templates', mode: 'R' },
  { name: 'MyAccount', mode: 'R' },
  { name: 'DatabaseAccountSetup', parent: 'MyAccount', mode: 'R' },
  { name: 'Companies', parent: 'MyAccount', mode: 'RW' },
  { name: 'Statuses', mode: 'R' },
  { name: 'Search', mode: 'R' },
  { name: 'Administrator', mode: 'R' },
] as const satisfies readonly Resource[]

/** One entitlement of a user. */
export const entitlement = z.object({
  resource: z.string().describe('Name of the resource, for example `Groups`.'),
  parent: z.string().optional().describe('Area of the resource, for example `Lake`; absent for an area.'),
  mode: z
    .enum(['R', 'RW', 'RWS'])
    .describe('Access of the user: read (R), read and write (RW), or read, write and share (RWS).'),
})
/** One entitlement of a user, as a type. */
export type Entitlement = z.infer<typeof entitlement>

const rank: Record<AccessMode, number> = { R: 1, RW: 2, RWS: 3 }

/** Returns whether a held mode includes a required one: RWS includes RW, RW includes R. */
export function covers(held: AccessMode, wanted: AccessMode): boolean {
  return rank[held] >= rank[wanted]
}

/**
 * Returns whether entitlements include a resource at a mode. A resource within an area also requires the area itself (at least R).
 * @param resource name of the resource, for example `Groups`
 * @param mode the required mode, default R
 * @param parent the area that contains it; absent for an area
 */
export function isEntitled(
  entitlements: readonly Entitlement[],
  resource: string,
  mode: AccessMode = 'R',
  parent?: string,
): boolean {
  const holds = entitlements.some(
    (e) => e.resource === resource && e.parent === parent && covers(e.mode, mode),
  )
  return holds && (parent === undefined || isEntitled(entitlements, parent))
}
