import { join } from 'node:path'
import { ensureDependencies } from '../dependencies.mjs'
import { runToExit } from '../run-step.mjs'
import { ensureNode, root } from '../runtime.mjs'
import test from './test.mjs'

/** `npm run check`: all that a change has to pass. Goes through everything, so that one run shows all that is wrong. */
export default async function check(words) {
  const node = await ensureNode()
  await ensureDependencies(node)
  const tool = (path) => join(root, 'node_modules', path)
  const steps = [
    ['Import rules', 'tools/import-rules.mjs'],
    ['Places', 'tools/places.mjs'],
    ['Language', 'tools/language.mjs'],
    ['Reference', 'tools/generate-reference.ts', '--check'],
    ['Types of the server', tool('typescript/bin/tsc'), '-p', 'tsconfig.server.json'],
    ['Types of the web application', tool('typescript/bin/tsc'), '-p', 'tsconfig.web.json'],
    ['Lint', tool('oxlint/bin/oxlint'), '--type-aware', '.'],
    ['Format', tool('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '.'],
  ]
  const failed = []
  for (const [what, ...command] of steps) {
    console.log(`${what} …`)
    if ((await runToExit([node, ...command], { cwd: root })) !== 0) failed.push(what)
  }
  if ((await test(words)) !== 0) failed.push('Tests')
  if (failed.length > 0) console.error(`Not in order: ${failed.join(', ')}.`)
  else console.log('All is in order.')
  return failed.length === 0 ? 0 : 1
}
