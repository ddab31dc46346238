import type { Files } from '@headwater/files/server'
import type { Groups } from '@headwater/groups/server'
import type { Pipelines } from '@headwater/pipelines/server'
import type { Preps } from '@headwater/preps/server'
import { isRefusal, type Log, type Principal } from '@headwater/server-kit'
import type { DemoRemoval, DemoState } from '../contract/index.ts'
import { isThere, readDemoContents, type DemoContents } from './demo-contents.ts'
import { demoGroups, demoInsightGroup } from './demo-data.ts'
import { demoInsightName } from './demo-insight.ts'
import { demoStockInsightName } from './demo-stock-insight.ts'
import { loadDemo, type ApiAccess } from './demo-loader.ts'
import type { DemoStore } from './demo-store.ts'

const insights = [demoInsightName, demoStockInsightName].map((insightName) => ({
  groupName: demoInsightGroup.name,
  insightName,
}))
const groupNames = [demoInsightGroup.name, ...demoGroups.map((group) => group.name)]

/** Loads and removes the demo workspace. */
export interface DemoService {
  /** Returns the state of the demo, and its insights and groups that the user can read. */
  state(principal: Principal): Promise<DemoState>
  /** Loads the demo workspace unless it was loaded or removed. Logs a failure and does not throw. */
  ensureLoaded(connect: () => Promise<ApiAccess>): Promise<void>
  /** Returns the effect of `remove`. */
  removal(principal: Principal): Promise<DemoRemoval>
  /**
   * Deletes the demo permanently. A group with content of users remains, with that content. If the demo was never
   * loaded or is already removed, groups with these names do not change.
   */
  remove(principal: Principal): Promise<DemoState>
}

/** Dependencies of the demo. */
export interface DemoDependencies {
  /** Stores the state. */
  store: DemoStore
  /** Log of loading. */
  log: Log
  /** Checks access to groups and deletes them. */
  groups: Pick<Groups, 'access' | 'remove'>
  /** Lists and deletes files. */
  files: Pick<Files, 'search' | 'remove'>
  /** Lists and deletes data preps. */
  preps: Pick<Preps, 'search' | 'remove'>
  /** Lists and deletes pipelines. */
  pipelines: Pick<Pipelines, 'search' | 'remove'>
}

/** Creates the service of the demo workspace. */
export function createDemoService(dependencies: DemoDependencies): DemoService {
  const { store, log, groups, files, preps, pipelines } = dependencies
  async function state(principal: Principal): Promise<DemoState> {
    const visible: string[] = []
    for (const name of groupNames) if (await canRead(principal, name)) visible.push(name)
    const isReadable = visible.includes(demoInsightGroup.name)
    return { state: await store.find(), insights: isReadable ? insights : [], groups: visible }
  }

  async function canRead(principal: Principal, name: string): Promise<boolean> {
    try {
      await groups.access.getGroup(principal, name, 'R')
      return true
    } catch (error) {
      if (isRefusal(error)) return false
      throw error
    }
  }

  async function contents(principal: Principal): Promise<DemoContents[]> {
    const known = await store.find()
    if (known === 'absent' || known === 'removed') return []
    const all = await Promise.all(groupNames.map((name) => readDemoContents(dependencies, principal, name)))
    return all.filter((each) => each !== undefined)
  }
  return {
    state,
    async removal(principal) {
      return { groups: (await contents(principal)).map(({ remaining }) => remaining) }
    },
    async ensureLoaded(connect) {
      const known = await store.find()
      if (known === 'loaded' || known === 'removed') return
      try {
        await store.set('loading')
        const api = await connect()
        await loadDemo(api).finally(() => api.signOut())
        await store.set('loaded')
        log.info('the demo workspace is loaded')
      } catch (error) {
        log.warn({ error }, 'the demo workspace could not be loaded; the next start retries')
        await store.set('failed').catch(() => {})
      }
    },
    async remove(principal) {
      for (const { remaining, isUntouched, fileIds, prepIds, pipelineIds } of await contents(principal)) {
        // Users can delete parts of it concurrently.
        if (isUntouched) await isThere(() => groups.remove(principal, remaining.name, { isPermanent: true }))
        else {
          // First the pipelines, whose runs store files.
          for (const id of pipelineIds) await isThere(() => pipelines.remove(principal, id))
          for (const id of fileIds) await isThere(() => files.remove(principal, id, { isPermanent: true }))
          for (const id of prepIds) await isThere(() => preps.remove(principal, id))
        }
      }
      await store.set('removed')
      return state(principal)
    },
  }
}
