import { AppError } from '@headwater/contract'
import type { Log, Principal } from '@headwater/server-kit'
import type { DemoState } from '../contract/index.ts'
import { demoGroups, demoInsightGroup } from './demo-data.ts'
import { demoInsightName } from './demo-insight.ts'
import { loadDemo, type ApiAccess } from './demo-loader.ts'
import type { DemoStore } from './demo-store.ts'

const groupNames = [demoInsightGroup.name, ...demoGroups.map((group) => group.name)]

/** What the demo room does. */
export interface DemoService {
  state(): Promise<DemoState>
  /** Loads the demo workspace unless that was done, or it was removed. A failure is logged, never thrown. */
  ensureLoaded(connect: () => Promise<ApiAccess>): Promise<void>
  /** Deletes the groups of the demo for good. Where it was never loaded, or is removed, groups of these names stay. */
  remove(principal: Principal): Promise<DemoState>
}

export interface DemoDependencies {
  store: DemoStore
  log: Log
  /** Deletes a group with everything in it; throws `groupNotFound` when there is none. */
  removeGroup: (principal: Principal, name: string) => Promise<void>
}

/** The rules of the demo workspace: loaded once, removed for good. */
export function createDemoService({ store, log, removeGroup }: DemoDependencies): DemoService {
  const state = async (): Promise<DemoState> => ({
    state: await store.find(),
    insight: { groupName: demoInsightGroup.name, insightName: demoInsightName },
    groups: groupNames,
  })
  return {
    state,
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
      const known = await store.find()
      if (known !== 'absent' && known !== 'removed')
        for (const name of groupNames) await removeGroup(principal, name).catch(ignoreAbsence)
      await store.set('removed')
      return state()
    },
  }
}

/** A group of the demo that somebody deleted already is as good as removed. */
function ignoreAbsence(error: unknown): void {
  if (error instanceof AppError && error.code === 'groupNotFound') return
  throw error
}
