import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'

/**
 * Contexts that tests reuse. A reused context has its HTTP cache and compiled code, and its window stays open, so that
 * the next page opens in less than half the time. Everything that a user or a test stored in it is removed.
 */
export interface ContextPool {
  /** Returns a context with empty storage. */
  take(options: BrowserContextOptions): Promise<BrowserContext>
  /** Returns all used contexts to the pool and closes their pages. */
  reset(): Promise<void>
  close(): Promise<void>
}

interface Pooled {
  context: BrowserContext
  /** Keeps the window open while no test has a page in it. */
  anchor: Page
  options: string
  isChanged: boolean
}

/** Changes by these methods stay in the context, so it is closed instead of reused. */
const lasting = [
  'addInitScript',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'route',
  'setOffline',
] as const
const lastingClock = ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'] as const

/**
 * Creates a pool.
 * @param homes origins whose storage is always cleared, even without an open page
 */
export function createContextPool(browser: Browser, homes: readonly string[]): ContextPool {
  const free: Pooled[] = []
  const used: Pooled[] = []

  async function create(options: BrowserContextOptions): Promise<Pooled> {
    const context = await browser.newContext(options)
    const anchor = await context.newPage()
    const pooled = { context, anchor, options: keyOf(options), isChanged: false }
    const setOffline = context.setOffline.bind(context)
    context.setOffline = async (offline) => {
      // All pages of a process are notified that the network is back at the same time, but reconnect one by one.
      await anchor.close()
      await setOffline(offline)
    }
    const onChange = () => {
      pooled.isChanged = true
    }
    watch(context, lasting, onChange)
    watch(context.clock, lastingClock, onChange)
    return pooled
  }

  async function clean(pooled: Pooled): Promise<void> {
    const { context, anchor } = pooled
    const origins = new Set(homes)
    for (const page of context.pages()) {
      if (page === anchor) continue
      for (const frame of page.frames())
        if (frame.url().startsWith('http')) origins.add(new URL(frame.url()).origin)
      await page.close()
    }
    const session = await context.newCDPSession(anchor)
    const storageTypes = 'local_storage,indexeddb,cache_storage,service_workers,file_systems'
    for (const origin of origins) await session.send('Storage.clearDataForOrigin', { origin, storageTypes })
    await session.detach()
    await context.clearCookies()
    free.push(pooled)
  }

  return {
    async take(options) {
      const at = free.findIndex((pooled) => pooled.options === keyOf(options))
      const pooled = at === -1 ? await create(options) : free.splice(at, 1)[0]!
      used.push(pooled)
      return pooled.context
    },
    async reset() {
      for (const pooled of used.splice(0)) {
        if (pooled.isChanged || pooled.anchor.isClosed()) await pooled.context.close()
        else await clean(pooled)
      }
    },
    async close() {
      for (const { context } of [...free.splice(0), ...used.splice(0)]) await context.close()
    },
  }
}

function keyOf(options: BrowserContextOptions): string {
  return JSON.stringify(options)
}

/** Calls `onChange` before each call of the named methods of an object. */
function watch<T extends object>(object: T, names: readonly (keyof T)[], onChange: () => void): void {
  for (const name of names) {
    const original = object[name] as (...texts: unknown[]) => unknown
    const watched = (...texts: unknown[]) => {
      onChange()
      return original.apply(object, texts)
    }
    object[name] = watched as T[keyof T]
  }
}
