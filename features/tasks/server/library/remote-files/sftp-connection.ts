import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Client, ConnectConfig, FileEntryWithStats, SFTPWrapper } from 'ssh2'
import type { Egress } from '@headwater/server-kit'
import { maxEntries, RemoteError, type RemoteConnection, type RemoteFile } from './remote-connection.ts'

/** Address and login of an SFTP server. */
export interface SftpLogin {
  /** Host name or IP address. */
  host: string
  /** TCP port. */
  port: number
  /** User name. */
  userName: string
  /** Fingerprint of the host key: `SHA256:` and 43 characters. */
  hostKey: string
  /** Password; undefined when a key is used. */
  password?: string | undefined
  /** Private key in OpenSSH or PEM format. */
  privateKey?: string | undefined
  /** Passphrase of the key. */
  passphrase?: string | undefined
}

const readyTimeoutMs = 20_000
const keepaliveMs = 15_000
/** Number of bytes per request, which every server supports. */
const requestBytes = 32 * 1024
const maxConcurrentRequests = 32
/** Time within which a server must respond to a request. Keepalive messages show only that the server is alive. */
const responseTimeoutMs = 60_000
/** Maximum number of consecutive empty pages of a list. Without this limit, a list might never end. */
const maxEmptyPages = 10
/** Maximum total length of the names in a list, in characters. */
const maxNameCharacters = 20_000_000

/**
 * Connects to an SFTP server if its host key has the given fingerprint. The password is never sent to a different server.
 * @throws RemoteError and the errors of the egress client
 */
export async function openSftp(
  egress: Pick<Egress, 'connect'>,
  login: SftpLogin,
  signal: AbortSignal,
  { timeoutMs = responseTimeoutMs, readyMs = readyTimeoutMs }: { timeoutMs?: number; readyMs?: number } = {},
): Promise<RemoteConnection> {
  const { default: ssh } = await import('ssh2')
  const client = new ssh.Client()
  // Without a handler, an error between two requests would end the process.
  client.on('error', () => {})
  const sock = await egress.connect({ host: login.host, port: login.port }, { signal })
  const stop = () => client.destroy()
  signal.addEventListener('abort', stop)
  const close = () => {
    signal.removeEventListener('abort', stop)
    client.destroy()
    sock.destroy()
  }
  try {
    await connect(client, { sock, ...configOf(login), readyTimeout: readyMs }, login)
    const call = createCall(timeoutMs)
    const sftp = await call<SFTPWrapper>('The server does not offer SFTP', (callback) =>
      client.sftp(callback),
    )
    return {
      list: (folder) => list({ sftp, call }, folder),
      timeOf: () => Promise.resolve(''),
      read: (path, size) => open({ sftp, call }, path, size),
      close,
    }
  } catch (error) {
    close()
    signal.throwIfAborted()
    throw error
  }
}

function configOf({ userName, password, privateKey, passphrase }: SftpLogin): ConnectConfig {
  return {
    username: userName,
    ...(password === undefined ? {} : { password }),
    ...(privateKey === undefined ? {} : { privateKey }),
    ...(passphrase === undefined || passphrase === '' ? {} : { passphrase }),
    keepaliveInterval: keepaliveMs,
    keepaliveCountMax: 4,
  }
}

/** Resolves when the server has accepted the login. */
async function connect(client: Client, config: ConnectConfig, { hostKey }: SftpLogin): Promise<void> {
  let presented = ''
  const hostVerifier = (key: Buffer) => {
    presented = `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
    return presented === hostKey
  }
  try {
    await new Promise<void>((resolve, reject) => {
      client.once('ready', resolve)
      client.once('error', reject)
      client.once('close', () => reject(new Error('the server closed the connection')))
      client.connect({ ...config, hostVerifier })
    })
  } catch (error) {
    if (presented !== '' && presented !== hostKey)
      throw new RemoteError(
        `The server has the host key ${presented}, not the expected one. Ask the administrator of the server before you change the parameter “Host key”.`,
      )
    const { level, message } = error as Error & { level?: string }
    if (level === 'client-authentication')
      throw new RemoteError('The server refused the user name, the password or the key.')
    if (/privateKey|passphrase/i.test(message))
      throw new RemoteError(
        'The private key cannot be read. Store it in OpenSSH or PEM format, with its passphrase if it has one.',
      )
    throw new RemoteError(
      `The connection to the server failed: ${message.slice(0, 200)}.`,
      level === 'client-timeout' ? 'timeout' : 'connection',
    )
  }
}

/** Calls a method of the library and replaces its errors. */
type Call = <T>(what: string, method: (callback: (error: unknown, result: T) => void) => void) => Promise<T>

/** Creates the function that calls methods and fails if the server does not respond in time. */
function createCall(timeoutMs: number): Call {
  return async (what, method) => {
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise((resolve, reject) => {
        const silent = `${what}: the server did not respond within ${timeoutMs / 1000} s. Check the server, then run the task again.`
        timer = setTimeout(() => reject(new RemoteError(silent, 'timeout')), timeoutMs)
        method((error, result) => {
          if (error === undefined || error === null) resolve(result)
          else reject(endOf(error) ?? callError(what, error as Error))
        })
      })
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Converts the error of a request. An error without a server status means that the connection was lost. */
function callError(what: string, error: Error): RemoteError {
  const text = `${what}: ${error.message.slice(0, 200)}.`
  return new RemoteError(text, 'code' in error ? 'other' : 'connection')
}

/** The SFTP channel of the library, and the function that calls its methods. */
interface Channel {
  sftp: SFTPWrapper
  call: Call
}

const endOfFile = new Error('end of file')

function endOf(error: unknown): Error | undefined {
  return (error as { code?: number }).code === 1 ? endOfFile : undefined
}

async function list({ sftp, call }: Channel, folder: string): Promise<RemoteFile[]> {
  const what = `The folder “${folder}” cannot be listed`
  const handle = await call<Buffer>(what, (callback) => sftp.opendir(folder, callback))
  const files: RemoteFile[] = []
  let [entries, emptyPages, nameCharacters] = [0, 0, 0]
  try {
    for (;;) {
      const page = await call<FileEntryWithStats[]>(what, (callback) =>
        sftp.readdir(handle, callback as never),
      )
      entries += page.length
      if (page.length === 0 && ++emptyPages > maxEmptyPages)
        throw new RemoteError(
          `${what}: the server sends an endless list. Check the folder on the server, or choose another one.`,
        )
      if (entries > maxEntries)
        throw new RemoteError(
          `The folder “${folder}” has more than ${maxEntries.toLocaleString('en')} entries.`,
        )
      for (const { filename } of page) nameCharacters += filename.length
      if (nameCharacters > maxNameCharacters)
        throw new RemoteError(`The list of the folder “${folder}” is larger than 20 MB.`)
      for (const { filename: name, attrs } of page)
        if (attrs.isFile()) files.push({ name, sizeBytes: attrs.size, modified: String(attrs.mtime) })
    }
  } catch (error) {
    if (error !== endOfFile) throw error
  } finally {
    sftp.close(handle, () => {})
  }
  return files
}

async function open({ sftp, call }: Channel, path: string, sizeBytes: number): Promise<Readable> {
  const what = `The file “${path}” cannot be read`
  const handle = await call<Buffer>(what, (callback) => sftp.open(path, 'r', callback))

  /** Reads a part of the file. A server can return less than requested. */
  async function part(start: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length)
    let filled = 0
    while (filled < length) {
      const count = await call<number>(what, (callback) =>
        sftp.read(handle, bytes, filled, length - filled, start + filled, (error, read) =>
          callback(error, read),
        ),
      ).catch((error: unknown) => {
        if (error === endOfFile) return 0
        throw error
      })
      if (count === 0) break
      filled += count
    }
    return bytes.subarray(0, filled)
  }

  async function* parts() {
    const pending: Promise<Buffer>[] = []
    let next = 0
    try {
      while (next < sizeBytes || pending.length > 0) {
        while (next < sizeBytes && pending.length < maxConcurrentRequests) {
          const read = part(next, Math.min(requestBytes, sizeBytes - next))
          // The loop reports the error.
          read.catch(() => {})
          pending.push(read)
          next += requestBytes
        }
        yield await pending.shift()!
      }
    } finally {
      sftp.close(handle, () => {})
    }
  }
  return Readable.from(parts(), { objectMode: false })
}
