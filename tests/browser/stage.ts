import { Writable } from 'node:stream'
import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { createLog } from '@headwater/server-kit'
import { type TestServer, startTestServer } from '@headwater/server/testing'
import { saveFailure } from './failure-report.ts'
import { createContextPool, type ContextPool } from './context-pool.ts'
import { desktop, openAs, openBrowser, openPageIn, type OpenPage } from './open-browser.ts'

/** The product and a browser, for the tests of one file. */
export interface Stage {
  readonly server: TestServer
  readonly browser: Browser
  /** Opens an empty page in a separate context with empty storage. */
  newPage(options?: BrowserContextOptions): Promise<Page>
  /** Opens a path as a signed-in user on a new page. */
  open(path: string, user: { userName: string }, options?: BrowserContextOptions): Promise<Page>
  /** Errors that were thrown or printed on a page so far. A test that expects errors removes them. */
  problemsOf(page: Page): string[]
}

/**
 * Starts a server before the tests of a file and stops it afterwards; called once, outside of tests. After each test its pages
 * are closed, and the test fails if an error was thrown or printed on one. A failed test leaves screenshots, the consoles and
 * the server log in `test-results/`.
 */
export function setUpStage(options?: Parameters<typeof startTestServer>[0]): Stage {
  const stage: { server?: TestServer; browser?: Browser; contexts?: ContextPool } = {}
  const opened = new Map<Page, OpenPage>()
  let serverLog: string[] = []
  const running = <Part>(part: Part | undefined): Part => {
    if (part === undefined) throw new Error('The stage is ready only inside tests and hooks.')
    return part
  }

  beforeAll(async () => {
    const destination = new Writable({
      write(chunk, _encoding, done) {
        serverLog.push(String(chunk))
        done()
      },
    })
    stage.server = await startTestServer({ log: createLog({ destination }), ...options })
    stage.browser = await openBrowser()
    const { origin, port } = new URL(stage.server.url)
    const homes = [origin, `http://localhost:${port}`]
    stage.contexts = createContextPool(stage.browser, homes)
  })
  afterEach(async ({ task }) => {
    const pages = [...opened.values()]
    const problems = pages.flatMap((page) => page.problems)
    if (task.result?.state === 'fail' || problems.length > 0) await saveFailure(task, pages, serverLog)
    opened.clear()
    serverLog = []
    await stage.contexts?.reset()
    expect(problems).toEqual([])
  })
  afterAll(async () => {
    await stage.contexts?.close()
    await stage.server?.stop()
  })

  async function newPage(pageOptions?: BrowserContextOptions): Promise<Page> {
    const context = await running(stage.contexts).take({ ...desktop, ...pageOptions })
    const page = await openPageIn(context)
    opened.set(page.page, page)
    return page.page
  }

  return {
    get server() {
      return running(stage.server)
    },
    get browser() {
      return running(stage.browser)
    },
    newPage,
    async open(path, { userName }, pageOptions) {
      const page = await newPage(pageOptions)
      await openAs(page, running(stage.server).url, userName, path)
      return page
    },
    problemsOf(page) {
      const known = opened.get(page)
      if (known === undefined) throw new Error('The page was not opened by the stage.')
      return known.problems
    },
  }
}
