import type { Files } from '@headwater/files/server'
import type { Groups } from '@headwater/groups/server'
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

/** What the demo room does. */
export interface DemoService {
  /** The state of the demo, and what of it the user can see. */
  state(principal: Principal): Promise<DemoState>
  /** Loads the demo workspace unless that was done, or it was removed. A failure is logged, never thrown. */
  ensureLoaded(connect: () => Promise<ApiAccess>): Promise<void>
  /** What `remove` would take away, and what it would leave. */
  removal(principal: Principal): Promise<DemoRemoval>
  /**
   * Deletes the demo for good. A group in which users saved something stays, with just that. Where the demo was never
   * loaded, or is removed, groups of these names stay as they are.
   */
  remove(principal: Principal): Promise<DemoState>
}

export interface DemoDependencies {
  store: DemoStore
  log: Log
  groups: Pick<Groups, 'access' | 'remove'>
  files: Pick<Files, 'search' | 'remove'>
  preps: Pick<Preps, 'search' | 'remove'>
}

/** The rules of the demo workspace: loaded once, removed for good. */
export function createDemoService(dependencies: DemoDependencies): DemoService {
  const { store, log, groups, files, preps } = dependencies
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
    const found = await Promise.all(groupNames.map((name) => readDemoContents(dependencies, principal, name)))
    return found.filter((each) => each !== undefined)
  }
  return {
    state,
    async removal(principal) {
      return { groups: (await contents(principal)).map(({ kept }) => kept) }
    },
    async ensureLoaded(connect) {
      const known = await store.find()
      if (known === 'loaded' || known === 'removed') return
      try {
        await store.set('loading')
        const api = await connect()
        await loadDemo(api).finally(() => api.signOut())
        await store.set('loaded')
        log.info('the demo workspace is there')
      } catch (error) {
        log.warn({ error }, 'the demo workspace could not be loaded; the next start tries again')
        await store.set('failed').catch(() => {})
      }
    },
    async remove(principal) {
      for (const { kept, isUntouched, fileIds, prepIds } of await contents(principal)) {
        // Somebody may delete parts of it at the same time; what is gone is as good as removed.
        if (isUntouched) await isThere(() => groups.remove(principal, kept.name))
        else {
          for (const id of fileIds) await isThere(() => files.remove(principal, id))
          for (const id of prepIds) await isThere(() => preps.remove(principal, id))
        }
      }
      await store.set('removed')
      return state(principal)
    },
  }
}
