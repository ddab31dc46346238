import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

/** Runs Python code after the definitions of `launcher.py` and returns its output. */
async function withLauncher(code: string): Promise<string> {
  const launcher = await readFile(new URL('launcher.py', import.meta.url), 'utf8')
  const { stdout } = await run('python3', ['-c', launcher.replace(/\nmain\(\)\s*$/, `\n${code}`)])
  return stdout
}

test('a response sent just before the server closes the connection arrives, even if the request is incomplete', async () => {
  const output = await withLauncher(`
class Events:
    def watch(self, *_):
        pass

forwarder = Forwarder.__new__(Forwarder)
forwarder.first, forwarder.connections = Events(), 1
script, client = socket.socketpair()
server, api = socket.socketpair()
sides = Side(client), Side(server)
sides[0].peer, sides[1].peer = sides[1], sides[0]
for side in sides:
    side.socket.setblocking(False)
script.send(b"headers")
forwarder.move(sides[0], select.EPOLLIN)
api.send(b"refused")
api.close()
script.send(b"body")
forwarder.move(sides[0], select.EPOLLIN)
script.send(b"more of the body")
forwarder.move(sides[0], select.EPOLLIN)
for _ in range(3):
    if not sides[0].is_shut:
        forwarder.move(sides[1], select.EPOLLIN)
script.setblocking(False)
print(script.recv(100), script.recv(100), forwarder.connections)
`)
  expect(output).toBe("b'refused' b'' 0\n")
})
