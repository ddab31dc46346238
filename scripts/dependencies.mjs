import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { runStep } from './run-step.mjs'
import { ensureNpm, explainNpmFailure, npmEnvironment, root } from './runtime.mjs'

/**
 * Installs what the lock file names unless it is there already. Install scripts are never run.
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
    // The lock file lacks packages that only exist for this system, or was not kept up; this completes it.
    await runStep(
      'Installing dependencies and completing the lock file',
      [...npm, 'install', '--ignore-scripts', '--loglevel=error'],
      options,
    )
  }
}

/**
 * Whether `node_modules` holds exactly what the lock file names, by the record npm keeps of its last install.
 * Packages for other systems may be missing.
 * @param {string} folder of the project
 */
export function dependenciesMatch(folder) {
  const wanted = readPackages(join(folder, 'package-lock.json'))
  const installed = readPackages(join(folder, 'node_modules', '.package-lock.json'))
  if (!wanted || !installed) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/') || !isForThisSystem(entry)) return true
    const found = installed[path]
    if (!found) return entry.optional === true && !namesThisSystem(entry)
    return found.version === entry.version && found.link === entry.link
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

/** Whether an optional package was made for this system, so that it must be there. C libraries differ too. */
function namesThisSystem({ os, cpu, libc }) {
  return os !== undefined && cpu !== undefined && libc === undefined
}

function allows(list, value) {
  return list === undefined || list.includes(value)
}
