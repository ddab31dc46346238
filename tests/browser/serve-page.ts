import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'

/** A page that renders shared components on their own. */
export interface ServedPage {
  url: string
  close: () => Promise<void>
}

/**
 * Builds the page in a folder beside this file and serves it on a free port. Development servers of several pages would replace the
 * prepared libraries of each other.
 */
export async function servePage(folder: string): Promise<ServedPage> {
  const outDir = await mkdtemp(join(tmpdir(), 'headwater-page-'))
  const config = {
    root: fileURLToPath(new URL(folder, import.meta.url)),
    configFile: false,
    logLevel: 'error',
    build: { outDir, minify: false },
    preview: { port: 0, host: '127.0.0.1' },
  } as const
  await build(config)
  const server = await preview(config)
  return {
    url: server.resolvedUrls!.local[0]!,
    async close() {
      await server.close()
      await rm(outDir, { recursive: true })
    },
  }
}
