import { fileURLToPath } from 'node:url'
import { createServer, type ViteDevServer } from 'vite'

/** Serves a page of this folder that renders shared components on their own; the caller closes it. */
export async function servePage(folder: string): Promise<ViteDevServer> {
  const vite = await createServer({
    root: fileURLToPath(new URL(folder, import.meta.url)),
    configFile: false,
    // Servers of two pages would replace the bundled libraries of each other.
    cacheDir: `../../../node_modules/.vite/${folder}`,
    logLevel: 'error',
    server: { port: 0, host: '127.0.0.1', hmr: false, fs: { allow: ['../../..'] } },
  })
  await vite.listen()
  return vite
}
