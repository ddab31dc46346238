import { spawn } from 'node:child_process'

/**
 * Starts a small shell that outlives this process. When this process is killed, the input of the shell ends and it runs a clean-up.
 * @param {string} cleanUp shell commands; `$line` is the last line sent, `$1` and so on are `args`
 * @param {string[]} args
 * @returns {{ send: (line: string) => void, release: () => void }} `release` ends the guard without a clean-up
 */
export function startGuard(cleanUp, args) {
  const script = `line=
    while read -r next; do
      [ "$next" = done ] && exit
      line=$next
    done
    ${cleanUp}`
  const guard = spawn('sh', ['-c', script, 'sh', ...args], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guard.unref()
  guard.stdin.unref()
  // The guard can have ended before it is released.
  guard.stdin.on('error', () => undefined)
  return {
    send: (line) => guard.stdin.write(`${line}\n`),
    release: () => guard.stdin.end('done\n'),
  }
}

/**
 * Starts a guard that kills the process group it watches and then removes `folder`. The servers of that group get some time to
 * stop on their own.
 * @param {string} folder
 * @returns {{ watch(child: import('node:child_process').ChildProcess): void, release(): void }} `watch` accepts a child that leads
 *   its process group
 */
export function guardProcessGroup(folder) {
  const cleanUp = '[ -n "$line" ] && kill -KILL "-$line"; sleep 2; rm -rf "$1"'
  const { send, release } = startGuard(cleanUp, [folder])
  return { watch: (child) => send(String(child.pid)), release }
}
