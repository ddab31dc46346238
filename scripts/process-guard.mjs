import { spawn } from 'node:child_process'

/**
 * Starts a small process that outlives this one. When this one is killed, the guard kills the process group it watches and then
 * removes `folder`; the servers of that group need a moment to end by themselves.
 * @param {string} folder
 * @returns {{ watch(child: import('node:child_process').ChildProcess): void, release(): void }} `watch` takes a child that leads
 *   its process group; `release` ends the guard without doing anything
 */
export function guardProcessGroup(folder) {
  const script = `group=
    while read -r word; do
      [ "$word" = done ] && exit
      group=$word
    done
    [ -n "$group" ] && kill -KILL "-$group"
    sleep 2
    rm -rf "$1"`
  const guard = spawn('sh', ['-c', script, 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guard.unref()
  guard.stdin.unref()
  // The guard may be gone already when it is released.
  guard.stdin.on('error', () => undefined)
  return {
    watch: (child) => guard.stdin.write(`${child.pid}\n`),
    release: () => guard.stdin.end('done\n'),
  }
}
