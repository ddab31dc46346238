import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canBeOrdinaryUser, copyForOrdinaryUser, type OrdinaryUser } from '../test/ordinary-user.ts'
import { runScript, type ScriptResult, type ScriptRun } from '../test/run-script.ts'
import { findCgroups } from './cgroups.ts'

const memoryBytes = 128 * 1024 * 1024
/** Functions for the attacks. Each prints how much data it could store and then holds it for a short time. */
const helpers = `
import array, fcntl, os, socket, sys, time
def fill(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 * 1024 * 1024)
    connection.setblocking(False)
    stored = 0
    try:
        while True: stored += connection.send(bytes(65536))
    except BlockingIOError: return stored
    except OSError: return stored
def attack(steps):
    stored = 0
    try:
        for step in steps: stored += step
    except OSError: pass
    print("stored", stored, flush=True)
    time.sleep(1)
def in_many_processes(steps):
    for _ in range(40):
        try:
            if os.fork() == 0: attack(steps()); os._exit(0)
        except OSError: break
    attack(steps())
`
const attacks: [string, string][] = [
  [
    'socket buffers of many processes',
    `
kept = []
def steps():
    while True:
        pair = socket.socketpair(); kept.append(pair)
        for each in pair: yield fill(each)
in_many_processes(steps)`,
  ],
  [
    'TCP connections to itself',
    `
listener = socket.create_server(("127.0.0.1", 9000), backlog=4096)
listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 * 1024 * 1024)
kept = []
def steps():
    while True:
        each = socket.create_connection(("127.0.0.1", 9000)); kept.append(each)
        yield fill(each)
attack(steps())`,
  ],
  [
    'connections that nobody accepts',
    `
listener = socket.socket(socket.AF_UNIX); listener.bind("\\0x"); listener.listen(4096)
def steps():
    while True:
        with socket.socket(socket.AF_UNIX) as each:
            each.connect("\\0x")
            yield fill(each)
attack(steps())`,
  ],
  [
    'passed descriptors',
    `
holders = [socket.socketpair() for _ in range(20)]
def steps():
    for holder, _ in holders:
        holder.setblocking(False)
        for _ in range(200):
            ours, theirs = socket.socketpair()
            stored = fill(ours)
            try: holder.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [theirs.fileno()]))])
            except OSError: stored = 0
            ours.close(); theirs.close()
            yield stored
attack(steps())`,
  ],
  [
    'pipes of many processes',
    `
kept = []
def steps():
    while True:
        reader, writer = os.pipe(); kept.append((reader, writer)); os.set_blocking(writer, False)
        try: fcntl.fcntl(writer, 1031, 1024 * 1024)
        except OSError: pass
        stored = 0
        try:
            while True: stored += os.write(writer, bytes(4096))
        except BlockingIOError: yield stored
in_many_processes(steps)`,
  ],
]

let ordinaryUser: OrdinaryUser | undefined
beforeAll(() => {
  if (canBeOrdinaryUser()) ordinaryUser = copyForOrdinaryUser()
})
afterAll(() => ordinaryUser?.remove())

const self = process.getuid?.() === 0 ? 'root' : 'the user of the tests'
const users: [string, (run: ScriptRun) => Promise<ScriptResult>][] = [[self, (run) => runScript(run)]]
if (canBeOrdinaryUser()) users.push(['an ordinary user', async (run) => ordinaryUser!.run(run)])

describe.each(users)('a script run by %s', (_user, run) => {
  test.each(attacks)('cannot store more than its memory limit in %s', async (_what, script) => {
    const limits = { memoryBytes, processes: 32, wallMs: 30_000 }
    const { outcome, lines } = await run({ script: `${helpers}${script}`, limits })
    expect(['exited', 'memoryLimit']).toContain(outcome.end)
    const stored = lines.map((line) => Number(/^stored (\d+)$/.exec(line)?.[1] ?? 0))
    expect(stored.reduce((sum, each) => sum + each, 0)).toBeLessThan(memoryBytes)
    if (outcome.end === 'exited') expect(outcome).toMatchObject({ exitCode: 0 })
  })

  test('uses sockets of every allowed kind normally, and gets a clear error beyond the maximum number', async () => {
    const script = `
import asyncio, errno, os, socket, subprocess, sys
for family, kind in [(socket.AF_INET, socket.SOCK_STREAM), (socket.AF_INET6, socket.SOCK_DGRAM), (socket.AF_UNIX, socket.SOCK_DGRAM)]:
    with socket.socket(family, kind) as each: print(each.family == family, each.type == kind, os.get_inheritable(each.fileno()))
raw = socket.socket(socket.AF_INET, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
print(raw.getblocking(), raw.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 131072)
async def echo(reader, writer): writer.write(await reader.read(5)); await writer.drain(); writer.close()
async def main():
    server = await asyncio.start_server(echo, "127.0.0.1", 9001)
    reader, writer = await asyncio.open_connection("127.0.0.1", 9001)
    writer.write(b"hello"); print(await reader.read())
asyncio.run(main())
print(subprocess.run([sys.executable, "-c", "import socket; print(len(socket.socketpair()))"], capture_output=True, text=True).stdout.strip())
try: socket.socket(socket.AF_INET, socket.SOCK_STREAM, 2**31 - 1)
except OSError as error: print(errno.errorcode[error.errno])
kept = []
for _ in range(5):
    try:
        while True: kept.append(socket.socket())
    except OSError as error: print(errno.errorcode[error.errno])
    for each in kept: each.close()
    kept.clear()
print(len([socket.socket() for _ in range(20)]))`
    const { outcome, lines } = await run({ script, limits: { memoryBytes, processes: 16 } })
    expect(outcome.stderrTail).toBe('')
    expect(lines).toEqual([
      'True True False',
      'True True False',
      'True True False',
      'False True',
      "b'hello'",
      '2',
      'EINVAL',
      ...Array.from({ length: 5 }, () => expect.stringMatching(/^(ENOBUFS|EMFILE)$/) as string),
      '20',
    ])
  })
})

describe('cgroups', () => {
  test('cgroups are used only if the memory controller is delegated', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cgroups-'))
    try {
      expect(findCgroups([])).toBeUndefined()
      expect(findCgroups([join(folder, 'nowhere')])).toBeUndefined()
      mkdirSync(join(folder, 'own'))
      writeFileSync(join(folder, 'own', 'cgroup.controllers'), 'cpu io\n')
      expect(findCgroups([join(folder, 'own')])).toBeUndefined()
      // The cgroup contains other processes, so Linux does not allow limits for its children.
      writeFileSync(join(folder, 'own', 'cgroup.controllers'), 'cpu memory\n')
      writeFileSync(join(folder, 'own', 'cgroup.subtree_control'), '\n')
      writeFileSync(join(folder, 'own', 'cgroup.procs'), `1\n${process.pid}\n`)
      expect(findCgroups([join(folder, 'own')])).toBeUndefined()
      expect(readFileSync(join(folder, 'own', 'cgroup.subtree_control'), 'utf8')).toBe('\n')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('a run has its own cgroup with a memory limit and no swap, and the kernel kills all of its processes together', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cgroups-'))
    try {
      writeFileSync(join(folder, 'cgroup.controllers'), 'cpu memory\n')
      writeFileSync(join(folder, 'cgroup.subtree_control'), 'memory\n')
      const cgroup = findCgroups([folder])!.create()
      cgroup.add(4711)
      cgroup.setMemoryLimit(memoryBytes)
      const own = readdirSync(folder).find((each) => existsSync(join(folder, each, 'cgroup.procs')))
      const read = (file: string) => readFileSync(join(folder, own!, file), 'utf8')
      expect(read('cgroup.procs')).toBe('4711')
      expect(read('memory.max')).toBe(String(memoryBytes + 64 * 1024 * 1024))
      expect([read('memory.swap.max'), read('memory.oom.group')]).toEqual(['0', '1'])
      expect(await cgroup.ranOutOfMemory()).toBe(false)
      writeFileSync(join(folder, own!, 'memory.events'), 'max 12\noom 1\noom_kill 3\n')
      expect(await cgroup.ranOutOfMemory()).toBe(true)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('the cgroup of this process is used if it is delegated; a new child cgroup reports no kills', async () => {
    const cgroups = findCgroups()
    const cgroup = cgroups?.create()
    cgroup?.setMemoryLimit(memoryBytes)
    expect(await cgroup?.ranOutOfMemory()).toBe(cgroups && false)
    await cgroup?.remove()
  })
})
