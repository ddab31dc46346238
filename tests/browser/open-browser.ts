import { AxeBuilder } from '@axe-core/playwright'
import { chromium } from 'playwright'
import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { testPassword } from '../../apps/server/src/testing.ts'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A page and what went wrong on it: errors in the console that are no refused request, and exceptions nobody caught. */
export interface OpenPage {
  page: Page
  problems: string[]
}

/** Starts the Chromium named in HEADWATER_CHROMIUM. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env['HEADWATER_CHROMIUM']!, args: flags })
}

/** A fresh page in a context of its own: nothing stored, no motion. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      problems.push(message.text())
    }
  })
  return { page, problems }
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

/** Stops the clock of a page, which was installed before the page was opened; from now on only `clock.runFor` moves it. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt(((await page.evaluate('Date.now()')) as number) + 1000)
}

/** What axe finds wrong on the page, by the rules of WCAG 2.2 A and AA and its best practices. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)
}
