import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { isExecutable, planInstall } from './system-programs.mjs'

const folders = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin']
const programs = ['bwrap', 'python3', 'setpriv', 'dovecot']
const onMost = ['dovecot', 'bubblewrap', 'python3', 'util-linux']
const packagesOfPrograms = {
  'apt-get': ['dovecot-imapd', 'bubblewrap', 'python3', 'util-linux'],
  dnf: onMost,
  apk: ['dovecot', 'bubblewrap', 'python3', 'setpriv'],
  zypper: onMost,
  pacman: ['dovecot', 'bubblewrap', 'python', 'util-linux'],
}

const modules = ['requests', 'numpy', 'pandas']
const python3Packages = modules.map((name) => `python3-${name}`)
const packagesOfModules = {
  // The packages that Debian recommends with pandas are six times as large and not needed.
  'apt-get': ['--no-install-recommends', ...python3Packages],
  dnf: python3Packages,
  apk: modules.map((name) => `py3-${name}`),
  zypper: python3Packages,
  pacman: modules.map((name) => `python-${name}`),
}

/**
 * Ensures that the programs that run scripts of users exist, the mail server that the tests read e-mails from, and the Python packages that
 * scripts of the tests import. Installs them with the package manager of the system if permitted. Without them the product runs and rejects
 * such scripts, so a failure is only a message.
 * @param {(command: string[]) => Promise<void>} run runs a command and reports its progress
 * @param {{ platform?: string, has?: (program: string) => boolean, hasModule?: (name: string) => boolean, plan?: typeof planInstall }} [machine] this one by default
 * @returns {Promise<string | undefined>} the reasons why something is missing; undefined when all exist, and on systems other than Linux
 */
export async function ensureSandboxPrograms(
  run,
  { platform = process.platform, has = isInstalled, hasModule = isImportable, plan = planInstall } = {},
) {
  if (platform !== 'linux') return undefined
  const problems = [
    await ensure(run, plan(packagesOfPrograms), {
      missing: () => programs.filter((name) => !has(name)),
      affected: 'The tests of user code or of mailboxes',
      nouns: 'programs',
    }),
    await ensure(run, plan(packagesOfModules), {
      missing: () => modules.filter((name) => !hasModule(name)).map((name) => `python3-${name}`),
      affected: 'The tests of scripts with Python packages',
      nouns: 'modules',
    }),
  ].filter((problem) => problem !== undefined)
  return problems.length === 0 ? undefined : problems.join('\n')
}

async function ensure(run, planned, { missing, affected, nouns }) {
  if (missing().length === 0) return undefined
  const message = `${affected} will fail: ${missing().join(', ')} could not be installed`
  if ('reason' in planned) return `${message}: ${planned.reason}.`
  try {
    for (const command of planned.commands) await run(command)
  } catch (error) {
    return `${message}. ${error.message}`
  }
  return missing().length === 0 ? undefined : `${message}: the packages contain no such ${nouns}.`
}

function isInstalled(name) {
  return folders.some((folder) => isExecutable(`${folder}/${name}`))
}

/** Returns whether the Python of the system, which runs scripts of users, finds a module. */
function isImportable(name) {
  const script = `import importlib.util, sys; sys.exit(0 if importlib.util.find_spec(${JSON.stringify(name)}) else 1)`
  return spawnSync('/usr/bin/python3', ['-I', '-c', script], { stdio: 'ignore' }).status === 0
}
