import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateUser } from '@headwater/accounts/contract'
import { createGroup } from '@headwater/groups/contract'
import { executeTask } from '@headwater/pipelines/contract'
import { putSecret } from '@headwater/secrets/contract'
import { refusal, startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { searchStatuses, type Job } from '@headwater/statuses/contract'
import { createTask, getTaskHosts, listTaskHosts, updateTaskHosts } from '@headwater/tasks/contract'

let server: TestServer
let owner: Session
/** A host that the configuration allows, and one on the same machine that it does not allow. */
let allowed: Server
let internal: Server
/** Requests that both have received. */
const received: { port: number; url: string; headers: IncomingHttpHeaders; body: string }[] = []

beforeAll(async () => {
  allowed = await startHost()
  internal = await startHost()
  server = await startTestServer({ env: { HEADWATER_INTERNAL_HOSTS: `127.0.0.1:${portOf(allowed)}` } })
  owner = await server.createUser({ role: 'Pipeline builder' })
  await owner.call(createGroup, { body: { name: 'Scripts' } })
})
afterAll(async () => {
  await server.stop()
  for (const host of [allowed, internal]) {
    host.closeAllConnections()
    host.close()
  }
})

async function startHost(): Promise<Server> {
  const host = createServer((request, response) => {
    void text(request).then((body) => {
      const { url = '', headers } = request
      received.push({ port: portOf(host), url, headers, body })
      const to = new URL(url, 'http://x').searchParams.get('to')
      if (to === null) response.end('reached')
      else response.writeHead(302, { Location: to }).end()
    })
  })
  host.listen(0, '127.0.0.1')
  await once(host, 'listening')
  return host
}

function portOf(host: Server): number {
  return (host.address() as AddressInfo).port
}

/** Functions for scripts: `get` via urllib, which uses the proxy of the environment, and `tunnel` via CONNECT. */
const library = `
import base64, http.client, json, os, sys, time, urllib.error, urllib.parse, urllib.request
proxy = urllib.parse.urlsplit(os.environ["HTTP_PROXY"])
credentials = base64.b64encode(f"{proxy.username}:{proxy.password}".encode()).decode()
def get(url, data=None, **headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=20) as response:
            return f"{response.status} {response.read().decode()}"
    except urllib.error.HTTPError as error:
        return f"{error.code} {error.reason}"
    except OSError as error:
        return f"failed: {error}"
def tunnel(host, port, credentials=credentials):
    connection = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=20)
    connection.set_tunnel(host, port, {"Proxy-Authorization": "Basic " + credentials})
    try:
        connection.request("GET", "/tunnel")
        return connection.getresponse().read().decode()
    except OSError as error:
        return f"failed: {error}"
`

let count = 0

/** Saves a task, allows hosts for it, and returns its id and name. */
async function saveTask(
  lines: string[],
  { hosts, params = [] }: { hosts?: string[]; params?: object[] } = {},
): Promise<{ id: string; taskName: string; taskGroupName: string }> {
  const taskName = `task-${(count += 1)}`
  const value = [library, ...lines].join('\n')
  const script = { name: 'Script', valueType: 'SCRIPT', value }
  const { id } = await owner.call(createTask, {
    body: {
      name: taskName,
      groupName: 'Scripts',
      definitionName: 'python-runner',
      timeout: 60,
      params: [script, ...params] as never,
    },
  })
  if (hosts !== undefined)
    await server.admin.call(updateTaskHosts, { params: { taskId: id }, body: { hosts } })
  return { id, taskName, taskGroupName: 'Scripts' }
}

/** Runs a task to its end and returns its job. */
async function run(task: { taskName: string; taskGroupName: string }): Promise<Job> {
  const { taskName, taskGroupName } = task
  const { jobId } = await owner.call(executeTask, { body: { taskName, taskGroupName } })
  for (let tries = 0; tries < 600; tries++) {
    const [job] = (await owner.call(searchStatuses, { query: { jobId } })).items
    if (job?.endTime !== undefined) return job
    await sleep(100)
  }
  throw new Error('The run did not end.')
}

const messageOf = (job: Job) => job.componentStatuses[0]!.message

async function printed(lines: string[], options?: Parameters<typeof saveTask>[1]): Promise<string> {
  return messageOf(await run(await saveTask(lines, options)))
}

test('a script reaches an allowed host through the proxy, with a request and with a tunnel', async () => {
  const host = `127.0.0.1:${portOf(allowed)}`
  const lines = [
    `print(get("http://${host}/path?x=1", b"body", Accept="text/csv"))`,
    `print(tunnel("127.0.0.1", ${portOf(allowed)}))`,
  ]
  expect(await printed(lines, { hosts: [host] })).toBe('200 reached\nreached')
  const [request, tunnelled] = received.slice(-2)
  expect(request).toMatchObject({ url: '/path?x=1', body: 'body', headers: { host, accept: 'text/csv' } })
  expect(tunnelled).toMatchObject({ url: '/tunnel' })
  // The credentials of the proxy are not sent to the host.
  expect(JSON.stringify([request, tunnelled]).toLowerCase()).not.toContain('proxy')
})

test('the proxy does not forward headers that apply only to the connection', async () => {
  const host = `127.0.0.1:${portOf(allowed)}`
  const lines = [
    'connection = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=20)',
    'headers = {"Proxy-Authorization": "Basic " + credentials, "Connection": "close, X-Hop", "X-Hop": "1", "X-End": "2"}',
    `connection.request("GET", "http://${host}/headers", headers=headers)`,
    'print(connection.getresponse().read().decode())',
  ]
  expect(await printed(lines, { hosts: [host] })).toBe('reached')
  const { url, headers } = received.at(-1)!
  expect([url, headers['x-end'], headers['x-hop']]).toEqual(['/headers', '2', undefined])
})

test('without an allowed host, a script has no network, and the error says what to do', async () => {
  const port = portOf(allowed)
  const before = received.length
  const reason = `Connections to "127.0.0.1:${port}" are not allowed. Ask an administrator to allow this host and port.`
  const lines = [
    `print(get("http://127.0.0.1:${port}/"))`,
    `print(tunnel("127.0.0.1", ${port}))`,
    'import socket',
    'try:',
    `    socket.create_connection(("127.0.0.1", ${port}), 2)`,
    'except OSError as error:',
    '    print("direct:", error.strerror)',
  ]
  const expected = `403 ${reason}\nfailed: Tunnel connection failed: 403 ${reason}\ndirect: Connection refused`
  expect(await printed(lines)).toBe(expected)
  expect(await printed(lines, { hosts: ['example.com', `127.0.0.1:${port + 1}`] })).toBe(expected)
  expect(received.length).toBe(before)
})

test('an administrator cannot allow a task to reach loopback and metadata addresses that the configuration does not list', async () => {
  const port = portOf(internal)
  const before = received.length
  const hosts = [
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    `[::1]:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `0.0.0.0:${port}`,
    '169.254.169.254',
    '[fd00:ec2::254]',
  ]
  const urls = [
    ...hosts.map((host) => `http://${host}/`),
    `http://2130706433:${port}/`,
    `http://0x7f.1:${port}/`,
  ]
  const lines = [
    `for url in ${JSON.stringify(urls)}:`,
    '    print(get(url)[:3])',
    `print(tunnel("127.0.0.1", ${port}))`,
    'print(tunnel("169.254.169.254", 80))',
  ]
  const lastLines = [`127.0.0.1:${port}`, '169.254.169.254:80'].map(
    (host) =>
      `failed: Tunnel connection failed: 403 "${host}" is an internal host. Use a public host, or ask an administrator to add "${host}" to HEADWATER_INTERNAL_HOSTS.`,
  )
  expect((await printed(lines, { hosts })).split('\n')).toEqual([...urls.map(() => '403'), ...lastLines])
  expect(received.length).toBe(before)
})

test('a redirect to an internal address is rejected', async () => {
  const host = `127.0.0.1:${portOf(allowed)}`
  const targets = [`http://127.0.0.1:${portOf(internal)}/`, 'http://169.254.169.254/latest/meta-data/']
  const lines = targets.map((to) => `print(get("http://${host}/?to=${encodeURIComponent(to)}")[:3])`)
  const hosts = [host, `127.0.0.1:${portOf(internal)}`, '169.254.169.254']
  expect(await printed(lines, { hosts })).toBe('403\n403')
  expect(received.filter(({ port }) => port === portOf(internal))).toEqual([])
})

test('the proxy rejects missing and forged credentials, and those of other and of ended runs', async () => {
  const host = `127.0.0.1:${portOf(allowed)}`
  const lines = [
    `print(tunnel("127.0.0.1", ${portOf(allowed)}, base64.b64encode(b"run:forged").decode()))`,
    `print(tunnel("127.0.0.1", ${portOf(allowed)}, "%%%"))`,
    'print(credentials[::-1])',
    'print(os.environ["HTTP_PROXY"])',
  ]
  const output = await printed(lines, { hosts: [host] })
  const refused =
    'failed: Tunnel connection failed: 407 The proxy credentials are missing or not valid. Use the credentials in HTTP_PROXY while the code runs.'
  const [first, second, reversed = '', variable] = output.split('\n')
  expect([first, second, variable]).toEqual([refused, refused, 'http://run:[token]@127.0.0.1:8000'])
  const credentials = reversed.split('').toReversed().join('')
  expect(Buffer.from(credentials, 'base64').toString()).toMatch(/^run:[\w-]{43}$/)
  for (const request of [
    `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: Basic ${credentials}\r\n\r\n`,
    `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: Basic %%%\r\nConnection: close\r\n\r\n`,
    `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: Basic ${credentials}\r\nConnection: close\r\n\r\n`,
  ]) {
    const socket = connect(join(server.dataFolder, 'run', 'api.sock'))
    socket.write(request)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 407 /)
  }
})

test('API requests through the proxy have the identity of the run', async () => {
  const lines = [
    'opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": os.environ["HTTP_PROXY"]}))',
    'os.environ["no_proxy"] = os.environ["NO_PROXY"] = ""',
    'urllib.request.install_opener(opener)',
    'token = "Bearer " + os.environ["NG_API_AUTHTOKEN"]',
    'print(get("http://127.0.0.1:8000/file/group", Authorization=token)[:20])',
    'print(get("http://127.0.0.1:8000/auth/settings", Authorization=token)[:3])',
    'print(get("http://localhost:8000//auth/settings", Authorization=token)[:3])',
  ]
  expect(await printed(lines)).toBe('200 {"from":0,"total\n403\n403')
})

test('a host removed by an administrator is blocked for new connections of a run in progress', async () => {
  const host = `127.0.0.1:${portOf(allowed)}`
  const lines = [
    `while (result := get("http://${host}/waiting")).startswith("200"):`,
    '    time.sleep(0.1)',
    'print(result[:3])',
  ]
  const task = await saveTask(lines, { hosts: [host] })
  const ended = run(task)
  await expect.poll(() => received.some(({ url }) => url === '/waiting')).toBe(true)
  await server.admin.call(updateTaskHosts, { params: { taskId: task.id }, body: { hosts: [] } })
  expect(messageOf(await ended)).toBe('403')
})

test('the running script of a user who is deactivated opens no more connections', async () => {
  const host = `127.0.0.1:${portOf(allowed)}`
  const lines = [
    `while (result := get("http://${host}/leaving")).startswith("200"):`,
    '    time.sleep(0.1)',
    'print(result[:3])',
  ]
  const { taskName, taskGroupName } = await saveTask(lines, { hosts: [host] })
  const leaver = await server.createUser({ role: 'Pipeline builder' })
  await server.grantGroup({ groupName: taskGroupName, userName: leaver.userName, access: 'R' })
  const { jobId } = await leaver.call(executeTask, { body: { taskName, taskGroupName } })
  await expect.poll(() => received.some(({ url }) => url === '/leaving')).toBe(true)
  const params = { userName: leaver.userName }
  await server.admin.call(updateUser, { params, body: { active: false } })
  const job = async () => (await server.admin.call(searchStatuses, { query: { jobId } })).items[0]!
  await expect.poll(async () => (await job()).endTime).toBeDefined()
  expect(messageOf(await job())).toBe('403')
})

test('administrators list the internal hosts and the tasks with allowed hosts, without those whose list is empty', async () => {
  const [open, closed] = [await saveTask([], { hosts: ['b.example.com'] }), await saveTask([], { hosts: [] })]
  const { items, internalHosts } = await server.admin.call(listTaskHosts, { query: { size: 1000 } })
  expect(internalHosts).toEqual([`127.0.0.1:${portOf(allowed)}`])
  expect(items.find(({ taskId }) => taskId === open.id)).toMatchObject({
    taskName: open.taskName,
    groupName: 'Scripts',
    hosts: ['b.example.com'],
    modifiedBy: server.admin.userName,
  })
  expect(items.map(({ taskId }) => taskId)).not.toContain(closed.id)
})

test('only administrators can change the allowed hosts, and readers of the task can see them', async () => {
  const { id: taskId } = await saveTask([], {
    hosts: ['B.example.com', '*.a.example.com:8443', 'b.example.com'],
  })
  expect(await owner.call(getTaskHosts, { params: { taskId } })).toMatchObject({
    hosts: ['*.a.example.com:8443', 'b.example.com'],
    modifiedBy: server.admin.userName,
  })
  const change = owner.call(updateTaskHosts, { params: { taskId }, body: { hosts: ['x.example.com'] } })
  expect(await refusal(change)).toMatchObject({ status: 403 })
  const stranger = await server.createUser({ role: 'Pipeline builder' })
  expect(await refusal(stranger.call(getTaskHosts, { params: { taskId } }))).toMatchObject({ status: 404 })
  const invalid = server.admin.call(updateTaskHosts, { params: { taskId }, body: { hosts: ['http://a/'] } })
  expect(await refusal(invalid)).toMatchObject({
    status: 400,
    body: { validationErrors: [{ field: 'hosts[0]' }] },
  })
})

test('a secret reaches the host and appears in no status, in any form', async () => {
  const secret = 'k/ey+of "the" exchänge'
  const host = `127.0.0.1:${portOf(allowed)}`
  await owner.call(putSecret, { params: { name: 'exchange' }, body: { value: secret, groupName: 'Scripts' } })
  const lines = [
    'secret = os.environ["KEY"]',
    'encoded = base64.b64encode(("user:" + secret).encode()).decode()',
    `print(get("http://${host}/with-secret", Authorization="Basic " + encoded))`,
    'print(secret)',
    'print(repr(dict(os.environ)))',
    'print(json.dumps(secret), json.dumps(secret, ensure_ascii=False))',
    'print(encoded, base64.urlsafe_b64encode(secret.encode()).decode())',
    'print(urllib.parse.quote(secret), urllib.parse.quote_plus(secret), urllib.parse.quote(secret, safe=""))',
    'for piece in secret: print(piece, end="", flush=True)',
    'print()',
    'print("x" * 7990 + secret, file=sys.stderr)',
    'body = json.dumps({"status": "INFO", "message": "with " + secret, "jobId": os.environ["JOBID"], "eId": os.environ["EID"]})',
    'headers = {"Authorization": "Bearer " + os.environ["NG_API_AUTHTOKEN"], "Content-Type": "application/json"}',
    'urllib.request.urlopen(urllib.request.Request(os.environ["NG_API_ENDPOINT"] + "/status", body.encode(), headers))',
    'print("length", len(secret), flush=True)',
    'time.sleep(2.5)',
    'raise ValueError(secret)',
  ]
  const params = [{ name: 'KEY', valueType: 'SECRET', value: 'exchange' }]
  const job = await run(await saveTask(lines, { hosts: [host], params }))
  const { authorization = '' } = received.findLast(({ url }) => url === '/with-secret')!.headers
  expect(Buffer.from(authorization.split(' ')[1]!, 'base64').toString()).toBe(`user:${secret}`)
  expect(messageOf(job)).toMatch(/^ValueError: \[secret\]/)
  expect(messageOf(job)).toContain(`length ${secret.length}`)
  const { pool } = server.running.platform.database
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    'exch\\u00e4nge',
    encodeURIComponent(secret),
    'k/ey%2Bof',
    'k%2Fey%2Bof',
    Buffer.from(secret).toString('base64').slice(0, -4),
    Buffer.from(`user:${secret}`).toString('base64').slice(8, -4),
  ]
  for (const { name } of tables) {
    const { rows } = await pool.query<{ text: string }>(`select t::text as text from ${name} as t`)
    for (const row of rows)
      for (const form of forms) expect(row.text.includes(form), `${form} in ${name}`).toBe(false)
  }
})
