import { z } from 'zod'
import type { AccessMode } from '@headwater/contract'

/** One resource of the product that can be entitled, with the mode a full role holds on it. */
export interface Resource {
  name: string
  /** The area it lies in; absent for an area itself. */
  parent?: string
  /** The mode of the product's own table: what a user needs for everything on it. */
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

/** One entitlement of a user, as the user's settings carry it. */
export const entitlement = z.object({
  resource: z.string().describe('Name of the resource, for example `Groups`.'),
  parent: z
    .string()
    .optional()
    .describe('The area the resource lies in, for example `Lake`; absent for an area.'),
  mode: z
    .enum(['R', 'RW', 'RWS'])
    .describe('What the user may do: read, read and write, or read, write and share.'),
})
export type Entitlement = z.infer<typeof entitlement>

const rank: Record<AccessMode, number> = { R: 1, RW: 2, RWS: 3 }

/** Whether a held mode covers a wanted one: RWS covers RW covers R. */
export function covers(held: AccessMode, wanted: AccessMode): boolean {
  return rank[held] >= rank[wanted]
}

/**
 * The access check of the whole product. A resource below an area also needs the area itself (at least R).
 * @param resource name of the resource, for example `Groups`
 * @param mode the mode needed, default R
 * @param parent the area it lies in; absent for an area
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
