import process from 'node:process'
import { isExecutable, planInstall } from './system-programs.mjs'

const folders = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin']
const needed = ['bwrap', 'python3', 'setpriv']
const onMost = ['bubblewrap', 'python3', 'util-linux']
const packages = {
  'apt-get': onMost,
  dnf: onMost,
  apk: ['bubblewrap', 'python3', 'setpriv'],
  zypper: onMost,
  pacman: ['bubblewrap', 'python', 'util-linux'],
}

/**
 * Makes sure that there is what scripts of users are run with, installing it by the system's package manager where that is
 * allowed. Without it the product runs and refuses such scripts, so this fails with nothing but words.
 * @param {(command: string[]) => Promise<void>} run runs one command, reporting its progress
 * @param {{ platform?: string, has?: (program: string) => boolean, plan?: typeof planInstall }} [machine] this one by default
 * @returns {Promise<string | undefined>} why it is not there; undefined when it is, or this is no Linux
 */
export async function ensureSandboxPrograms(
  run,
  { platform = process.platform, has = isInstalled, plan = planInstall } = {},
) {
  const missing = () => needed.filter((name) => !has(name))
  if (platform !== 'linux' || missing().length === 0) return undefined
  const words = `The tests of user code will fail: ${missing().join(', ')} could not be installed`
  const planned = plan(packages)
  if ('reason' in planned) return `${words}: ${planned.reason}.`
  try {
    for (const command of planned.commands) await run(command)
  } catch (error) {
    return `${words}. ${error.message}`
  }
  return missing().length === 0 ? undefined : `${words}: the packages brought no such programs.`
}

function isInstalled(name) {
  return folders.some((folder) => isExecutable(`${folder}/${name}`))
}
