import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import process from 'node:process'
import { runStep } from './run-step.mjs'
import { root } from './runtime.mjs'

const application = join('apps', 'web')
const stampName = '.built-from'

/**
 * Builds the web application unless the existing build has the same sources.
 * @param {string} node path of the Node that runs the build
 */
export async function ensureWebApp(node) {
  const wanted = hashOfSources(root)
  const dist = join(root, application, 'dist')
  const stamp = join(dist, stampName)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  await runStep(
    'Building the web application',
    [node, vite, 'build', application, '--manifest', '--outDir', dist, '--emptyOutDir', '--logLevel', 'warn'],
    { cwd: root, env: { ...process.env, NODE_ENV: 'production' } },
  )
  await runStep('Compressing the web application', [node, join(root, 'scripts', 'compress.mjs'), dist])
  writeFileSync(stamp, wanted)
}

/**
 * Returns a hash over the names and contents of all sources of the web application.
 * @param {string} folder of the project
 */
export function hashOfSources(folder) {
  const hash = createHash('sha256')
  for (const file of sourceFiles(folder)) {
    hash.update(`${relative(folder, file)}\0`)
    hash.update(readFileSync(file))
    hash.update('\0')
  }
  return hash.digest('hex')
}

function sourceFiles(folder) {
  const features = join(folder, 'features')
  const names = existsSync(features) ? readdirSync(features).sort((a, b) => (a < b ? -1 : 1)) : []
  const parts = ['contract', 'core', 'web']
  const folders = [
    join(folder, application),
    join(folder, 'kit', 'web'),
    join(folder, 'kit', 'contract'),
    join(folder, 'packages'),
    ...names.flatMap((name) => parts.map((part) => join(features, name, part))),
  ]
  return [join(folder, 'package-lock.json'), ...folders.flatMap(filesUnder)]
}

const passedBy = new Set(['node_modules', 'dist', 'test', 'bench'])

function filesUnder(folder) {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return passedBy.has(entry.name) ? [] : filesUnder(path)
    return /\.test\.tsx?$/.test(entry.name) ? [] : [path]
  })
}
