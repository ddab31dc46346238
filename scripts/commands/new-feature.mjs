import { relative, join } from 'node:path'
import process from 'node:process'
import { createFeature } from '../../tools/new-feature.mjs'
import { ensureDependencies } from '../dependencies.mjs'
import { ErrorForPeople, runStep } from '../run-step.mjs'
import { ensureNode, ensureNpm, explainNpmFailure, npmEnvironment, root } from '../runtime.mjs'

/** `npm run new-feature -- NAME [--one=SINGULAR]`: creates a feature that passes every check. */
export default async function newFeature(args) {
  const [name] = args.filter((arg) => !arg.startsWith('--'))
  const one = args.find((arg) => arg.startsWith('--one='))?.slice('--one='.length)
  if (name === undefined) throw new ErrorForPeople('Name the feature: npm run new-feature -- price-alerts')

  const node = await ensureNode()
  await ensureDependencies(node)
  const { files, wiring } = create(name, one)
  const options = { cwd: root, env: npmEnvironment(process.env), explain: explainNpmFailure }
  await runStep(
    'Formatting',
    [node, join(root, 'node_modules/prettier/bin/prettier.cjs'), '--write', '--ignore-unknown', ...files],
    options,
  )
  const npm = await ensureNpm(node)
  await runStep('Linking the feature', [...npm, 'install', '--ignore-scripts', '--loglevel=error'], options)
  for (const file of files) console.log(relative(root, file))
  console.log(wiring)
  return 0
}

function create(name, one) {
  try {
    return createFeature(root, name, { one, now: new Date() })
  } catch (error) {
    throw new ErrorForPeople(error.message)
  }
}
