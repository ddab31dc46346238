import { join } from 'node:path'
import process from 'node:process'
import { ensureDependencies } from '../dependencies.mjs'
import { runToExit } from '../run-step.mjs'
import { ensureNode, root } from '../runtime.mjs'

/** `npm run dev`: the server, started again at each change, behind a web application that updates itself in the browser. */
export default async function dev(words) {
  const node = await ensureNode()
  await ensureDependencies(node)
  return runToExit([node, join(root, 'scripts', 'dev-server.mjs'), ...words], {
    cwd: root,
    env: {
      NODE_COMPILE_CACHE: join(root, '.runtime', 'compile-cache'),
      ...process.env,
      HEADWATER_NODE: node,
    },
  })
}
