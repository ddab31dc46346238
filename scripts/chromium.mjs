import { delimiter, join } from 'node:path'
import { ErrorForPeople } from './run-step.mjs'
import { isExecutable, planInstall } from './system-programs.mjs'

/** Chromium without its own windows: half the processor time per page. */
const headlessShell = 'chromium-headless-shell'
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
  return findBrowser(env, names)
}

/**
 * Path of the browser that tests drive: as {@link findChromium}, but a headless shell of Chromium comes first.
 * @param {Record<string, string | undefined>} env
 * @returns {string | undefined}
 */
export function findBrowserForTests(env) {
  return findBrowser(env, [headlessShell]) ?? findBrowser(env, names)
}

function findBrowser(env, wanted) {
  if (env.HEADWATER_CHROMIUM) return isExecutable(env.HEADWATER_CHROMIUM) ? env.HEADWATER_CHROMIUM : undefined
  const folders = (env.PATH ?? '').split(delimiter)
  const inPath = folders.flatMap((folder) => wanted.map((name) => join(folder, name)))
  return [...inPath, ...(wanted === names ? macPaths : [])].find(isExecutable)
}

const packages = Object.fromEntries(
  ['apt-get', 'dnf', 'apk', 'zypper', 'pacman', 'brew'].map((manager) => [manager, ['chromium']]),
)
/** Not every release of a system has it. */
const headlessPackages = { 'apt-get': [headlessShell] }

/**
 * Makes sure that there is a Chromium, installing it by the system's package manager where that is allowed; also its headless
 * shell, without which the tests only take longer.
 * @param {Record<string, string | undefined>} env
 * @param {(command: string[]) => Promise<void>} run runs one command, reporting its progress
 * @param {{ find?: typeof findChromium, findFast?: typeof findBrowserForTests, plan?: typeof planInstall }} [machine] this one
 *   by default
 */
export async function ensureBrowserForTests(
  env,
  run,
  { find = findChromium, findFast = findBrowserForTests, plan = planInstall } = {},
) {
  if (!find(env)) await installChromium(env, run, find, plan)
  if (env.HEADWATER_CHROMIUM || findFast(env)?.endsWith(headlessShell)) return
  const planned = plan(headlessPackages)
  if ('reason' in planned) return
  try {
    for (const command of planned.commands) await run(command)
  } catch (error) {
    console.error(`The browser tests run in Chromium itself, which takes longer: ${error.message}`)
  }
}

async function installChromium(env, run, find, plan) {
  if (env.HEADWATER_CHROMIUM) {
    throw new ErrorForPeople(
      `HEADWATER_CHROMIUM is ${env.HEADWATER_CHROMIUM}, which is not a program. Set it to the path of a Chromium, or unset it.`,
    )
  }
  const planned = plan(packages)
  if ('commands' in planned) for (const command of planned.commands) await run(command)
  if (find(env)) return
  const reason = 'reason' in planned ? planned.reason : 'the installed package has no program of a known name'
  throw new ErrorForPeople(
    `The browser tests need Chromium, and it could not be installed: ${reason}. ` +
      'Install Chromium or Google Chrome, or set HEADWATER_CHROMIUM to its path.',
  )
}
