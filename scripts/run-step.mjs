import { spawn } from 'node:child_process'
import process from 'node:process'

const heartbeatMs = 4000
const shownOutputLines = 20

/** An error whose message is meant for the person at the keyboard; no stack is shown. */
export class ErrorForPeople extends Error {
  isForPeople = true
}

/**
 * Prints a line now and another every few seconds, with the time that has gone by, until it is stopped.
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
 * Runs a program whose output matters only when it fails; says what is going on while it runs.
 * @param {string} what for the progress lines
 * @param {string[]} command program and its words
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, explain?: (output: string) => string | undefined }} [options]
 *   `explain` turns the output of a failure into a sentence that says what to do
 */
export async function runStep(what, [program, ...words], { cwd, env, explain } = {}) {
  const stopHeartbeat = startHeartbeat(what)
  let output = ''
  const keep = (chunk) => {
    output += chunk
  }
  try {
    const child = spawn(program, words, { cwd, env: env ?? process.env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (exitCode, signal) => resolve(exitCode ?? signal))
    })
    if (code === 0) return
    const reason = explain?.(output) ?? `It ended with ${code}.`
    throw new ErrorForPeople(`${what} failed. ${reason}\n${shortened(output)}`)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    throw new ErrorForPeople(`${what} failed: there is no program ${program} here.`)
  } finally {
    stopHeartbeat()
  }
}

/** Beginning and end of an output: the cause stands in one of them. */
function shortened(output) {
  const lines = output.trim().split('\n')
  if (lines.length <= 2 * shownOutputLines) return lines.join('\n')
  return [...lines.slice(0, shownOutputLines), '  […]', ...lines.slice(-shownOutputLines)].join('\n')
}

/**
 * Runs a program in the foreground, hands signals on to it and waits for its end.
 * @param {string[]} command program and its words
 * @param {import('node:child_process').SpawnOptions & { onStart?: (child: import('node:child_process').ChildProcess) => void }} [options]
 * @returns {Promise<number>} its exit code; 128 and the number of the signal when it was ended by one
 */
export function runToExit([program, ...words], { onStart, ...options } = {}) {
  return new Promise((resolve, reject) => {
    // In a process group of its own, or Ctrl-C would reach the program twice: from the terminal and from here.
    const child = spawn(program, words, {
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
