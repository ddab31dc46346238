// The development server: Vite in front, the server behind it on another port, one address for both.
import { createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { createServer } from 'vite'
import { runServer } from './commands/start.mjs'
import { root } from './runtime.mjs'

const port = Number(process.env.HEADWATER_PORT || 8080)
const serverPort = await freePort()

const vite = await createServer({
  root: join(root, 'apps', 'web'),
  server: {
    port,
    strictPort: true,
    // Every request that is not for a page or a module goes to the API.
    proxy: { '^/': { target: `http://localhost:${serverPort}`, bypass: (request) => pathForVite(request) } },
  },
})
await vite.listen()

process.exitCode = await runServer(process.execPath, process.argv.slice(2), {
  watch: true,
  // The address of the server is not printed, because it serves an outdated web application.
  say: (text) => process.stdout.write(text.replaceAll(`localhost:${serverPort}`, `localhost:${port}`)),
  env: { HEADWATER_PORT: String(serverPort), HEADWATER_PUBLIC_URL: `http://localhost:${port}` },
})
await vite.close()

/** Returns the path when Vite must respond, undefined when the server must. */
function pathForVite({ url, headers }) {
  const wanted = headers['sec-fetch-dest']
  if (wanted === 'document') return '/index.html'
  const isModule = ['script', 'style', 'font', 'worker', 'manifest'].includes(wanted)
  return isModule || /^\/(@|src\/|node_modules\/|__)/.test(url) ? url : undefined
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createNetServer()
    probe.once('error', reject)
    probe.listen(0, 'localhost', () => {
      const { port: free } = probe.address()
      probe.close(() => resolve(free))
    })
  })
}
