import { join } from 'node:path'
import { ensureDependencies } from '../dependencies.mjs'
import { runToExit } from '../run-step.mjs'
import { ensureNode, root } from '../runtime.mjs'

/** `npm run mutate`: how many small faults in changed sources the tests notice. Words after `--` are those of `tools/mutate.mjs`. */
export default async function mutate(words) {
  const node = await ensureNode()
  await ensureDependencies(node)
  return runToExit([node, join(root, 'tools', 'mutate.mjs'), ...words], { cwd: root })
}
