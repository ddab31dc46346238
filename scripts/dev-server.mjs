// The front door of development: Vite in front, the server behind it on a port of its own, one address for both.
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
    // Everything that is not a page or a module is a call of the API.
    proxy: { '^/': { target: `http://localhost:${serverPort}`, bypass: (request) => pathForVite(request) } },
  },
})
await vite.listen()

process.exitCode = await runServer(process.execPath, process.argv.slice(2), {
  watch: true,
  // The address of the server is no matter of the reader: it answers without the newest web application.
  say: (text) => process.stdout.write(text.replaceAll(`localhost:${serverPort}`, `localhost:${port}`)),
  env: { HEADWATER_PORT: String(serverPort), HEADWATER_PUBLIC_URL: `http://localhost:${port}` },
})
await vite.close()

/** The path when Vite has to answer, undefined when the server has to. */
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
