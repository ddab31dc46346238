import { spawn } from 'node:child_process'
import process from 'node:process'

const heartbeatMs = 4000
const reportedLines = 20

/** An error whose message addresses the user; its stack is not printed. */
export class ErrorForPeople extends Error {
  isForPeople = true
}

/**
 * Prints a line now and another every few seconds with the elapsed time, until it is stopped.
 * @param {string} what for example `Installing dependencies`
 * @param {(line: string) => void} [say]
 * @returns {() => void} stops it
 */
export function startHeartbeat(what, say = (line) => console.error(line)) {
  const startedMs = Date.now()
  const timer = setInterval(
    () => say(`  … ${what}, ${Math.round((Date.now() - startedMs) / 1000)} s`),
    heartbeatMs,
  )
  timer.unref()
  say(`${what} …`)
  return () => clearInterval(timer)
}

/**
 * Runs a program whose output matters only on failure, and prints progress while it runs.
 * @param {string} what for the progress lines
 * @param {string[]} command program and its arguments
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, explain?: (output: string) => string | undefined }} [options]
 *   `explain` returns a sentence for the output of a failure that says what to do
 */
export async function runStep(what, [program, ...args], { cwd, env, explain } = {}) {
  const stopHeartbeat = startHeartbeat(what)
  let output = ''
  const keep = (chunk) => {
    output += chunk
  }
  try {
    const child = spawn(program, args, { cwd, env: env ?? process.env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (exitCode, signal) => resolve(exitCode ?? signal))
    })
    if (code === 0) return
    const reason = explain?.(output) ?? `It exited with ${code}.`
    throw new ErrorForPeople(`${what} failed. ${reason}\n${shortened(output)}`)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    throw new ErrorForPeople(`${what} failed: the program ${program} does not exist.`)
  } finally {
    stopHeartbeat()
  }
}

/** Returns the beginning and the end of an output, because one of them contains the cause. */
function shortened(output) {
  const lines = output.trim().split('\n')
  if (lines.length <= 2 * reportedLines) return lines.join('\n')
  return [...lines.slice(0, reportedLines), '  […]', ...lines.slice(-reportedLines)].join('\n')
}

/**
 * Runs a program in the foreground, forwards signals to it and waits for its exit.
 * @param {string[]} command program and its arguments
 * @param {import('node:child_process').SpawnOptions & { onStart?: (child: import('node:child_process').ChildProcess) => void }} [options]
 * @returns {Promise<number>} its exit code; 128 plus the number of the signal that ended it
 */
export function runToExit([program, ...args], { onStart, ...options } = {}) {
  return new Promise((resolve, reject) => {
    // In its own process group, or Ctrl+C would reach the program twice: from the terminal and from here.
    const child = spawn(program, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      ...options,
      detached: true,
    })
    const forward = (signal) => {
      child.kill(signal)
    }
    for (const signal of forwarded) process.on(signal, forward)
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      for (const name of forwarded) process.off(name, forward)
      resolve(code ?? 128 + (signalNumbers[signal] ?? 0))
    })
    onStart?.(child)
  })
}

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP']
const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15 }
