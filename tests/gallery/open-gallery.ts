import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { build, preview } from 'vite'
import { openChromium } from '../browser/open-browser.ts'

/** Opens the gallery on a separate page. */
export interface Gallery {
  /** Opens one case on a new page. `errors` collects later errors on the page. */
  open: (name: string, scheme: 'light' | 'dark') => Promise<{ page: Page; errors: string[] }>
  close: () => Promise<void>
}

/**
 * Builds the gallery, serves it on a free port and draws it in Chromium. A development server would share its folder of prepared
 * libraries with that of another test.
 */
export async function openGallery(): Promise<Gallery> {
  const outDir = await mkdtemp(join(tmpdir(), 'headwater-gallery-'))
  const config = {
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    build: { outDir, minify: false },
    preview: { port: 0, host: '127.0.0.1' },
  } as const
  await build(config)
  const server = await preview(config)
  const url = server.resolvedUrls!.local[0]!
  const browser = await openChromium()
  const context = await browser.newContext({
    viewport: { width: 1000, height: 700 },
    timezoneId: 'Asia/Tokyo',
  })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await page.goto(`${url}?case=bars`)
  await page.waitForFunction(() => 'charts' in window)
  return {
    async open(name, scheme) {
      errors.length = 0
      await page.evaluate(([only, wanted]) => window.show(only!, wanted!), [name, scheme] as const)
      return { page, errors }
    },
    async close() {
      await context.close()
      await server.close()
      await rm(outDir, { recursive: true })
    },
  }
}
