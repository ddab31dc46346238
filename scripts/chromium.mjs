import { delimiter, join } from 'node:path'
import { ErrorForPeople } from './run-step.mjs'
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
 * Returns the path of Chromium: the one in HEADWATER_CHROMIUM, otherwise the first in PATH.
 * @param {Record<string, string | undefined>} env
 * @returns {string | undefined}
 */
export function findChromium(env) {
  if (env.HEADWATER_CHROMIUM) return isExecutable(env.HEADWATER_CHROMIUM) ? env.HEADWATER_CHROMIUM : undefined
  const folders = (env.PATH ?? '').split(delimiter)
  const inPath = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  return [...inPath, ...macPaths].find(isExecutable)
}

const headlessShell = 'chromium-headless-shell'

/**
 * Returns the path of Chromium's headless shell, which opens a page in two thirds of the time; undefined when HEADWATER_CHROMIUM
 * is set.
 * @param {Record<string, string | undefined>} env
 * @returns {string | undefined}
 */
export function findHeadlessShell(env) {
  if (env.HEADWATER_CHROMIUM) return undefined
  const folders = (env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, headlessShell)).find(isExecutable)
}

/**
 * Installs the headless shell if the system has a package for it. The tests can use Chromium instead, so a failure is not an error.
 * @param {Record<string, string | undefined>} env
 * @param {(command: string[]) => Promise<void>} run runs a command and reports its progress
 * @param {{ find?: typeof findHeadlessShell, plan?: typeof planInstall }} [machine] this one by default
 */
export async function preferHeadlessShell(env, run, { find = findHeadlessShell, plan = planInstall } = {}) {
  if (env.HEADWATER_CHROMIUM || find(env)) return
  const planned = plan({ 'apt-get': [headlessShell] })
  if ('reason' in planned) return
  try {
    for (const command of planned.commands) await run(command)
  } catch {
    console.error(
      'Chromium’s headless shell could not be installed; the tests use Chromium, which is slower.',
    )
  }
}

const packages = Object.fromEntries(
  ['apt-get', 'dnf', 'apk', 'zypper', 'pacman', 'brew'].map((manager) => [manager, ['chromium']]),
)

/**
 * Ensures that Chromium exists. Installs it with the package manager of the system if permitted.
 * @param {Record<string, string | undefined>} env
 * @param {(command: string[]) => Promise<void>} run runs a command and reports its progress
 * @param {{ find?: typeof findChromium, plan?: typeof planInstall }} [machine] this one by default
 */
export async function ensureChromium(env, run, { find = findChromium, plan = planInstall } = {}) {
  if (find(env)) return
  if (env.HEADWATER_CHROMIUM) {
    throw new ErrorForPeople(
      `HEADWATER_CHROMIUM is ${env.HEADWATER_CHROMIUM}, which is not a program. Set it to the path of a Chromium, or unset it.`,
    )
  }
  const planned = plan(packages)
  if ('commands' in planned) for (const command of planned.commands) await run(command)
  if (find(env)) return
  const reason =
    'reason' in planned ? planned.reason : 'the installed package has no program with a known name'
  throw new ErrorForPeople(
    `The browser tests need Chromium, and it could not be installed: ${reason}. ` +
      'Install Chromium or Google Chrome, or set HEADWATER_CHROMIUM to its path.',
  )
}
