// Loaded into every process of a mutation run by `--import`. It reports the process, counts the regions it reaches and
// serves edited sources to processes that load TypeScript without Vite, such as the process of the series engine.
import childProcess from 'node:child_process'
import { accessSync, appendFileSync, constants, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes, syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const folder = process.env.HEADWATER_MUTATION
if (folder !== undefined && isWritable(folder)) {
  reportProcess(folder)
  countRegions(folder)
  serveEditedSources(folder)
  passOnToChildren(folder, process.env.NODE_OPTIONS)
}

/** Tests also start processes as another user, who has no access to the folder of this run. */
function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** A process whose mutant loops forever can only be stopped from outside; the file names it. */
function reportProcess(folder) {
  const file = join(folder, 'processes', String(process.pid))
  writeFileSync(file, '')
  process.on('exit', () => rmSync(file, { force: true }))
}

/** Writes at the first hit and not at the end, because tests also kill processes. */
function countRegions(folder) {
  globalThis.__headwaterReached = (file, region) =>
    appendFileSync(join(folder, 'reached'), `${file}:${region}\n`)
}

function serveEditedSources(folder) {
  const edited = JSON.parse(readFileSync(join(folder, 'edited.json'), 'utf8'))
  registerHooks({
    load(url, context, nextLoad) {
      const source = url.startsWith('file:') ? edited[fileURLToPath(url)] : undefined
      if (source === undefined) return nextLoad(url, context)
      return { format: 'module', source: stripTypeScriptTypes(source), shortCircuit: true }
    },
  })
}

/** Programs that give their children a small environment of their own would lose the hook. */
function passOnToChildren(folder, nodeOptions) {
  const { fork, spawn } = childProcess
  const withHook = (options = {}) => ({
    ...options,
    env: { ...(options.env ?? process.env), HEADWATER_MUTATION: folder, NODE_OPTIONS: nodeOptions },
  })
  childProcess.fork = (file, args, options) =>
    Array.isArray(args) ? fork(file, args, withHook(options)) : fork(file, withHook(args))
  childProcess.spawn = (command, args, options) => {
    if (command !== process.execPath) return spawn(command, args, options)
    return Array.isArray(args) ? spawn(command, args, withHook(options)) : spawn(command, withHook(args))
  }
  syncBuiltinESMExports()
}
