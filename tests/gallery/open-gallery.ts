import type { Page } from 'playwright'
import { openChromium } from '../browser/open-browser.ts'
import { servePage } from '../browser/serve-page.ts'

/** Opens the gallery on a separate page. */
export interface Gallery {
  /** Opens one case on a new page. `errors` collects later errors on the page. */
  open: (name: string, scheme: 'light' | 'dark') => Promise<{ page: Page; errors: string[] }>
  close: () => Promise<void>
}

/** Builds the gallery, serves it and draws it in Chromium. */
export async function openGallery(): Promise<Gallery> {
  const served = await servePage('../gallery')
  const browser = await openChromium()
  const context = await browser.newContext({
    viewport: { width: 1000, height: 700 },
    timezoneId: 'Asia/Tokyo',
  })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await page.goto(`${served.url}?case=bars`)
  await page.waitForFunction(() => 'charts' in window)
  return {
    async open(name, scheme) {
      errors.length = 0
      await page.evaluate(([only, wanted]) => window.show(only!, wanted!), [name, scheme] as const)
      return { page, errors }
    },
    async close() {
      await context.close()
      await served.close()
    },
  }
}
