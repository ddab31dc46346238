import type { BrowserContextOptions, Locator, Page, Request } from 'playwright'
import { beforeAll, expect } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { emptyContent, type InsightContent } from '@headwater/tile-data/contract'
import { createInsight, getInsight, updateInsight } from '@headwater/insights/contract'
import { upload, type Session } from '@headwater/server/testing'
import { openAs } from './open-browser.ts'
import { setUpStage } from './stage.ts'

/** Sets up a user, groups for insights and a group with prices, and returns functions for their insights. */
export function setUpReports() {
  const stage = setUpStage()

  let anna: Session

  beforeAll(async () => {
    anna = await stage.server.createUser({ email: 'anna@example.com' })
    for (const name of ['Prices', 'Reports', 'Archive']) await anna.call(createGroup, { body: { name } })
    const lines = ['Brent', 'WTI'].flatMap((code, at) =>
      Array.from(
        { length: 30 },
        (_, day) => `${code},2026-01-${String(day + 1).padStart(2, '0')},${60 + at * 10 + day}`,
      ),
    )
    const content = ['Code,Date,Close', ...lines].join('\n')
    await upload(anna, { groupName: 'Prices', fileType: 'NCSV', content })
  })

  async function open(
    path: string,
    session: Session | undefined = anna,
    options: BrowserContextOptions = {},
  ) {
    const page = await stage.newPage(options)
    if (session === undefined) await page.goto(new URL(path, stage.server.url).href)
    else await openAs(page, stage.server.url, session.userName, path)
    return page
  }
  const visit = async (path: string, options: BrowserContextOptions = {}) => {
    const page = await stage.newPage(options)
    await page.goto(new URL(path, stage.server.url).href)
    return page
  }

  const text = (id: string, title: string, templateContent = title) => ({
    id,
    title,
    type: 'Text',
    tileHeight: 'quarter',
    source: { type: 'EDITOR' },
    templateContent,
  })
  const table = (id: string, title: string, more: object = {}) => ({
    id,
    title,
    type: 'Table',
    lastTypeAmount: 5,
    ...more,
  })
  const prepOf = (Code: string) => ({
    symbols: [{ groupName: 'Prices', symbols: { Code }, valueColumnNames: ['Close'] }],
  })

  async function make(insightName: string, tiles: object[], more: Partial<InsightContent> = {}) {
    const target = { groupName: 'Reports', insightName }
    const content = { ...emptyContent(), tiles, ...more } as InsightContent
    await anna.call(createInsight, { body: { ...target, description: `About ${insightName}`, content } })
    return { ...target, path: `/Insight/Reports/${encodeURIComponent(insightName)}` }
  }
  const idOf = async (insightName: string) =>
    (await anna.call(getInsight, { params: { groupName: 'Reports', insightName } })).id
  const save = (target: { groupName: string; insightName: string }, tiles: object[], session = anna) =>
    session.call(updateInsight, {
      body: {
        oldGroupName: target.groupName,
        oldInsightName: target.insightName,
        content: { ...emptyContent(), tiles } as InsightContent,
      },
    })
  const tile = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
  const titles = (page: Page) => page.locator('[data-tile-id] h2').allTextContents()
  const storedKeys = (page: Page) => page.evaluate(() => Object.keys(localStorage))
  const ownKey: unknown = expect.stringMatching(/^ng-/)
  /** Returns the error below a field; empty if there is none. */
  const problemOf = (within: Locator, label: string) =>
    within
      .getByLabel(label, { exact: true })
      .first()
      .evaluate((field) => {
        const isInvalid = field.getAttribute('aria-invalid') === 'true'
        return (isInvalid && document.getElementById(`${field.id}-note`)?.textContent) || ''
      })
  const named = ({ groupName, insightName }: { groupName: string; insightName: string }) => ({
    groupName,
    insightName,
  })

  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )

  const isCall = (request: Request, method: string, path: string) =>
    request.method() === method && new URL(request.url()).pathname === path

  /** Delays requests until the returned function is called. */
  async function holdRequests(page: Page, method: string, path: string): Promise<() => void> {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(
      (url) => url.pathname === path,
      async (route) => {
        if (route.request().method() === method) await held
        await route.continue()
      },
    )
    return release
  }

  return {
    stage,
    open,
    visit,
    text,
    table,
    prepOf,
    make,
    idOf,
    save,
    tile,
    titles,
    storedKeys,
    ownKey,
    problemOf,
    named,
    png,
    isCall,
    holdRequests,
    anna: () => anna,
  }
}
