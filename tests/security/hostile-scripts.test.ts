import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { getLog } from '@headwater/logs/contract'
import { executeTask } from '@headwater/pipelines/contract'
import { refusal, startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { createTask } from '@headwater/tasks/contract'

let server: TestServer
let owner: Session

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser({ role: 'Pipeline builder' })
  await owner.call(createGroup, { body: { name: 'Scripts' } })
})
afterAll(() => server.stop())

/** Functions for scripts: `send` returns the status and the text of a response; a closed connection has the status 0. */
const library = `
import errno, http.client, json, os, sys, urllib.parse
def send(method, path, body=None, kind="text/plain"):
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(os.environ["NG_API_ENDPOINT"]).netloc, timeout=30)
    headers = {"Authorization": "Bearer " + os.environ["NG_API_AUTHTOKEN"], "X-KH-JOB-ID": os.environ["JOBID"], "Content-Type": kind}
    try:
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        return response.status, response.read().decode()
    except OSError:
        return 0, ""
def store(key): return "/mgmt/store/None/" + urllib.parse.quote(key, safe="")
def outcome(work):
    try:
        return work()
    except OSError as error:
        return errno.errorcode[error.errno]
# The server does not read the rest of a large body, so the connection can end before the client reads the response.
def is_too_large(response): return response[0] in (0, 413)
def show(name, value): print("RESULT", json.dumps([name, value]), flush=True)
`

let count = 0

/** Runs a script to its end, and returns its job, the results that it printed, and the lines of its log. */
async function run(script: string, params: object[] = []) {
  const taskName = `task-${(count += 1)}`
  const all = [{ name: 'Script', valueType: 'SCRIPT', value: library + script }, ...params]
  await owner.call(createTask, {
    body: { name: taskName, groupName: 'Scripts', definitionName: 'python-runner', params: all as never },
  })
  const { jobId } = await owner.call(executeTask, { body: { taskName, taskGroupName: 'Scripts' } })
  const find = async () => (await owner.call(searchStatuses, { query: { jobId } })).items[0]!
  await expect.poll(async () => (await find()).endTime, { timeout: 300_000, interval: 100 }).toBeDefined()
  const lines = (await owner.call(getLog, { params: { jobId }, query: { size: 1000 } as never })).items
  const results = new Map(
    lines
      .filter(({ text }) => text.startsWith('RESULT '))
      .map(({ text }) => JSON.parse(text.slice(7)) as [string, unknown]),
  )
  return { job: await find(), lines, results: Object.fromEntries(results) }
}

test('a script can create neither devices nor files of a terabyte, and its links do not lead to files of the server', async () => {
  const [file] = (await readdir(server.dataFolder, { withFileTypes: true })).filter((entry) => entry.isFile())
  const path = join(server.dataFolder, file!.name)
  const { job, results } = await run(String.raw`
import stat
path = ${JSON.stringify(path)}
os.symlink(path, "link")
os.symlink("/proc/1/root" + path, "link of the first process")
def device(kind, major, minor): os.mknod("device", kind | 0o600, os.makedev(major, minor))
def sparse():
    with open("sparse", "wb") as file: file.truncate(10**12)
def distant():
    with open("distant", "wb", 0) as file:
        file.seek(10**12)
        file.write(b"x")
def many():
    os.mkdir("many")
    for number in range(100_000): os.close(os.open(f"many/{number}", os.O_CREAT))
    return len(os.listdir("many"))
show("link", outcome(lambda: open("link").read()))
show("link of the first process", outcome(lambda: open("link of the first process").read()))
show("disk", outcome(lambda: device(stat.S_IFBLK, 8, 0)))
show("memory", outcome(lambda: device(stat.S_IFCHR, 1, 1)))
show("sparse", outcome(sparse))
show("distant", outcome(distant))
show("many", outcome(many))
os.mkfifo("pipe")
show("end", True)
`)
  expect(results).toEqual({
    link: 'ENOENT',
    'link of the first process': 'EACCES',
    disk: 'EPERM',
    memory: 'EPERM',
    sparse: 'EFBIG',
    distant: 'EFBIG',
    many: 100_000,
    end: true,
  })
  expect(job.status).toBe('INFO')
})

test('stored values are text: invalid and large ones are rejected, all others are returned unchanged', async () => {
  const { results } = await run(
    String.raw`
deep = "[" * 100_000 + "]" * 100_000
for name, value in {"invalid UTF-8": b"\xff\xfe", "surrogate": b"\xed\xa0\x80", "NUL": b"a\0b"}.items():
    show(name, [send("POST", store(name), value)[0], send("GET", store(name))[0]])
show("100 MB", [is_too_large(send("POST", store("large"), b"x" * 100_000_000)), send("GET", store("large"))[0]])
for key, value in {"NaN": "NaN", "Infinity": "-Infinity", "deep": deep, "__proto__": '{"__proto__": {"isAdmin": true}}', "constructor": "c", "../x": "x", "..": "dots", "a\x1b[2J\n": "\x1b[2J", "\u202e": "\u202e"}.items():
    stored = send("POST", store(key), value.encode())[0]
    status, body = send("GET", store(key))
    show(key, [stored, status, json.loads(body) == {"dataStorageId": os.environ["JOBID"], "key": key, "value": value}])
show("others", send("GET", store("toString"))[0])
`,
  )
  expect(results).toEqual({
    'invalid UTF-8': [400, 404],
    surrogate: [400, 404],
    NUL: [400, 404],
    '100 MB': [true, 404],
    ...JSON.parse(
      `{${['NaN', 'Infinity', 'deep', '__proto__', 'constructor', '../x', '..', 'a\u001b[2J\n', '\u202e']
        .map((key) => `${JSON.stringify(key)}: [200, 200, true]`)
        .join()}}`,
    ),
    others: 404,
  })
})

test('the module headwater rejects outputs that are not JSON', async () => {
  const { results } = await run(
    String.raw`
import headwater
deep = []
for _ in range(100_000): deep = [deep]
def error_of(value):
    try: headwater.write_output("Prices", value)
    except Exception as error: return type(error).__name__
for name, value in {"NaN": float("nan"), "Infinity": {"a": [float("-inf")]}, "deep": deep, "surrogate": "\ud800", "set": {1}}.items():
    show(name, error_of(value))
`,
    [{ name: 'Prices', type: 'OUTPUT' }],
  )
  expect(results).toEqual({
    NaN: 'ValueError',
    Infinity: 'ValueError',
    deep: 'RecursionError',
    surrogate: 'UnicodeEncodeError',
    set: 'TypeError',
  })
})

test('the name of a parameter cannot be __proto__', async () => {
  const { status, body } = await refusal(run('', [{ name: '__proto__', value: 'polluted' }]))
  expect([status, body.validationErrors?.map(({ field }) => field)]).toEqual([400, ['params[1].name']])
})

test('messages of a status with invalid JSON or text, reserved names, or 2 MB are rejected', async () => {
  const { job, results } = await run(String.raw`
def status(message, **more): return json.dumps({"status": "INFO", "message": message, "jobId": os.environ["JOBID"], "eId": os.environ["EID"], **more}).encode()
for name, body in {"NaN": status(float("nan")), "deep": b'{"a":' * 5000 + b"1" + b"}" * 5000, "reserved": status("a", __proto__={"isAdmin": True}), "invalid UTF-8": b'{"message":"\xff"}', "NUL": status("a\0"), "terminal": status("\x1b[31mred")}.items():
    show(name, send("POST", "/status", body, "application/json")[0])
show("2 MB", is_too_large(send("POST", "/status", status("x" * 2_000_000), "application/json")))
`)
  expect(results).toEqual({
    NaN: 400,
    deep: 400,
    reserved: 400,
    '2 MB': true,
    'invalid UTF-8': 400,
    NUL: 400,
    terminal: 200,
  })
  expect(job.status).toBe('INFO')
})

test('uploads of a script have no names with paths, control characters or characters that change the text direction', async () => {
  const { results } = await run(String.raw`
def upload(name): return json.dumps({"groupName": "Scripts", "fileName": name, "fileType": "SOURCE", "fields": []})
for name in ["../x.txt", "..", "/etc/passwd", "a\\b", "a\0.txt", "a\x1b[31m.txt", "a\nb", "a\u202etxt.exe", "x" * 3000, "__proto__"]:
    show(name[:20], send("POST", "/file", upload(name), "application/json")[0])
`)
  const { __proto__: reserved, ...others } = results
  expect(new Set(Object.values(others))).toEqual(new Set([400]))
  expect([Object.keys(others).length, reserved]).toEqual([9, 200])
})

test('a line of 100 MB, bytes that are not text and records with reserved names do not harm the log', async () => {
  const { job, lines } = await run(String.raw`
print("\x1b[31mred\x1b[0m \x1b]0;title\x07")
print('{"level": "WARN", "__proto__": {"level": "ERROR"}, "message": "record"}')
print('{"level": "INFO", "message": NaN}')
print('{"level": "INFO", "message": ' + "[" * 3000 + "]" * 3000 + "}")
print("<img src=x onerror=alert(1)>")
sys.stdout.flush()
sys.stdout.buffer.write(b"\xff\xfe bytes\n")
for _ in range(100): sys.stdout.write("y" * 1_000_000)
print("end")
`)
  expect(job.status).toBe('ERROR')
  const message = 'The script wrote more than 16 MiB of output. Write data to files in the data lake.'
  expect(job.componentStatuses[0]!.message).toMatch(message)
  expect(job.componentStatuses[0]!.message.length).toBeLessThan(10_000)
  expect(lines.map(({ level, text }) => `${level} ${text.slice(0, 40)}`)).toEqual([
    'INFO ␛[31mred␛[0m ␛]0;title␇',
    'WARN record',
    'INFO {"level": "INFO", "message": NaN}',
    'INFO {"level": "INFO", "message": [[[[[[[[[[[',
    'INFO <img src=x onerror=alert(1)>',
    'INFO \ufffd\ufffd bytes',
    `INFO ${'y'.repeat(40)}`,
    `ERROR run: ${message.slice(0, 35)}`,
  ])
  expect(Math.max(...lines.map(({ text }) => text.length))).toBeLessThan(10_000)
})
