import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type TestServer, startTestServer } from '@headwater/server/testing'
import { openAs, openBrowser, openPage } from './open-browser.ts'

/** The product and a browser, for the tests of one file. */
export interface Stage {
  readonly server: TestServer
  readonly browser: Browser
  /** Opens an empty page, in a context of its own. */
  newPage(options?: BrowserContextOptions): Promise<Page>
  /** Opens a path as a signed-in user, on a page of its own. */
  open(path: string, user: { userName: string }, options?: BrowserContextOptions): Promise<Page>
  /** Errors that were thrown or printed on a page so far. A test that expects some takes them out. */
  problemsOf(page: Page): string[]
}

/**
 * Starts server and browser before the tests of a file and stops them afterwards; called once, outside of tests. After each
 * test its pages are closed, and the test fails if an error was thrown or printed on one.
 */
export function setUpStage(options?: Parameters<typeof startTestServer>[0]): Stage {
  const stage: { server?: TestServer; browser?: Browser } = {}
  const problemsByPage = new Map<Page, string[]>()
  const running = <Part>(part: Part | undefined): Part => {
    if (part === undefined) throw new Error('The stage stands only once the tests of the file have begun.')
    return part
  }

  beforeAll(async () => {
    stage.server = await startTestServer(options)
    stage.browser = await openBrowser()
  })
  afterEach(async () => {
    const problems = [...problemsByPage.values()].flat()
    problemsByPage.clear()
    for (const context of stage.browser?.contexts() ?? []) await context.close()
    expect(problems).toEqual([])
  })
  afterAll(async () => {
    await stage.browser?.close()
    await stage.server?.stop()
  })

  async function newPage(pageOptions?: BrowserContextOptions): Promise<Page> {
    const { page, problems } = await openPage(running(stage.browser), pageOptions)
    problemsByPage.set(page, problems)
    return page
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
      const problems = problemsByPage.get(page)
      if (problems === undefined) throw new Error('The page was not opened by the stage.')
      return problems
    },
  }
}
