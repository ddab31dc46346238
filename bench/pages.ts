// Pages of benchmarks: built by Vite as the users of a library would build them, and opened in a headless Chromium.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright'
import { build, preview } from 'vite'
import { findChromium } from '../scripts/chromium.mjs'

/** Starts Chromium without a screen, with software rendering and without background requests. Throws if there is none. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium(process.env)
  if (!executablePath) throw new Error('There is no Chromium. Set HEADWATER_CHROMIUM to its path.')
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
    ],
  })
}

/** Runs a part of a benchmark with a browser, and closes the browser afterwards. */
export async function withChromium<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await launchChromium()
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

/** A page that consists of one script and its style. */
export interface BenchPage {
  /** Folder of the script. Imports are resolved from this folder. */
  folder: string
  /** File name of the script. */
  script: string
  /** Name of the page: its files are `<name>.html`, `<name>.js` and, if the script imports styles, `<name>.css`. */
  name: string
  /** Markup before the script. Default: none. */
  head?: string
}

/** Builds a page for production into the folder `pages`, which can contain other pages. */
export async function buildPage(page: BenchPage, pages: string): Promise<void> {
  const built = await build({
    root: page.folder,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: pages,
      emptyOutDir: false,
      modulePreload: false,
      rolldownOptions: {
        input: { [page.name]: page.script },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: `${page.name}-[hash].js`,
          assetFileNames: `${page.name}[extname]`,
        },
      },
    },
  })
  const files = [built].flat().flatMap((result) => ('output' in result ? result.output : []))
  const hasStyle = files.some(({ fileName }) => fileName === `${page.name}.css`)
  const style = hasStyle ? `<link rel="stylesheet" href="/${page.name}.css">` : ''
  const html = `<!doctype html><meta charset="utf-8">${style}<body style="margin:0">${page.head ?? ''}<script type="module" src="/${page.name}.js"></script>`
  await writeFile(join(pages, `${page.name}.html`), html)
}

/** Serves a folder of pages on loopback while `work` runs, which receives the address with a slash at its end. */
export async function withPages<T>(pages: string, work: (url: string) => Promise<T>): Promise<T> {
  const server = await preview({
    root: pages,
    configFile: false,
    logLevel: 'error',
    build: { outDir: pages },
    preview: { port: 0, host: '127.0.0.1' },
  })
  try {
    return await work(server.resolvedUrls!.local[0]!)
  } finally {
    await server.close()
  }
}
