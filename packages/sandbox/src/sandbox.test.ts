import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findSandbox } from './index.ts'
import { canBeOrdinaryUser, copyForOrdinaryUser, type OrdinaryUser } from '../test/ordinary-user.ts'
import { roomyLimits, runScript, type ScriptResult, type ScriptRun } from '../test/run-script.ts'

const availability = await findSandbox()
// These tests are not skipped, because the isolation of user code would then be unverified.
if (!availability.available) throw new Error(availability.reason)

const megabyte = 1024 * 1024
const secret = `secret-${randomUUID()}`
const servers: Server[] = []
let folder: string
let ordinaryUser: OrdinaryUser | undefined

beforeAll(() => {
  process.env.HEADWATER_TEST_SECRET = secret
  folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'))
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'note.txt'), secret)
  if (canBeOrdinaryUser()) ordinaryUser = copyForOrdinaryUser()
})

afterEach(async () => {
  for (const server of servers.splice(0)) {
    if ('closeAllConnections' in server)
      (server as unknown as { closeAllConnections(): void }).closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

afterAll(() => {
  delete process.env.HEADWATER_TEST_SECRET
  rmSync(folder, { recursive: true, force: true })
  ordinaryUser?.remove()
})

async function listen<Kind extends Server>(
  server: Kind,
  ...where: [string] | [number, string]
): Promise<Kind> {
  server.listen(...(where as [string]))
  await once(server, 'listening')
  servers.push(server)
  return server
}

/** Starts an HTTP server on a Unix socket that echoes requests. */
async function startEcho(): Promise<string> {
  const path = join(folder, `${randomUUID().slice(0, 8)}.sock`)
  await listen(
    createHttpServer((request, response) => {
      if (request.method === 'GET') return response.end(`${request.method} ${request.url}`)
      // Responds only after the whole request. Otherwise a client that sends everything before it reads would deadlock.
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const body = Buffer.concat(chunks)
        response.end(Buffer.concat([body, createHash('sha256').update(body).digest()]))
      })
    }),
    path,
  )
  chmodSync(path, 0o666)
  return path
}

function hasProcessWith(marker: string): boolean {
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(marker)
    } catch {
      return false
    }
  })
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20))
}

const self = process.getuid?.() === 0 ? 'root' : 'the user of the tests'
const users: [string, (run: ScriptRun) => Promise<ScriptResult>][] = [[self, (run) => runScript(run)]]
if (canBeOrdinaryUser()) users.push(['an ordinary user', async (run) => ordinaryUser!.run(run)])

describe.each(users)('a script run by %s', (_user, run) => {
  test('streams lines of both outputs and returns the exit code', async () => {
    const script =
      'import sys\nprint("one\\ntwo")\nprint("bad", file=sys.stderr)\nsys.stdout.write("end")\nsys.exit(7)'
    const { outcome, lines, errors } = await run({ script })
    expect(lines).toEqual(['one', 'two', 'end'])
    expect(errors).toEqual(['bad'])
    expect(outcome).toEqual({ end: 'exited', exitCode: 7, stderrTail: 'bad' })
  })

  test('returns class and message of an uncaught exception', async () => {
    const { outcome } = await run({ script: 'def work():\n  raise ValueError("no such value: 7")\nwork()' })
    expect(outcome).toMatchObject({ end: 'exited', exitCode: 1 })
    expect(outcome.exception).toEqual({ name: 'ValueError', message: 'no such value: 7' })
    expect(outcome.stderrTail).toMatch(/^Traceback.*\n {2}File "\/run\/script\/main.py", line 3/)
    expect(outcome.stderrTail).not.toContain('launcher')
  })

  test('returns an exception with its module, or without it if the script defines the exception', async () => {
    const inModule = await run({ script: 'import json\njson.loads("{")' })
    expect(inModule.outcome.exception?.name).toBe('json.decoder.JSONDecodeError')
    const own = await run({ script: 'class TooLate(Exception): pass\nraise TooLate()' })
    expect(own.outcome.exception).toEqual({ name: 'TooLate', message: '' })
  })

  test('returns invalid Python as an exception', async () => {
    expect((await run({ script: 'def work(:' })).outcome.exception?.name).toBe('SyntaxError')
    const withNull = await run({ script: 'print(1)\0' })
    expect(withNull.outcome.exception?.message).toContain('null bytes')
  })

  test('runs a long script unchanged', async () => {
    const { lines } = await run({ script: `print("ü")\n#${'x'.repeat(20 * megabyte)}` })
    expect(lines).toEqual(['ü'])
  })

  test('passes exactly the given environment, whatever the variable names', async () => {
    const env = { 'Input #1': 'a b\nc', 'x;$(id)': '`id`', LD_PRELOAD: '' }
    const script = 'import os, json\nprint(json.dumps(dict(os.environ)))'
    const given = JSON.parse((await run({ script, env })).lines[0]!)
    expect(given).toMatchObject(env)
    expect(JSON.stringify(given)).not.toContain(secret)
  })

  test('hides all files of the machine except system files', async () => {
    const paths = ['/etc/shadow', '/root', '/home', '/var', '/opt', '/srv', '/proc/1/root/etc/shadow', folder]
    const script = `
import os
for path in ${JSON.stringify([...paths, join(folder, 'note.txt'), fileURLToPath(import.meta.url)])}:
    print(os.path.exists(path))
print(open("/etc/passwd").read().count("\\n"), os.listdir("/tmp"), os.listdir("."))`
    const { lines } = await run({ script })
    expect(lines).toEqual([...paths, '', ''].map(() => 'False').concat("1 ['work'] []"))
  })

  test('hides other processes and their environments', async () => {
    const script = `
import os
pids = [name for name in os.listdir("/proc") if name.isdigit()]
print(len(pids))
for pid in pids:
    try: print(repr(open(f"/proc/{pid}/environ", "rb").read()))
    except PermissionError: print("forbidden")`
    const { lines } = await run({ script })
    expect(lines[0]).toBe('2')
    expect(lines.join()).not.toContain(secret)
    expect(lines[1]).toBe('forbidden')
    expect(lines).toHaveLength(3)
  })

  test('can write only to the temporary folder', async () => {
    const script = `
import os
for path in ["/x", "/usr/bin/x", "/usr/lib/x", "/etc/x", "/etc/passwd", "/run/x", "/run/script/main.py", "/dev/x", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger"]:
    try:
        open(path, "w").write("1"); print("written", path)
    except OSError: pass
open("x", "w").write("1"); open("/tmp/x", "w").write("1"); open("/dev/shm/x", "w").write("1")`
    const { outcome, lines } = await run({ script })
    expect(lines).toEqual([])
    expect(outcome.exitCode).toBe(0)
  })

  test('limits disk usage of a single file and of many files', async () => {
    const script = `
import errno, os
def fill(path):
    try:
        with open(path, "wb", 0) as file:
            for _ in range(30): file.write(bytes(1000000))
    except OSError as error: print(errno.errorcode[error.errno])
fill("one")
fill("two")
fill("/dev/shm/three")
print(sum(os.path.getsize(name) for name in os.listdir(".")) <= 5000000)`
    const { lines } = await run({ script, limits: { diskBytes: 5_000_000 } })
    expect(lines).toHaveLength(4)
    for (const line of lines.slice(0, 3)) expect(line).toMatch(/^(EFBIG|ENOSPC)$/)
    expect(lines[3]).toBe('True')
  })

  test('has no network without a server', async () => {
    const tcp = await listen(createServer(), 0, '127.0.0.1')
    const abstractName = `\0sandbox-${randomUUID()}`
    await listen(createServer(), abstractName)
    const script = `
import socket
def attempt(family, address):
    try:
        socket.socket(family).connect(address); print("connected")
    except OSError as error: print(type(error).__name__)
attempt(socket.AF_INET, ("127.0.0.1", ${(tcp.address() as AddressInfo).port}))
attempt(socket.AF_INET, ("192.0.2.1", 80))
attempt(socket.AF_INET6, ("2001:db8::1", 80))
attempt(socket.AF_UNIX, ${JSON.stringify(abstractName).replace('\\u0000', '\\0')})`
    expect((await run({ script })).lines).not.toContain('connected')
  })

  test('can connect to the server on its port, and to nothing else', async () => {
    const socketPath = await startEcho()
    const tcp = await listen(createServer(), 0, '127.0.0.1')
    const other = (tcp.address() as AddressInfo).port
    const script = `
import hashlib, socket, threading, urllib.request
url = "http://127.0.0.1:8080"
print(urllib.request.urlopen(url + "/some/path?a=1").read().decode())
data = bytes(range(256)) * 80000
sandbox = urllib.request.urlopen(urllib.request.Request(url, data)).read()
print(sandbox[:-32] == data, sandbox[-32:] == hashlib.sha256(data).digest())
answers = []
def ask(i): answers.append(urllib.request.urlopen(f"{url}/{i}").read().decode())
threads = [threading.Thread(target=ask, args=[i]) for i in range(30)]
[thread.start() for thread in threads]; [thread.join() for thread in threads]
print(sorted(answers) == sorted(f"GET /{i}" for i in range(30)))
with socket.create_connection(("127.0.0.1", 8080)) as half:
    half.sendall(b"GET /half HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")
    half.shutdown(socket.SHUT_WR)
    print(b"".join(iter(lambda: half.recv(1000), b""))[-9:])
for address in [("127.0.0.1", ${other}), ("192.0.2.1", 80)]:
    try: socket.create_connection(address); print("connected")
    except OSError: pass`
    const server = { socketPath, port: 8080 }
    const { outcome, lines } = await run({ script, server, limits: { processes: 40 } })
    expect(outcome.stderrTail).toBe('')
    expect(lines).toEqual(['GET /some/path?a=1', 'True True', 'True', "b'GET /half'"])
  })

  test('queues connections beyond the limit', async () => {
    const socketPath = await startEcho()
    const script = `
import socket
request = b"GET /x HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n"
waiting = [socket.create_connection(("127.0.0.1", 8080)) for _ in range(120)]
for connection in waiting:
    connection.sendall(request)
    assert connection.recv(1000).endswith(b"GET /x")
    connection.close()
print("all")`
    expect((await run({ script, server: { socketPath, port: 8080 } })).lines).toEqual(['all'])
  })

  test('contains a fork bomb', async () => {
    const script = `
import os, time
while True:
    try: os.fork()
    except OSError: time.sleep(0.01)`
    const { outcome } = await run({ script, limits: { wallMs: 2000, cpuSeconds: 60 } })
    expect(outcome.end).toBe('wallLimit')
    expect((await run({ script: 'print("still here")' })).lines).toEqual(['still here'])
    expect(spawnSync('true').status).toBe(0)
  })

  test('limits processes and threads', async () => {
    const script = `
import os, time
count = 1
try:
    while True:
        if os.fork() == 0: time.sleep(1000)
        count += 1
except OSError: print(count)`
    expect((await run({ script, limits: { processes: 8 } })).lines).toEqual(['8'])
  })

  test('exceeding the memory limit raises an error that the script can catch, or ends the script', async () => {
    const limits = { memoryBytes: 100 * megabyte }
    const script = 'try: "x" * 200_000_000\nexcept MemoryError: print("caught")'
    expect(await run({ script, limits })).toMatchObject({ lines: ['caught'], outcome: { end: 'exited' } })
    const { outcome } = await run({
      script: 'parts = []\nwhile True: parts.append(bytearray(1000000))',
      limits,
    })
    expect(outcome.end).toBe('memoryLimit')
    expect(outcome.exception?.name).toBe('MemoryError')
  })

  test('limits the memory of all processes together', async () => {
    const script = `
import os, time
for _ in range(6):
    if os.fork() == 0:
        mine = bytearray(os.urandom(1000)) * 60000
        time.sleep(1000)
time.sleep(1000)`
    expect((await run({ script, limits: { memoryBytes: 150 * megabyte } })).outcome.end).toBe('memoryLimit')
  })

  test('many threads need little memory', async () => {
    const script = `
import threading
gate = threading.Event()
threads = [threading.Thread(target=gate.wait) for _ in range(50)]
[thread.start() for thread in threads]; gate.set(); [thread.join() for thread in threads]
print("all")`
    const limits = { processes: 60, memoryBytes: 200 * megabyte }
    expect((await run({ script, limits })).lines).toEqual(['all'])
  })

  test('counts shared memory once', async () => {
    const script = `
import os, time
data = bytearray(os.urandom(1000)) * 60000
for _ in range(6):
    if os.fork() == 0: time.sleep(2); os._exit(0)
time.sleep(1)
print("alive")`
    const { lines } = await run({ script, limits: { memoryBytes: 150 * megabyte } })
    expect(lines).toEqual(['alive'])
  })

  test('counts empty files as memory', async () => {
    const script = 'import itertools\nfor i in itertools.count(): open(f"/tmp/{i}", "w").close()'
    expect((await run({ script, limits: { memoryBytes: 60 * megabyte } })).outcome.end).toBe('memoryLimit')
  })

  test('limits the CPU time of an endless loop', async () => {
    const { outcome } = await run({ script: 'while True: pass', limits: { cpuSeconds: 1 } })
    expect(outcome).toMatchObject({ end: 'cpuLimit', exitCode: null })
    const stubborn = 'import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass'
    expect((await run({ script: stubborn, limits: { cpuSeconds: 1 } })).outcome.end).toBe('cpuLimit')
  })

  test('limits the CPU time of all processes together, including ended ones', async () => {
    const script = `
import os, time
while True:
    if os.fork() == 0:
        while time.process_time() < 0.3: pass
        os._exit(0)
    os.wait()`
    expect((await run({ script, limits: { cpuSeconds: 1 } })).outcome.end).toBe('cpuLimit')
  })

  test('limits the time of an endless wait', async () => {
    const script = 'import time\nprint("waits")\ntime.sleep(1000)'
    // The limit includes the start of the script, which can take more than a second on a busy machine.
    const { outcome, lines } = await run({ script, limits: { wallMs: 5000 } })
    expect(outcome).toMatchObject({ end: 'wallLimit', exitCode: null })
    expect(lines).toEqual(['waits'])
  })

  test.each([
    ['with lines', 'while True: print("x" * 100)'],
    ['without a line end', 'import sys\nwhile True: sys.stdout.write("x" * 100000)'],
    ['of errors', 'import os\nwhile True: os.write(2, b"\\n" * 100000)'],
  ])('cuts off a flood of output %s at the limit', async (_what, script) => {
    const outputBytes = 300_000
    const { outcome, lines, errors } = await run({ script, limits: { outputBytes } })
    expect(outcome.end).toBe('outputLimit')
    const texts = [...lines, ...errors]
    const received = texts.reduce((sum, line) => sum + line.length + 1, 0)
    expect(received).toBeGreaterThan(outputBytes / 2)
    expect(received).toBeLessThanOrEqual(outputBytes + texts.length)
  })

  test('an abort kills the script and its processes, including those in other sessions', async () => {
    const marker = `marker-${randomUUID()}`
    const script = `
import os, subprocess, sys, time
command = [sys.executable, "-c", "import time; time.sleep(1000)", "${marker}"]
subprocess.Popen(command)
subprocess.Popen(command, start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: os.execv(command[0], command)
    os._exit(0)
os.wait()
print("started")
time.sleep(1000)`
    const { outcome } = await run({ script, abortOn: 'started' })
    expect(outcome).toEqual({ end: 'aborted', exitCode: null, stderrTail: '' })
    expect(hasProcessWith(marker)).toBe(false)
  })

  test('kills child processes when the script ends', async () => {
    const marker = `marker-${randomUUID()}`
    const script = `
import os, sys
if os.fork() == 0:
    os.setsid()
    os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(1000)", "${marker}"])
os._exit(0)`
    expect((await run({ script })).outcome).toMatchObject({ end: 'exited', exitCode: 0 })
    expect(hasProcessWith(marker)).toBe(false)
  })

  test('survives a script that closes its descriptors and signals every visible process', async () => {
    expect((await run({ script: 'import os\nos.closerange(0, 256)\nos._exit(3)' })).outcome.exitCode).toBe(3)
    const script = `
import os, signal
os.kill(os.getppid(), 9)
os.kill(1, signal.SIGSTOP)
try: os.kill(-1, 9)
except ProcessLookupError: print("on")`
    expect(await run({ script })).toMatchObject({ lines: ['on'], outcome: { end: 'exited', exitCode: 0 } })
    expect((await run({ script: 'import sys\nsys.exit(137)' })).outcome).toMatchObject({
      end: 'exited',
      exitCode: 137,
    })
    const killedItself = await run({ script: 'import os\nos.kill(os.getpid(), 9)' })
    expect(killedItself.outcome).toMatchObject({ end: 'killed', exitCode: null })
  })

  test('protects the first process of the sandbox from the script', async () => {
    const script = `
for name, mode in [("mem", "r+b"), ("environ", "rb"), ("maps", "rb")]:
    try: open(f"/proc/1/{name}", mode, 0).read(1); print("opened", name)
    except PermissionError: print("forbidden")`
    expect((await run({ script })).lines).toEqual(['forbidden', 'forbidden', 'forbidden'])
  })

  test('rejects system calls that no script needs', async () => {
    const script = `
import ctypes, os, socket
libc = ctypes.CDLL(None, use_errno=True)
def refused(sandbox): return sandbox == -1 and ctypes.get_errno() == 1
print(refused(libc.shmget(0, 4096, 0o1600)), refused(libc.ptrace(16, 1, 0, 0)), refused(libc.unshare(0x10000000)))
print(refused(libc.mount(b"none", b"/tmp/work", b"tmpfs", 0, 0)))
for attempt in [lambda: os.memfd_create("x"), lambda: socket.socket(40, 1), lambda: socket.socket(38, 5)]:
    try: attempt(); print("made")
    except PermissionError: print("refused")`
    expect((await run({ script })).lines).toEqual(['True True True', 'True', 'refused', 'refused', 'refused'])
  })

  test('has no additional privileges and cannot gain any', async () => {
    const script = `
import os
print(os.getuid(), os.getgid(), os.uname().nodename)
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print([int(status[name], 16) for name in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"]], status["NoNewPrivs"].strip())`
    expect((await run({ script })).lines).toEqual(['1000 1000 sandbox', '[0, 0, 0, 0, 0] 1'])
  })

  test('isolates concurrent scripts from each other', async () => {
    const path = join(folder, `${randomUUID().slice(0, 8)}.sock`)
    let resolveAll: () => void = () => {}
    const allHere = new Promise<void>((resolve) => (resolveAll = resolve))
    let here = 0
    await listen(
      createHttpServer((_request, response) => {
        if (++here === 3) resolveAll()
        void allHere.then(() => response.end())
      }),
      path,
    )
    chmodSync(path, 0o666)
    const script = `
import os, urllib.request
open(os.environ["NAME"], "w").write("mine"); open("/tmp/" + os.environ["NAME"], "w").write("mine")
urllib.request.urlopen("http://127.0.0.1:8080")
print(os.listdir("."), sorted(os.listdir("/tmp")), len([n for n in os.listdir("/proc") if n.isdigit()]))`
    const names = ['a', 'b', 'c']
    const server = { socketPath: path, port: 8080 }
    const results = await Promise.all(names.map(async (NAME) => run({ script, env: { NAME }, server })))
    const seen = names.map((name) => [`['${name}'] ['${name}', 'work'] 2`])
    expect(results.map(({ lines }) => lines)).toEqual(seen)
  })
})

describe('a sandbox', () => {
  test('kills everything in the sandbox when its parent process is killed, at any time', async () => {
    const marker = `marker-${randomUUID()}`
    const script = `
import subprocess, sys
subprocess.run([sys.executable, "-c", "import time; time.sleep(1000)", "${marker}"])`
    const program = fileURLToPath(new URL('../test/run-script.ts', import.meta.url))
    const start = () => {
      const child = spawn(process.execPath, [program], { stdio: ['pipe', 'ignore', 'ignore'] })
      child.stdin.end(JSON.stringify({ script, env: { NAME: marker }, limits: { diskBytes: markedBytes } }))
      return child
    }
    // The disk size is part of bubblewrap's command line, which exists before the script starts.
    const markedBytes = 10_000_000 + Math.floor(Math.random() * 1_000_000)
    const conditions = [() => hasProcessWith(`${markedBytes}`), () => hasProcessWith(marker)]
    for (const condition of conditions) {
      const child = start()
      await until(condition)
      child.kill('SIGKILL')
      await until(() => !hasProcessWith(`${markedBytes}`) && !hasProcessWith(marker))
    }
  })

  test('rejects an invalid run before anything starts', async () => {
    await expect(runScript({ script: '', env: { a: 'x\0' } })).rejects.toThrow('cannot be passed to a script')
    await expect(runScript({ script: '', env: { 'a=b': '' } })).rejects.toThrow(
      'cannot be passed to a script',
    )
    await expect(runScript({ script: '', env: { a: 'x'.repeat(131_072) } })).rejects.toThrow('at most 131072')
    await expect(runScript({ script: '', limits: { processes: 0 } })).rejects.toThrow('limit processes is 0')
    const server = { socketPath: '/x', port: 80 }
    await expect(runScript({ script: '', server })).rejects.toThrow('from 1024 to 65535')
  })

  test('passes the longest allowed values', async () => {
    const env = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, 'x'.repeat(131_000)]),
    )
    const { lines } = await runScript({ script: 'import os\nprint(len(os.environ["g"]))', env })
    expect(lines).toEqual(['131000'])
  })

  test('a hidden folder is empty, even within a system folder', async () => {
    const hiding = await findSandbox({ hiddenFolders: ['/usr/share', '/nowhere'] })
    const { sandbox } = hiding as Extract<typeof hiding, { available: true }>
    let output = ''
    const script = 'import os\nprint(os.listdir("/usr/share"), len(os.listdir("/usr")) > 1)'
    const signal = AbortSignal.timeout(20_000)
    await sandbox.runPython({
      script,
      env: {},
      limits: roomyLimits,
      onOutput(text) {
        output += text
      },
      signal,
    })
    expect(output).toBe('[] True\n')
  })

  test('streams output before its line ends, without splitting characters', async () => {
    const { sandbox } = availability as Extract<typeof availability, { available: true }>
    const writes = [
      'import os, time',
      'os.write(1, b"50 % \\xf0\\x9f")',
      'time.sleep(0.3)',
      'os.write(1, b"\\x98\\x80")',
      'time.sleep(600)',
    ]
    const abort = new AbortController()
    let output = ''
    const outcome = await sandbox.runPython({
      script: writes.join('\n'),
      env: {},
      limits: roomyLimits,
      onOutput(text) {
        output += text
        if (text.endsWith('😀')) abort.abort()
      },
      signal: abort.signal,
    })
    expect([outcome.end, output]).toEqual(['aborted', '50 % 😀'])
  })

  test('a run aborted before its start does nothing', async () => {
    const { sandbox } = availability as Extract<typeof availability, { available: true }>
    const run = { script: '', env: {}, limits: roomyLimits, onOutput() {}, signal: AbortSignal.abort() }
    expect((await sandbox.runPython(run)).end).toBe('aborted')
  })

  test('a sandbox that cannot be created rejects with a sandbox error, not an error of the script', async () => {
    const run = runScript({ script: '', packagesFolder: join(folder, 'nowhere') })
    await expect(run).rejects.toThrow('could not be created')
  })

  test('an error in the output handler ends the run and rejects with that error', async () => {
    const refuse = () => {
      throw new Error('disk full')
    }
    await expect(runScript({ script: 'while True: print(1)' }, refuse)).rejects.toThrow('disk full')
  })
})

describe('explains what to do if code cannot run', () => {
  function program(name: string, text: string): string {
    const own = mkdtempSync(join(folder, 'bin-'))
    chmodSync(own, 0o755)
    writeFileSync(join(own, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    return own
  }

  test('without bubblewrap', async () => {
    const none = { available: false, reason: expect.stringContaining('Install the package bubblewrap') }
    expect(await findSandbox({ programFolders: [] })).toEqual(none)
  })

  test('without Python', async () => {
    const none = { available: false, reason: expect.stringContaining('Install the package python3') }
    expect(await findSandbox({ python: '/nowhere/python3' })).toEqual(none)
  })

  test.runIf(process.getuid?.() === 0)('with a folder that only root can traverse', async () => {
    const own = mkdtempSync(join(folder, 'own-'))
    expect(await findSandbox({ folder: own })).toEqual({
      available: false,
      reason: expect.stringContaining(`Other users cannot traverse ${own}`),
    })
  })

  test.each([
    ['an old bubblewrap', 'echo "bwrap: Unknown option --size" >&2; exit 1', 'version 0.8.0 or newer'],
    [
      'no permission to create namespaces',
      'echo "bwrap: No permissions to create new namespace" >&2; exit 1',
      'Docker: a seccomp profile with clone and unshare); on Ubuntu, set kernel.apparmor_restrict',
    ],
  ])('with %s', async (_what, text, reason) => {
    const sandbox = await findSandbox({ programFolders: [program('bwrap', text), '/usr/bin'] })
    expect(sandbox).toEqual({ available: false, reason: expect.stringContaining(reason) })
  })
})
