import process from 'node:process'
import { isExecutable, planInstall } from './system-programs.mjs'

const folders = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin']
const needed = ['bwrap', 'python3', 'setpriv', 'dovecot']
const onMost = ['dovecot', 'bubblewrap', 'python3', 'util-linux']
const packages = {
  'apt-get': ['dovecot-imapd', 'bubblewrap', 'python3', 'util-linux'],
  dnf: onMost,
  apk: ['dovecot', 'bubblewrap', 'python3', 'setpriv'],
  zypper: onMost,
  pacman: ['dovecot', 'bubblewrap', 'python', 'util-linux'],
}

/**
 * Ensures that the programs that run scripts of users exist, and the mail server that the tests read e-mails from. Installs them with the
 * package manager of the system if permitted. Without them the product runs and rejects such scripts, so a failure is only a message.
 * @param {(command: string[]) => Promise<void>} run runs a command and reports its progress
 * @param {{ platform?: string, has?: (program: string) => boolean, plan?: typeof planInstall }} [machine] this one by default
 * @returns {Promise<string | undefined>} the reason why a program is missing; undefined when all exist, and on systems other than Linux
 */
export async function ensureSandboxPrograms(
  run,
  { platform = process.platform, has = isInstalled, plan = planInstall } = {},
) {
  const missing = () => needed.filter((name) => !has(name))
  if (platform !== 'linux' || missing().length === 0) return undefined
  const message = `The tests of user code or of mailboxes will fail: ${missing().join(', ')} could not be installed`
  const planned = plan(packages)
  if ('reason' in planned) return `${message}: ${planned.reason}.`
  try {
    for (const command of planned.commands) await run(command)
  } catch (error) {
    return `${message}. ${error.message}`
  }
  return missing().length === 0 ? undefined : `${message}: the packages contain no such programs.`
}

function isInstalled(name) {
  return folders.some((folder) => isExecutable(`${folder}/${name}`))
}
