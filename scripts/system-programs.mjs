import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import process from 'node:process'

/** How each package manager installs packages without asking. */
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
/** Refuses to be run by root. */
const managerOfUsers = 'brew'

/**
 * Which commands would install something here, or why none can.
 * @param {Record<string, string[]>} packages names of the packages, by package manager
 * @param {{ has: (command: string) => boolean, isRoot: boolean, maySudo: () => boolean }} [machine] this one by default
 * @returns {{ commands: string[][] } | { reason: string }}
 */
export function planInstall(packages, { has, isRoot, maySudo } = thisMachine) {
  const manager = Object.keys(managers).find((name) => packages[name] && has(name))
  if (!manager) return { reason: 'no package manager that is known here was found' }
  const commands = managers[manager](packages[manager])
  if (isRoot || manager === managerOfUsers) return { commands }
  if (maySudo()) return { commands: commands.map((command) => ['sudo', '-n', ...command]) }
  const words = commands.map((command) => command.join(' ')).join(' && ')
  return { reason: `this user may not install programs; as root run: ${words}` }
}

/** Whether a path is that of a program that can be run. */
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
  maySudo: () => spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0,
}
