import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import process from 'node:process'

/** Commands that install packages without a prompt, by package manager. */
const managers = {
  'apt-get': (packages) => [
    ['apt-get', 'update', '-q'],
    ['apt-get', 'install', '-y', '-q', ...packages],
  ],
  dnf: (packages) => [['dnf', 'install', '-y', ...packages]],
  apk: (packages) => [['apk', 'add', '--no-progress', ...packages]],
  zypper: (packages) => [['zypper', '--non-interactive', 'install', ...packages]],
  pacman: (packages) => [['pacman', '-Sy', '--noconfirm', ...packages]],
  brew: (packages) => [['brew', 'install', '--cask', ...packages]],
}
/** Homebrew refuses to run as root. */
const managerOfUsers = 'brew'

/**
 * Returns the commands that install a package on this machine, or the reason why none can.
 * @param {Record<string, string[]>} packages names of the packages, by package manager
 * @param {{ has: (command: string) => boolean, isRoot: boolean, canSudo: () => boolean }} [machine] this one by default
 * @returns {{ commands: string[][] } | { reason: string }}
 */
export function planInstall(packages, { has, isRoot, canSudo } = thisMachine) {
  const manager = Object.keys(managers).find((name) => packages[name] && has(name))
  if (!manager) return { reason: 'this system has no package manager that Headwater knows' }
  const commands = managers[manager](packages[manager])
  if (isRoot || manager === managerOfUsers) return { commands }
  if (canSudo()) return { commands: commands.map((command) => ['sudo', '-n', ...command]) }
  const commandLine = commands.map((command) => command.join(' ')).join(' && ')
  return { reason: `this user has no permission to install programs; as root run: ${commandLine}` }
}

/** Returns whether a path is an executable program. */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const thisMachine = {
  has: (command) => spawnSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' }).status === 0,
  isRoot: process.getuid?.() === 0,
  canSudo: () => spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0,
}
