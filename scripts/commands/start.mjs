import module from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { ensureDependencies } from '../dependencies.mjs'
import { runToExit, startHeartbeat } from '../run-step.mjs'
import { ensureNode, root } from '../runtime.mjs'
import { ensureWebApp } from '../web-app.mjs'

const main = join(root, 'apps', 'server', 'src', 'main.ts')
/** Half the default size of the young generation: 100 MB less memory after work, at the same speed. As in `start` of package.json. */
const memoryOption = '--max-semi-space-size=8'
const compileCache = join(root, '.runtime', 'compile-cache')

/** `npm start`: prepares what is missing and runs the server until it is stopped. */
export default async function start(args) {
  const node = await ensureNode()
  await ensureDependencies(node)
  await ensureWebApp(node)
  return node === process.execPath ? becomeServer() : runServer(node, args)
}

/** Runs the server in this process; a parent process that only waits would cost 26 MB and 50 ms. */
async function becomeServer() {
  process.chdir(root)
  if (process.env.NODE_COMPILE_CACHE === undefined) module.enableCompileCache(compileCache)
  const stopHeartbeat = startHeartbeat('Starting')
  await import(pathToFileURL(main).href).finally(stopHeartbeat)
}

/**
 * Runs the server in the foreground and prints progress until its first output.
 * @param {string} node
 * @param {string[]} args
 * @param {{ watch?: boolean, env?: NodeJS.ProcessEnv, say?: (text: string) => void }} [options] `watch` restarts it
 *   when its sources change; `say` prints the output of the server
 * @returns {Promise<number>} its exit code
 */
export function runServer(
  node,
  args,
  { watch = false, env = {}, say = (text) => process.stdout.write(text) } = {},
) {
  const stopHeartbeat = startHeartbeat('Starting')
  const options = [memoryOption, ...(watch ? ['--watch', '--watch-preserve-output'] : [])]
  return runToExit([node, ...options, main, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env, ...env },
    onStart(child) {
      child.stdout.once('data', stopHeartbeat)
      child.stdout.setEncoding('utf8').on('data', say)
      child.once('exit', stopHeartbeat)
    },
  }).finally(stopHeartbeat)
}
