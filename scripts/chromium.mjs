import { delimiter, join } from 'node:path'
import { isExecutable, planInstall } from './system-programs.mjs'

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
]
const macPaths = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * Path of a Chromium on this machine: the one HEADWATER_CHROMIUM names, else the first found in PATH.
 * @param {Record<string, string | undefined>} env
 * @returns {string | undefined}
 */
export function findChromium(env) {
  if (env.HEADWATER_CHROMIUM) return isExecutable(env.HEADWATER_CHROMIUM) ? env.HEADWATER_CHROMIUM : undefined
  const inPath = (env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
  return [...inPath, ...macPaths].find(isExecutable)
}

const packages = Object.fromEntries(
  ['apt-get', 'dnf', 'apk', 'zypper', 'pacman', 'brew'].map((manager) => [manager, ['chromium']]),
)

/**
 * Makes sure that there is a Chromium, installing it by the system's package manager where that is allowed.
 * @param {Record<string, string | undefined>} env
 * @param {(command: string[]) => Promise<void>} run runs one command, reporting its progress
 * @returns {Promise<string>} its path
 */
export async function ensureChromium(env, run) {
  const found = findChromium(env)
  if (found) return found
  if (env.HEADWATER_CHROMIUM) {
    throw new Error(`HEADWATER_CHROMIUM names ${env.HEADWATER_CHROMIUM}, which is not a program.`)
  }
  const plan = planInstall(packages)
  if ('commands' in plan) for (const command of plan.commands) await run(command)
  const installed = findChromium(env)
  if (installed) return installed
  const reason = 'reason' in plan ? plan.reason : 'its installation brought no program of a known name'
  throw new Error(
    `The browser tests need Chromium, and it could not be installed: ${reason}. ` +
      'Install Chromium or Google Chrome, or name one in HEADWATER_CHROMIUM.',
  )
}
