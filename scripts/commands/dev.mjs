import { join } from 'node:path'
import process from 'node:process'
import { ensureDependencies } from '../dependencies.mjs'
import { runToExit } from '../run-step.mjs'
import { ensureNode, root } from '../runtime.mjs'

/** `npm run dev`: runs the server, which restarts at each change, behind a web application that reloads in the browser. */
export default async function dev(args) {
  const node = await ensureNode()
  await ensureDependencies(node)
  return runToExit([node, join(root, 'scripts', 'dev-server.mjs'), ...args], {
    cwd: root,
    env: {
      NODE_COMPILE_CACHE: join(root, '.runtime', 'compile-cache'),
      ...process.env,
      HEADWATER_NODE: node,
    },
  })
}
