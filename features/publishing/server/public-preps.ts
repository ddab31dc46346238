import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { Groups } from '@headwater/groups/server'
import type { DataPrepDetails } from '@headwater/preps/contract'
import type { Preps } from '@headwater/preps/server'
import type { InsightContent, Tile } from '@headwater/tiles/contract'
import type { DataPrepAddress } from '@headwater/tiles/core'
import { shareableByAll } from './public-access.ts'
import { shownPreps } from './shown-preps.ts'

/** What reading data preps for visitors uses of other features. */
export interface PublicPrepsDependencies {
  groups: Pick<Groups, 'access'>
  preps: Pick<Preps, 'get'>
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  findUser: (userName: string) => Promise<{ userId: number } | undefined>
}

/** A saved data prep as visitors know it: without people and runs. */
export interface SharedPrep {
  details: DataPrepDetails
  /** Users who need access to its rows: the principals of the public view and the last author of the data prep. */
  principals: readonly [Principal, ...Principal[]]
}

/** A saved data prep and the tile that shows it. */
export interface ShownPrep {
  tile: Tile
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
): Promise<ShownPrep[]> {
  const find = prepFinder(deps, principals)
  const shown: ShownPrep[] = []
  for (const { tile, address } of shownPreps(content)) {
    const prep = await find(address)
    if (prep !== undefined) shown.push({ tile, details: prep.details })
  }
  return shown
}

async function findPrep(
  { groups, preps, findPrincipal, findUser }: PublicPrepsDependencies,
  principals: Principals,
  address: DataPrepAddress,
): Promise<SharedPrep | undefined> {
  const getAs = (principal: Principal) =>
    unlessRefused(preps.get(principal, address, { withMetadata: false, resolvePattern: false }))
  const [details, same] = await Promise.all(principals.map(getAs))
  const user = details && same && (await findUser(details.modifiedBy))
  const savedBy = user && (await findPrincipal(user.userId))
  if (!details || !savedBy || (await getAs(savedBy)) === undefined) return undefined
  const all = [...principals, savedBy] as const
  if ((await shareableByAll(groups, all, { name: details.outputGroup })) === undefined) return undefined
  const { runningJobId: _, ...rest } = details
  return { principals: all, details: { ...rest, owner: '', modifiedBy: '', writeAccess: false } }
}
