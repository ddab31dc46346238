import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { Groups } from '@headwater/groups/server'
import type { DataPrepDetails } from '@headwater/preps/contract'
import type { Preps } from '@headwater/preps/server'
import type { InsightContent, Tile } from '@headwater/tile-data/contract'
import type { DataPrepAddress } from '@headwater/tile-data/core'
import { shareableByAll } from './public-access.ts'
import { visiblePreps } from './visible-preps.ts'

/** Dependencies for reading data preps for visitors. */
export interface PublicPrepsDependencies {
  /** Checks access to groups. */
  groups: Pick<Groups, 'access'>
  /** Saved data preps. */
  preps: Pick<Preps, 'get'>
  /** Returns the principal of an active user. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  /** Returns a user by name. */
  findUser: (userName: string) => Promise<{ userId: number } | undefined>
}

/** A saved data prep for visitors. */
export interface SharedPrep {
  /** The data prep without users and runs. */
  details: DataPrepDetails
  /** Users who need access to its rows: the principals of the public view and the last author of the data prep. */
  principals: readonly [Principal, ...Principal[]]
}

/** A saved data prep and the tile that shows it. */
export interface VisiblePrep {
  /** The tile. */
  tile: Tile
  /** The data prep. */
  details: DataPrepDetails
}

type Principals = readonly [Principal, Principal]

/**
 * Returns a function that loads each saved data prep once. It returns undefined if a principal or the last author cannot share the data prep.
 */
export function prepFinder(
  deps: PublicPrepsDependencies,
  principals: Principals,
): (address: DataPrepAddress) => Promise<SharedPrep | undefined> {
  const loading = new Map<string, Promise<SharedPrep | undefined>>()
  return (address) => {
    const key = JSON.stringify(address)
    const prep = loading.get(key) ?? findPrep(deps, principals, address)
    loading.set(key, prep)
    return prep
  }
}

/** Returns the saved data preps that a definition shows and that all principals can share. */
export async function readPreps(
  deps: PublicPrepsDependencies,
  { content, principals }: { content: InsightContent; principals: Principals },
): Promise<VisiblePrep[]> {
  const find = prepFinder(deps, principals)
  const visible: VisiblePrep[] = []
  for (const { tile, address } of visiblePreps(content)) {
    const prep = await find(address)
    if (prep !== undefined) visible.push({ tile, details: prep.details })
  }
  return visible
}

async function findPrep(
  { groups, preps, findPrincipal, findUser }: PublicPrepsDependencies,
  principals: Principals,
  address: DataPrepAddress,
): Promise<SharedPrep | undefined> {
  const getAs = (principal: Principal) =>
    unlessRefused(preps.get(principal, address, { withMetadata: false, resolvePattern: false }))
  const [details, ofAuthor] = await Promise.all(principals.map(getAs))
  const user = details && ofAuthor && (await findUser(details.modifiedBy))
  const savedBy = user && (await findPrincipal(user.userId))
  if (!details || !savedBy || (await getAs(savedBy)) === undefined) return undefined
  const all = [...principals, savedBy] as const
  if ((await shareableByAll(groups, all, { name: details.outputGroup })) === undefined) return undefined
  const { runningJobId: _, ...rest } = details
  return { principals: all, details: { ...rest, owner: '', modifiedBy: '', writeAccess: false } }
}
