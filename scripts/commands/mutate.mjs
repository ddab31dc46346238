import { join } from 'node:path'
import { ensureDependencies } from '../dependencies.mjs'
import { runToExit } from '../run-step.mjs'
import { ensureNode, root } from '../runtime.mjs'

/** `npm run mutate`: measures how many small faults in changed sources the tests detect. Passes arguments after `--` to `tools/mutate.mjs`. */
export default async function mutate(args) {
  const node = await ensureNode()
  await ensureDependencies(node)
  return runToExit([node, join(root, 'tools', 'mutate.mjs'), ...args], { cwd: root })
}
