import { join } from 'node:path'
import { ensureDependencies } from '../dependencies.mjs'
import { runToExit } from '../run-step.mjs'
import { ensureNode, root } from '../runtime.mjs'
import { ensureWebApp } from '../web-app.mjs'

/** `npm run bench -- NAME [--json]`: runs a benchmark; standard output contains only the figures. */
export default async function bench(args) {
  const node = await ensureNode()
  await ensureDependencies(node)
  await ensureWebApp(node)
  return runToExit([node, join(root, 'bench', 'run.ts'), ...args], { cwd: root })
}
