import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { FileSystem, FtpSrv } from 'ftp-srv'
import ssh, { type SFTPWrapper } from 'ssh2'

/** A file of the SFTP server. */
export interface ServedFile {
  /** Content. */
  content: Buffer
  /** Modification time, in seconds since the epoch. */
  mtime: number
  /** Size that a listing states. Default: the size of the content. */
  statedBytes?: number
}

/** A real SFTP server on loopback, with files in memory. */
export interface TestSftpServer {
  port: number
  /** Fingerprint of its host key. */
  hostKey: string
  /** Files by name. Every folder contains the same files. */
  files: Map<string, ServedFile>
  /** Passwords that clients have sent. */
  passwords: string[]
  /**
   * Simulated faults: no response to a request, a closed connection during a list, an endless list, or long names.
   */
  faults: Set<'silent list' | 'lost list' | 'silent read' | 'endless list' | 'long names'>
  /** Returns the number of open connections. */
  openConnections(): number
  stop(): void
}

const { STATUS_CODE: status } = ssh.utils.sftp

/**
 * Generates an ECDSA key pair for tests.
 *
 * About 1 in 250 Ed25519 pairs that ssh2 1.17 generates cannot be parsed, because ssh2 removes a zero byte at the start of the
 * key.
 *
 * @param passphrase passphrase of the private key; default: none
 */
export function testKeys(passphrase?: string): { public: string; private: string } {
  const encryption = passphrase === undefined ? {} : { passphrase, cipher: 'aes256-cbc', rounds: 2 }
  return ssh.utils.generateKeyPairSync('ecdsa', { bits: 256, ...encryption })
}

/** Starts an SFTP server with one user `reader`, who signs in with a password or a public key. */
export async function startSftpServer(login: {
  password: string
  publicKey: string
}): Promise<TestSftpServer> {
  const key = testKeys()
  const parsed = ssh.utils.parseKey(key.public)
  const allowed = ssh.utils.parseKey(login.publicKey)
  if (parsed instanceof Error || allowed instanceof Error) throw new Error('The keys are not valid.')
  const hash = createHash('sha256').update(parsed.getPublicSSH()).digest('base64')
  const files: TestSftpServer['files'] = new Map()
  const passwords: string[] = []
  const faults: TestSftpServer['faults'] = new Set()
  let connections = 0
  const server = new ssh.Server({ hostKeys: [key.private] }, (client) => {
    connections += 1
    client.on('close', () => (connections -= 1))
    client.on('error', () => {})
    client.on('authentication', (context) => {
      if (context.method === 'password') passwords.push(context.password)
      const isPassword = context.method === 'password' && context.password === login.password
      const isKey =
        context.method === 'publickey' &&
        context.key.data.equals(allowed.getPublicSSH()) &&
        (context.signature === undefined ||
          allowed.verify(context.blob!, context.signature, context.hashAlgo as never) === true)
      if (context.username === 'reader' && (isPassword || isKey)) context.accept()
      else context.reject(['password', 'publickey'])
    })
    client.on('ready', () =>
      client.on('session', (acceptSession) =>
        acceptSession().on('sftp', (acceptSftp) =>
          serveFiles(acceptSftp(), { files, faults, end: () => client.end() }),
        ),
      ),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const hostKey = `SHA256:${hash.replace(/=+$/, '')}`
  const openConnections = () => connections
  return { port, hostKey, files, passwords, faults, openConnections, stop: () => server.close() }
}

function serveFiles(
  sftp: SFTPWrapper,
  { files, faults, end }: Pick<TestSftpServer, 'files' | 'faults'> & { end: () => void },
): void {
  let isListed = false
  let opened: ServedFile | undefined
  const attributesOf = ({ content, mtime, statedBytes = content.length }: ServedFile) =>
    ({ mode: 0o100_644, uid: 0, gid: 0, size: statedBytes, atime: mtime, mtime }) as never
  sftp.on('OPENDIR', (id, path) => {
    isListed = false
    if (path === '/missing') sftp.status(id, status.NO_SUCH_FILE)
    else sftp.handle(id, Buffer.from('folder'))
  })
  sftp.on('READDIR', (id) => {
    if (faults.has('silent list')) return
    if (faults.has('lost list')) return end()
    if (faults.has('endless list')) return sftp.name(id, [])
    if (faults.has('long names'))
      return sftp.name(id, [
        { filename: 'x'.repeat(200_000), longname: '', attrs: { mode: 0o100_644, size: 1 } as never },
      ])
    if (isListed) return sftp.status(id, status.EOF)
    isListed = true
    const link = { filename: 'link.csv', longname: '', attrs: { mode: 0o120_777, size: 1 } as never }
    return sftp.name(id, [
      link,
      ...[...files].map(([filename, file]) => ({ filename, longname: '', attrs: attributesOf(file) })),
    ])
  })
  sftp.on('OPEN', (id, path) => {
    opened = files.get(path.split('/').at(-1)!)
    if (opened === undefined) sftp.status(id, status.NO_SUCH_FILE)
    else sftp.handle(id, Buffer.from('file'))
  })
  sftp.on('READ', (id, _handle, offset, length) => {
    if (faults.has('silent read')) return
    // Servers can return less than requested.
    const part = opened!.content.subarray(offset, offset + Math.min(length, 20_000))
    if (part.length === 0) sftp.status(id, status.EOF)
    else sftp.data(id, part)
  })
  sftp.on('CLOSE', (id) => sftp.status(id, status.OK))
}

const ignore = () => {}
const silent = {
  child: () => silent,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
}

/**
 * Starts a real FTP server on loopback for one user `reader`; returns its port and a function that stops it.
 * @param isBusy whether it refuses to list a folder, with the temporary error 451
 */
export async function startFtpServer({
  root,
  password,
  tls,
  isBusy = () => false,
}: {
  root: string
  password: string
  isBusy?: () => boolean
  tls?: { key: string; cert: string }
}): Promise<{ port: number; stop: () => Promise<void> }> {
  await mkdir(root, { recursive: true })
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  const server = new FtpSrv({
    url: `ftp://127.0.0.1:${port}`,
    pasv_url: '127.0.0.1',
    log: silent,
    ...(tls === undefined ? {} : { tls }),
  })
  class BusyFileSystem extends FileSystem {
    override list(path?: string): Promise<unknown> {
      return isBusy() ? Promise.reject(new Error('busy')) : (super.list(path) as Promise<unknown>)
    }
  }
  server.on('login', ({ connection, username, password: given }, resolve, reject) =>
    username === 'reader' && given === password
      ? resolve({ fs: new BusyFileSystem(connection, { root, cwd: '/' }) })
      : reject(new Error('refused')),
  )
  await server.listen()
  return {
    port,
    async stop() {
      await server.close()
      await rm(root, { recursive: true, force: true })
    },
  }
}
