import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'

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

/** How each package manager installs Chromium without asking. */
const installers = [
  {
    manager: 'apt-get',
    commands: [
      ['apt-get', 'update', '-q'],
      ['apt-get', 'install', '-y', '-q', 'chromium'],
    ],
  },
  { manager: 'dnf', commands: [['dnf', 'install', '-y', 'chromium']] },
  { manager: 'apk', commands: [['apk', 'add', '--no-progress', 'chromium']] },
  { manager: 'zypper', commands: [['zypper', '--non-interactive', 'install', 'chromium']] },
  { manager: 'pacman', commands: [['pacman', '-Sy', '--noconfirm', 'chromium']] },
  { manager: 'brew', commands: [['brew', 'install', '--cask', 'chromium']], asUser: true },
]

/**
 * Which commands would install Chromium here, or why none can.
 * @param {{ has: (command: string) => boolean, isRoot: boolean, maySudo: () => boolean }} machine
 * @returns {{ commands: string[][] } | { reason: string }}
 */
export function planInstall({ has, isRoot, maySudo }) {
  const installer = installers.find(({ manager }) => has(manager))
  if (!installer) return { reason: 'no package manager that is known here was found' }
  if (isRoot || installer.asUser) return { commands: installer.commands }
  if (maySudo()) return { commands: installer.commands.map((command) => ['sudo', '-n', ...command]) }
  const words = installer.commands.map((command) => command.join(' ')).join(' && ')
  return { reason: `this user may not install programs; as root run: ${words}` }
}

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
  const plan = planInstall({ has: hasCommand, isRoot: process.getuid?.() === 0, maySudo })
  if ('commands' in plan) for (const command of plan.commands) await run(command)
  const installed = findChromium(env)
  if (installed) return installed
  const reason = 'reason' in plan ? plan.reason : 'its installation brought no program of a known name'
  throw new Error(
    `The browser tests need Chromium, and it could not be installed: ${reason}. ` +
      'Install Chromium or Google Chrome, or name one in HEADWATER_CHROMIUM.',
  )
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return existsSync(path)
  } catch {
    return false
  }
}

function hasCommand(command) {
  return spawnSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' }).status === 0
}

function maySudo() {
  try {
    execFileSync('sudo', ['-n', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
