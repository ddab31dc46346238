import axe from 'axe-core'
import { chromium } from 'playwright'
import { expect } from 'vitest'
import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from 'playwright'
import { testPassword } from '../../apps/server/src/testing.ts'

const flags = [
  // Successive pages share a process, because starting one takes more than a third of the time of opening a page.
  '--renderer-process-limit=1',
  // Test pages live for a second or two, so compiler optimisation and parallel rasterisation cost more than they save.
  '--js-flags=--no-turbofan --no-maglev',
  '--num-raster-threads=1',
  '--disable-gpu-compositing',
  '--disable-software-rasterizer',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A page with its errors and its console. */
export interface OpenPage {
  page: Page
  /** Uncaught exceptions, and errors in the console other than failed requests. */
  problems: string[]
  /** Everything that the page printed, one line each. */
  console: string[]
}

/** How many times slower than usual the scripts of pages run; finds tests that read a page before it is ready. */
const slowdown = Number(process.env['HEADWATER_TEST_SLOWDOWN'] ?? 1)

const launched = new Map<string, Promise<Browser>>()

/** Returns the browser of this worker, which all its test files share; it ends with the worker. */
export function openBrowser(): Promise<Browser> {
  return shared(process.env['HEADWATER_TEST_BROWSER']!)
}

/** Returns a Chromium with the text rendering of the stored pictures; a headless shell renders text differently. */
export function openChromium(): Promise<Browser> {
  return shared(process.env['HEADWATER_CHROMIUM']!)
}

async function shared(executablePath: string): Promise<Browser> {
  const browser = await launched.get(executablePath)
  if (browser?.isConnected()) return browser
  const fresh = chromium.launch({ executablePath, args: flags })
  launched.set(executablePath, fresh)
  return fresh
}

/** Options of every context: the size of a desktop window, no motion. */
export const desktop: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  reducedMotion: 'reduce',
}

/** Opens a page in a new context with empty storage. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<OpenPage> {
  return openPageIn(await browser.newContext({ ...desktop, ...options }))
}

/** Opens a page in a context and collects its errors and its console. */
export async function openPageIn(context: BrowserContext): Promise<OpenPage> {
  const page = await context.newPage()
  if (slowdown > 1) {
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  }
  const problems: string[] = []
  const console: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    console.push(`${message.type()}: ${message.text()}`)
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      problems.push(message.text())
    }
  })
  return { page, problems, console }
}

/**
 * Waits for the choices of a list that was just opened. The component library sets the option from which arrow keys move in a
 * timer that starts when the list opens, so a test waits for the timer before it presses them.
 */
export async function openedList(page: Page): Promise<void> {
  await page.getByRole('option').first().waitFor()
  await page.evaluate(() => new Promise((done) => setTimeout(done)))
}

/** Opens a path of the product as a signed-in user. */
export async function openAs(page: Page, url: string, userName: string, path: string): Promise<void> {
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ userName, password: testPassword }),
  })
  const { refreshToken } = (await response.json()) as { refreshToken: string }
  const target = new URL(path, url)
  target.searchParams.set('refreshToken', refreshToken)
  await page.goto(target.href)
}

/** Fills in the log-in that a page shows. */
export async function logIn(page: Page, userName: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(userName)
  await page.getByLabel('Password', { exact: true }).fill(testPassword)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** The user of a page logs out in another tab of the same browser. */
export async function logOutElsewhere(page: Page, url: string): Promise<void> {
  const other = await page.context().newPage()
  await other.goto(`${url}/Logout`)
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  await other.close()
}

/** Stops the clock of a page, which was installed before the page was opened; from now on only `clock.runFor` advances it. */
export async function stopClock(page: Page): Promise<void> {
  const pause = async () => page.clock.pauseAt(((await page.evaluate('Date.now()')) as number) + 1000)
  try {
    await pause()
  } catch (error) {
    if (!String(error).includes('Cannot fast-forward to the past')) throw error
    // On a busy machine, that second can pass before the clock stops. It has stopped nevertheless, so now the time is right.
    await pause()
  }
}

/**
 * Waits until a page has processed the responses that arrived before, even while its clock is stopped: the page processes
 * responses in their order, and the response to another request follows them.
 */
export async function responsesProcessed(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await (await fetch('/health', { cache: 'no-store' })).text()
  })
}

/**
 * Polls a value like `expect.poll`, and advances the stopped clock of a page before each read, so that its timers run.
 */
export function pollClock<Value>(page: Page, stepMs: number, read: () => Value | Promise<Value>) {
  return expect.poll(async () => {
    await page.clock.runFor(stepMs)
    return read()
  })
}

/** Rules of WCAG 2.2 A and AA, and the best practices of axe. */
const accessibilityRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Returns the accessibility violations that axe finds on a page and in its frames, one line each. A page of the product is then
 * displayed in its other colour scheme, in which contrasts are checked, since all other rules are independent of colours.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  for (const frame of page.frames()) await injectAxe(frame)
  return page.evaluate(async (rules) => {
    const { axe: checker } = window as unknown as { axe: typeof axe }
    const attribute = 'data-mantine-color-scheme'
    const root = document.documentElement
    const scheme = root.getAttribute(attribute)
    const check = async (runOnly: string | readonly string[], schemeName = '') => {
      const { violations } = await checker.run(document, {
        runOnly: runOnly as string[],
        resultTypes: ['violations'],
        preload: false,
        // A frame that does not answer within this time is omitted; the default is 500 ms.
        pingWaitTime: 10_000,
      })
      return violations.map(({ id, nodes }) => `${schemeName}${id}: ${(nodes[0]?.html ?? '').slice(0, 200)}`)
    }
    const problems = await check(rules)
    if (scheme === null) return problems
    const other = scheme === 'dark' ? 'light' : 'dark'
    root.setAttribute(attribute, other)
    try {
      return [...problems, ...(await check('color-contrast', `${other} `))]
    } finally {
      root.setAttribute(attribute, scheme)
    }
  }, accessibilityRules)
}

/** axe communicates with frames by messages, even with those that have an opaque origin. */
const axeSource = `if (!window.axe) { ${axe.source}; axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] }) }`

async function injectAxe(frame: Frame): Promise<void> {
  try {
    await frame.evaluate(axeSource)
  } catch (error) {
    if (!frame.isDetached()) throw error
  }
}
