// A large file fetched by HTTP and by SFTP into the lake, against curl and OpenSSH's sftp, which write it to the same disk.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { atMost, median, type Figure } from './figure.ts'
import type { Product } from './timeseries/product.ts'
import { withProduct } from './with-product.ts'

const execute = promisify(execFile)
/** Fraction of the full size, to try the benchmark; its figures are not valid. */
const scale = Number(process.env.HEADWATER_BENCH_SCALE ?? 1)
const rounds = Number(process.env.HEADWATER_BENCH_ROUNDS ?? 3)
const mebibyte = 1024 * 1024
const fileBytes = Math.max(16, Math.round(1000 * scale)) * mebibyte
const groupName = 'Downloads'
const sshd = '/usr/sbin/sshd'

/** Downloads the file in turns with the peers. */
export default function downloads(): Promise<Figure[]> {
  if (!existsSync(sshd))
    throw new Error('The benchmark needs the SSH server of OpenSSH: apt-get install openssh-server')
  return withProduct(
    async (product, folder) => {
      await product.createGroup(groupName)
      const files = join(folder, 'files')
      await mkdir(files)
      await writeSource(join(files, 'large.bin'))
      return [...(await byHttp(product, folder, files)), ...(await bySftp(product, folder, files))]
    },
    { HEADWATER_INTERNAL_HOSTS: '127.0.0.1' },
  )
}

async function byHttp(product: Product, folder: string, files: string): Promise<Figure[]> {
  const source = join(files, 'large.bin')
  const server = createServer((_, response) => {
    response.setHeader('Content-Length', fileBytes)
    createReadStream(source, { highWaterMark: mebibyte }).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/large.bin`
  const copy = join(folder, 'curl.bin')
  try {
    const pipelineId = await pipelineOf(product, 'by HTTP', 'http-request', {
      URL: url,
      'Store response in': groupName,
    })
    const { stdout } = await execute('curl', ['--version'])
    return await alternately(product, {
      name: 'HTTP',
      peer: `curl ${stdout.split(' ')[1]}`,
      ours: () => runOf(product, pipelineId),
      theirs: async () => {
        await execute('curl', ['--silent', '--fail', '--output', copy, url])
        await execute('sync', [copy])
      },
      after: () => rm(copy, { force: true }),
    })
  } finally {
    server.close()
  }
}

async function bySftp(product: Product, folder: string, files: string): Promise<Figure[]> {
  const [hostKey, userKey] = [join(folder, 'host key'), join(folder, 'user key')]
  for (const key of [hostKey, userKey])
    await execute('ssh-keygen', ['-q', '-t', 'ecdsa', '-m', 'PEM', '-N', '', '-f', key])
  const server = await startSshd(folder, hostKey, userKey)
  const { username } = userInfo()
  const copy = join(folder, 'sftp.bin')
  try {
    const { stdout } = await execute('ssh-keygen', ['-lf', `${hostKey}.pub`])
    await product.put('/mgmt/secret/key', { value: await readFile(userKey, 'utf8') })
    const pipelineId = await pipelineOf(product, 'by SFTP', 'sftp-source', {
      Host: '127.0.0.1',
      Port: String(server.port),
      'Host key': stdout.split(' ')[1]!,
      'User name': username,
      Authentication: 'key',
      'Private key': 'key',
      Folder: files,
      Fetch: 'all',
      Group: groupName,
    })
    const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR']
    const { stderr: version } = await execute('ssh', ['-V'])
    return await alternately(product, {
      name: 'SFTP',
      peer: `sftp of ${version.split(/[ ,]/)[0]}`,
      ours: () => runOf(product, pipelineId),
      theirs: async () => {
        const flags = options.flatMap((option) => ['-o', option])
        const from = `${username}@127.0.0.1:${join(files, 'large.bin')}`
        await execute('sftp', ['-q', '-P', String(server.port), '-i', userKey, ...flags, from, copy])
        await execute('sync', [copy])
      },
      after: () => rm(copy, { force: true }),
    })
  } finally {
    server.process.kill()
  }
}

/** Starts an SSH server on loopback that only the user key can open. */
async function startSshd(
  folder: string,
  hostKey: string,
  userKey: string,
): Promise<{ port: number; process: ChildProcess }> {
  const authorized = join(folder, 'authorized keys')
  await writeFile(authorized, await readFile(`${userKey}.pub`))
  await chmod(authorized, 0o600)
  const port = await freePort()
  const config = join(folder, 'sshd_config')
  await writeFile(
    config,
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey "${hostKey}"`,
      `AuthorizedKeysFile "${authorized}"`,
      'StrictModes no',
      'PasswordAuthentication no',
      'PermitRootLogin yes',
      'UsePAM no',
      `PidFile "${join(folder, 'sshd.pid')}"`,
      'Subsystem sftp internal-sftp',
      '',
    ].join('\n'),
  )
  // The server separates privileges in this folder, which a service creates otherwise.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true })
  const child = spawn(sshd, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'inherit'] })
  for (let attempt = 0; !(await isOpen(port)); attempt++) {
    if (attempt > 100 || child.exitCode !== null) throw new Error('The SSH server did not start.')
    await sleep(100)
  }
  return { port, process: child }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

async function alternately(
  product: Product,
  {
    name,
    peer,
    ours,
    theirs,
    after,
  }: {
    name: string
    peer: string
    ours: () => Promise<void>
    theirs: () => Promise<void>
    after: () => Promise<void>
  },
): Promise<Figure[]> {
  /** Milliseconds of each download, from its start until the file is durable. */
  const times = { ours: [] as number[], peer: [] as number[] }
  let memory = 0
  for (let round = 0; round <= rounds; round++) {
    const before = memoryOf(product)
    const mine = await timed(ours)
    const other = await timed(theirs)
    await after()
    console.log({ name, oursMs: mine, peerMs: other })
    // The first round fills caches and loads code.
    if (round === 0) continue
    memory = Math.max(memory, memoryOf(product) - before)
    times.ours.push(mine)
    times.peer.push(other)
  }
  const ms = median(times.ours)
  const ratio = median(times.peer) / ms
  return [
    {
      name: `${(fileBytes / 1e9).toFixed(2)} GB by ${name} into the lake, durable`,
      value: fileBytes / 1000 / ms,
      unit: 'MB/s',
      peer: `${peer} and sync`,
      ratio,
      goal: '≥ 0.6 × peer',
      holds: ratio >= 0.6,
    },
    atMost(100, { name: 'growth of the peak memory of the server meanwhile', value: memory, unit: 'MB' }),
  ]
}

/** Peak resident memory of the server process, in megabytes. */
function memoryOf({ pid }: Product): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s*(\d+) kB/m.exec(status)![1]) / 1000
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function pipelineOf(
  product: Product,
  name: string,
  taskName: string,
  params: Record<string, string>,
): Promise<string> {
  const task = {
    id: 'fetch',
    taskReadableName: 'fetch',
    taskName,
    taskOverrides: { params: Object.entries(params).map(([key, value]) => ({ name: key, value })) },
  }
  const response = await product.post('/mgmt/pipeline', { name, groupName, tasks: [task] })
  return (JSON.parse(String(response)) as { pipeline: { id: string } }).pipeline.id
}

/** Starts a run and waits for its end. */
async function runOf(product: Product, pipelineId: string): Promise<void> {
  const response = await product.post(`/mgmt/pipeline/${pipelineId}/execute`, { waitSeconds: 60 })
  const { jobId } = JSON.parse(String(response)) as { jobId: string }
  for (;;) {
    const { items } = JSON.parse(String(await product.get(`/status?jobId=${jobId}`))) as {
      items: { status: string; endTime?: string; latestStatus: { message: string } }[]
    }
    const [job] = items
    if (job?.endTime === undefined) {
      await sleep(50)
      continue
    }
    if (job.status !== 'INFO' && job.status !== 'COMPLETED')
      throw new Error(`The run ended with ${job.status}: ${job.latestStatus.message}`)
    return
  }
}

/** Content that does not compress. */
async function writeSource(path: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    const bytes = Buffer.alloc(mebibyte)
    let state = 1
    for (let at = 0; at < bytes.length; at += 4) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      bytes.writeUInt32LE(state, at)
    }
    for (let part = 0; part < fileBytes / mebibyte; part++) {
      bytes.writeUInt32LE(part, 0)
      await file.write(bytes)
    }
  } finally {
    await file.close()
  }
}
