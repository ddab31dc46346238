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

/** Tried in turn: not every release of a system has the headless shell. */
const packages = [
  { 'apt-get': [headlessShell] },
  Object.fromEntries(
    ['apt-get', 'dnf', 'apk', 'zypper', 'pacman', 'brew'].map((manager) => [manager, ['chromium']]),
  ),
]

/**
 * Makes sure that there is a browser for tests, installing it by the system's package manager where that is allowed.
 * @param {Record<string, string | undefined>} env
 * @param {(command: string[]) => Promise<void>} run runs one command, reporting its progress
 * @param {{ find?: typeof findBrowserForTests, plan?: typeof planInstall }} [machine] this one by default
 * @returns {Promise<string>} its path
 */
export async function ensureBrowserForTests(
  env,
  run,
  { find = findBrowserForTests, plan = planInstall } = {},
) {
  const found = find(env)
  if (found) return found
  if (env.HEADWATER_CHROMIUM) {
    throw new ErrorForPeople(
      `HEADWATER_CHROMIUM is ${env.HEADWATER_CHROMIUM}, which is not a program. Set it to the path of a Chromium, or unset it.`,
    )
  }
  let reason = 'the installed package has no program of a known name'
  for (const wanted of packages) {
    const planned = plan(wanted)
    if ('reason' in planned) {
      reason = planned.reason
      continue
    }
    try {
      for (const command of planned.commands) await run(command)
    } catch (error) {
      reason = error.message
    }
    const installed = find(env)
    if (installed) return installed
  }
  throw new ErrorForPeople(
    `The browser tests need Chromium, and it could not be installed: ${reason}. ` +
      'Install Chromium or Google Chrome, or set HEADWATER_CHROMIUM to its path.',
  )
}
