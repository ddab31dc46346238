import { AppError } from '@headwater/contract'
import type { Files } from '@headwater/files/server'
import type { Groups } from '@headwater/groups/server'
import type { Preps } from '@headwater/preps/server'
import type { Principal } from '@headwater/server-kit'
import type { DemoRemoval } from '../contract/index.ts'
import { demoGroups, demoInsightGroup } from './demo-data.ts'
import { demoInsightName } from './demo-insight.ts'
import { demoPreps } from './demo-preps.ts'
import { demoStockInsightName } from './demo-stock-insight.ts'

/** A group of the demo and what lies in it. */
export interface DemoContents {
  /** How much of it is not of the demo. */
  kept: DemoRemoval['groups'][number]
  /** Whether all of it is of the demo. */
  isUntouched: boolean
  /** Ids of the files and data preps of the demo itself. */
  fileIds: string[]
  prepIds: string[]
}

export interface DemoContentsDependencies {
  groups: Pick<Groups, 'access'>
  files: Pick<Files, 'search'>
  preps: Pick<Preps, 'search'>
}

/** Files of each insight of the demo: its own, and the texts of its text tiles. */
const insightFiles = [
  [`${demoInsightName}.json`, `${demoInsightName}_Introduction.md`],
  [`${demoStockInsightName}.json`],
]
const pageSize = 1000

/** Tells what in a group is of the demo and what users saved there; undefined when there is no such group. */
export async function readDemoContents(
  { groups, files, preps }: DemoContentsDependencies,
  principal: Principal,
  groupName: string,
): Promise<DemoContents | undefined> {
  if (!(await isThere(() => groups.access.getGroup(principal, groupName, 'R')))) return undefined
  const allFiles = await everyItem((page) =>
    files.search(principal, { ...page, query: '', groupName, withStatus: false, sortBy: 'arrivalTime' }),
  )
  const allPreps = await everyItem((page) =>
    preps.search(principal, { ...page, query: '', groupName, latest: true, sortBy: 'name' }),
  )
  // What the demo makes is the first version; later ones are the work of somebody. An insight stays with all it is made of.
  const changed = insightFiles
    .filter(([insight]) => allFiles.some(({ name, version }) => name === insight && version > 1))
    .flat()
  const demoFiles = allFiles.filter(
    ({ name, version }) => version === 1 && !changed.includes(name) && isDemoFile(groupName, name),
  )
  const ownFiles = allFiles.filter((file) => !demoFiles.includes(file))
  const demoItems = allPreps.filter(({ name, version }) => version === 1 && isDemoPrep(groupName, name))
  const kept = {
    name: groupName,
    files: countNames(ownFiles.filter(({ fileType }) => fileType !== 'INSIGHT')),
    insights: countNames(ownFiles.filter(({ fileType }) => fileType === 'INSIGHT')),
    dataPreps: allPreps.length - demoItems.length,
  }
  return {
    kept,
    isUntouched: kept.files + kept.insights + kept.dataPreps === 0,
    fileIds: demoFiles.map(({ fid }) => fid),
    prepIds: demoItems.map(({ id }) => id),
  }
}

/** Does what names something that may be gone meanwhile; tells whether it was there. */
export async function isThere(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return false
    throw error
  }
}

function isDemoFile(groupName: string, name: string): boolean {
  if (groupName === demoInsightGroup.name) return insightFiles.flat().includes(name)
  return demoGroups.some((group) => group.name === groupName && group.fileName === name)
}

function isDemoPrep(groupName: string, name: string): boolean {
  return demoPreps.some((prep) => prep.outputGroup === groupName && prep.name === name)
}

function countNames(files: readonly { name: string }[]): number {
  return new Set(files.map(({ name }) => name)).size
}

async function everyItem<Item>(
  read: (page: { from: number; size: number }) => Promise<{ totalSize: number; items: Item[] }>,
): Promise<Item[]> {
  const all: Item[] = []
  for (;;) {
    const { totalSize, items } = await read({ from: all.length, size: pageSize })
    all.push(...items)
    if (items.length === 0 || all.length >= totalSize) return all
  }
}
