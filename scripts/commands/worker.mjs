import { join } from 'node:path'
import process from 'node:process'
import { ensureDependencies } from '../dependencies.mjs'
import { runToExit } from '../run-step.mjs'
import { ensureNode, root } from '../runtime.mjs'

/** `npm run worker`: prepares what is missing and runs a worker until it is stopped. */
export default async function worker(args) {
  const node = await ensureNode()
  await ensureDependencies(node)
  return runToExit([node, join(root, 'apps', 'server', 'src', 'worker.ts'), ...args], {
    cwd: root,
    env: { NODE_COMPILE_CACHE: join(root, '.runtime', 'compile-cache'), ...process.env },
  })
}
