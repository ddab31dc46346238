import { AppError } from '@headwater/contract'
import type { Files } from '@headwater/files/server'
import type { Groups } from '@headwater/groups/server'
import type { Pipelines } from '@headwater/pipelines/server'
import type { Preps } from '@headwater/preps/server'
import type { Principal } from '@headwater/server-kit'
import type { DemoRemoval } from '../contract/index.ts'
import { demoGroups, demoInsightGroup } from './demo-data.ts'
import { demoInsightName } from './demo-insight.ts'
import { demoPipelineFiles, demoPipelineName } from './demo-pipeline.ts'
import { demoPreps } from './demo-preps.ts'
import { demoStockInsightName } from './demo-stock-insight.ts'

/** A group of the demo and its contents. */
export interface DemoContents {
  /** Content that does not belong to the demo. */
  remaining: DemoRemoval['groups'][number]
  /** Whether all content belongs to the demo. */
  isUntouched: boolean
  /** Ids of the files of the demo. */
  fileIds: string[]
  /** Ids of the data preps of the demo. */
  prepIds: string[]
  /** Ids of the pipelines of the demo. */
  pipelineIds: string[]
}

/** Dependencies of {@link readDemoContents}. */
export interface DemoContentsDependencies {
  /** Checks read access to the group. */
  groups: Pick<Groups, 'access'>
  /** Lists the files of the group. */
  files: Pick<Files, 'search'>
  /** Lists the data preps of the group. */
  preps: Pick<Preps, 'search'>
  /** Lists the pipelines of the group. */
  pipelines: Pick<Pipelines, 'search'>
}

/** Files of each demo insight: the insight itself and its text tiles. */
const insightFiles = [
  [`${demoInsightName}.json`, `${demoInsightName}_Introduction.md`],
  [`${demoStockInsightName}.json`],
]
const pageSize = 1000

/** Returns which content of a group belongs to the demo and which does not; undefined if the group does not exist. */
export async function readDemoContents(
  { groups, files, preps, pipelines }: DemoContentsDependencies,
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
  const allPipelines = await everyItem((page) =>
    pipelines.search(principal, {
      ...page,
      query: `groupName=${groupName}`,
      latest: true,
      triggerType: 'ANY',
      taskGroup: '',
      sortBy: 'name',
    }),
  )
  // The demo creates first versions only; users saved later ones. A changed insight is preserved with all its
  // files.
  const changed = insightFiles
    .filter(([insight]) => allFiles.some(({ name, version }) => name === insight && version > 1))
    .flat()
  const demoFiles = allFiles.filter(
    ({ name, version }) =>
      isPipelineFile(groupName, name) ||
      (version === 1 && !changed.includes(name) && isDemoFile(groupName, name)),
  )
  const ownFiles = allFiles.filter((file) => !demoFiles.includes(file))
  const demoItems = allPreps.filter(({ name, version }) => version === 1 && isDemoPrep(groupName, name))
  const ownPipelines = allPipelines.filter(
    ({ name, version }) => version > 1 || groupName !== demoInsightGroup.name || name !== demoPipelineName,
  )
  const counts = {
    files: countNames(ownFiles.filter(({ fileType }) => fileType !== 'INSIGHT')),
    insights: countNames(ownFiles.filter(({ fileType }) => fileType === 'INSIGHT')),
    dataPreps: allPreps.length - demoItems.length,
    pipelines: ownPipelines.length,
  }
  return {
    remaining: { name: groupName, ...counts },
    isUntouched: Object.values(counts).every((count) => count === 0),
    fileIds: demoFiles.map(({ fid }) => fid),
    prepIds: demoItems.map(({ id }) => id),
    pipelineIds: allPipelines.filter((item) => !ownPipelines.includes(item)).map(({ id }) => id),
  }
}

/** Runs work on an object that can be deleted concurrently; returns false if it does not exist. */
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

/** Runs of the demo pipeline store a version of their files each. */
function isPipelineFile(groupName: string, name: string): boolean {
  return groupName === demoInsightGroup.name && demoPipelineFiles.includes(name)
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
