import { join } from 'node:path'
import { ensureDependencies } from '../dependencies.mjs'
import { runToExit } from '../run-step.mjs'
import { ensureNode, root } from '../runtime.mjs'
import test from './test.mjs'

/** `npm run check`: every check that a change must pass. Continues after a failure, so that one run reports all of them. */
export default async function check(args) {
  const node = await ensureNode()
  await ensureDependencies(node)
  const tool = (path) => join(root, 'node_modules', path)
  const steps = [
    ['Import rules', 'tools/import-rules.mjs'],
    ['Local paths', 'tools/local-paths.mjs'],
    ['Language', 'tools/language.mjs'],
    ['Reference', 'tools/generate-reference.ts', '--check'],
    ['Sizes', 'tools/sizes.mjs'],
    ['Server types', tool('typescript/bin/tsc'), '-p', 'tsconfig.server.json'],
    ['Web application types', tool('typescript/bin/tsc'), '-p', 'tsconfig.web.json'],
    ['Lint', tool('oxlint/bin/oxlint'), '--type-aware', '.'],
    ['Format', tool('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '.'],
  ]
  const failed = []
  for (const [what, ...command] of steps) {
    console.log(`${what} …`)
    if ((await runToExit([node, ...command], { cwd: root })) !== 0) failed.push(what)
  }
  if ((await test(args)) !== 0) failed.push('Tests')
  if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}.`)
  else console.log('All checks passed.')
  return failed.length === 0 ? 0 : 1
}
