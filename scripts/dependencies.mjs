import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { runStep } from './run-step.mjs'
import { ensureNpm, explainNpmFailure, npmEnvironment, root } from './runtime.mjs'

/**
 * Installs the packages of the lock file unless they are installed. It never runs install scripts.
 * @param {string} node path of the Node to install for
 */
export async function ensureDependencies(node) {
  if (dependenciesMatch(root)) return
  const npm = await ensureNpm(node)
  const options = { cwd: root, env: npmEnvironment(process.env), explain: explainNpmFailure }
  try {
    await runStep('Installing dependencies', [...npm, 'ci', '--ignore-scripts', '--loglevel=error'], options)
  } catch (error) {
    if (!error.message.includes('are in sync')) throw error
    // The lock file lacks packages that exist for this system only, or is out of date; this completes it.
    await runStep(
      'Installing dependencies and completing the lock file',
      [...npm, 'install', '--ignore-scripts', '--loglevel=error'],
      options,
    )
  }
}

/**
 * Returns whether `node_modules` contains exactly the packages of the lock file, according to npm's record of its last install.
 * Packages for other systems can be missing.
 * @param {string} folder of the project
 */
export function dependenciesMatch(folder) {
  const wanted = readPackages(join(folder, 'package-lock.json'))
  const installed = readPackages(join(folder, 'node_modules', '.package-lock.json'))
  if (!wanted || !installed) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/') || !isForThisSystem(entry)) return true
    const present = installed[path]
    if (!present) return entry.optional === true && !namesThisSystem(entry)
    return present.version === entry.version && present.link === entry.link
  })
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    return undefined
  }
}

function isForThisSystem({ os, cpu }) {
  return allows(os, process.platform) && allows(cpu, process.arch)
}

/** Returns whether an optional package is for this system and so must be installed. C libraries differ too. */
function namesThisSystem({ os, cpu, libc }) {
  return os !== undefined && cpu !== undefined && libc === undefined
}

function allows(list, value) {
  return list === undefined || list.includes(value)
}
