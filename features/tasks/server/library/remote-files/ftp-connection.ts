import { isIP, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { connect as startTls, TLSSocket, type ConnectionOptions } from 'node:tls'
import type { Client, FTPContext, FTPError, FTPResponse } from 'basic-ftp'
import type { Egress } from '@headwater/server-kit'
import { RemoteError, type RemoteConnection, type RemoteFile } from './remote-connection.ts'

/** Address and login of an FTP server. */
export interface FtpLogin {
  /** Host name or IP address. */
  host: string
  /** TCP port of the control connection. */
  port: number
  /**
   * `explicit`: TLS after a command; `implicit`: TLS from the start; `none`: no encryption, not even for the password.
   */
  encryption: 'explicit' | 'implicit' | 'none'
  /** User name. */
  userName: string
  /** Password. */
  password: string
}

const timeoutMs = 30_000
const maxListingBytes = 20 * 1024 * 1024
const lastPort = 65_535
/** Maximum time for the TLS handshake and the login. The timeout of the library does not cover the handshake. */
const maxLoginMs = 60_000

/**
 * Connects to an FTP server. The egress client opens the control connection and all data connections, always to the same address.
 * @throws RemoteError and the errors of the egress client
 */
export async function openFtp(
  egress: Pick<Egress, 'connect' | 'pin'>,
  login: FtpLogin,
  signal: AbortSignal,
  { loginMs = maxLoginMs, responseMs = timeoutMs }: { loginMs?: number; responseMs?: number } = {},
): Promise<RemoteConnection> {
  const { Client, FTPError } = await import('basic-ftp')
  const { host, port, encryption, userName, password } = login
  const client = new Client(responseMs, { allowSeparateTransferHost: false, maxListingBytes })
  let control: Socket | undefined
  const stop = () => {
    client.close()
    control?.destroy()
  }
  signal.addEventListener('abort', stop)
  const close = () => {
    signal.removeEventListener('abort', stop)
    stop()
  }
  const guarded = <T>(work: () => Promise<T>) => withReason(work, signal)
  try {
    const { ca } = encryption === 'none' ? {} : await egress.pin({ host, port })
    const tls: ConnectionOptions = {
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(ca === undefined ? {} : { ca }),
    }
    const socket = await egress.connect({ host, port }, { signal })
    control = socket
    const logIn = async () => {
      client.ftp.socket = encryption === 'implicit' ? await secured(socket, tls) : socket
      if (encryption === 'implicit') client.ftp.tlsOptions = tls
      await welcomed(client.ftp, FTPError)
      if (encryption === 'explicit') await client.useTLS(tls)
      await client.login(userName, password)
      await client.useDefaultSettings()
    }
    await guarded(() => withinTime(logIn(), loginMs, signal))
    const address = socket.remoteAddress ?? host
    client.prepareTransfer = (ftp) => openData(egress, ftp, { host, address, signal })
    // The response to a download can arrive after its content. The library closes the connection if a command starts before the
    // response.
    let transfer: Promise<unknown> = Promise.resolve()
    const afterTransfer = async <T>(work: () => Promise<T>): Promise<T> => {
      await transfer
      return guarded(work)
    }
    return {
      list: (folder) => afterTransfer(() => list(client, folder)),
      timeOf: (path) => afterTransfer(() => timeOf(client, path)),
      read(path) {
        const content = new PassThrough()
        // An error after the whole content has been read has no other listener.
        content.on('error', () => undefined)
        transfer = afterTransfer(() => client.downloadTo(content, path)).catch((error: Error) =>
          content.destroy(error),
        )
        return Promise.resolve(content)
      },
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

/** Waits for a login; fails after `loginMs` or when the signal aborts, even if the login never ends. */
async function withinTime(login: Promise<void>, loginMs: number, signal: AbortSignal): Promise<void> {
  const limit = AbortSignal.timeout(loginMs)
  const ended = AbortSignal.any([signal, limit])
  await new Promise<void>((resolve, reject) => {
    const late = `The login did not complete within ${loginMs / 1000} s. Check the server and the encryption, then run the task again.`
    ended.addEventListener('abort', () =>
      reject(limit.aborted ? new RemoteError(late, 'timeout') : (signal.reason as Error)),
    )
    login.then(resolve, reject)
  })
}

/** Resolves when the server has sent its greeting. */
async function welcomed(ftp: FTPContext, ReplyError: typeof FTPError): Promise<void> {
  await ftp.handle(undefined, (response, task) => {
    if (response instanceof Error) task.reject(response)
    else if (response.code >= 200 && response.code < 300) task.resolve(response)
    else task.reject(new ReplyError(response))
  })
}

/** Starts TLS on a connection and verifies the certificate. */
async function secured(socket: Socket, options: ConnectionOptions): Promise<TLSSocket> {
  const tls = startTls({ ...options, socket })
  await new Promise<void>((resolve, reject) => {
    tls.once('secureConnect', resolve)
    tls.once('error', reject)
  })
  return tls
}

/**
 * Opens a data connection in passive mode. Uses only the port from the response and the address of the control connection, so
 * that a server cannot redirect the client to a different host.
 */
async function openData(
  egress: Pick<Egress, 'connect'>,
  ftp: FTPContext,
  { host, address, signal }: { host: string; address: string; signal: AbortSignal },
): Promise<FTPResponse> {
  const { response, port } = await passivePort(ftp)
  const data = await egress.connect({ host, port }, { address, signal })
  if (ftp.socket instanceof TLSSocket) {
    const session = ftp.tlsSessionStore
    // Some servers start TLS only after the command; the library then waits for it.
    ftp.dataSocket = startTls({
      ...ftp.tlsOptions,
      ...(session === undefined ? {} : { session }),
      socket: data,
    })
  } else ftp.dataSocket = data
  return response
}

async function passivePort(ftp: FTPContext): Promise<{ response: FTPResponse; port: number }> {
  const extended = await ftp.request('EPSV').catch((error: Error) => {
    if ('code' in error && typeof error.code === 'number') return undefined
    throw error
  })
  if (extended !== undefined) {
    const [, port] = /[|!]{3}(\d{1,5})[|!]/.exec(extended.message) ?? []
    if (port !== undefined) return { response: extended, port: requirePort(Number(port)) }
  }
  const response = await ftp.request('PASV')
  const [, high, low] = /(?<!\d)(?:\d{1,3},){4}(\d{1,3}),(\d{1,3})(?!\d)/.exec(response.message) ?? []
  if (high === undefined || low === undefined)
    throw new RemoteError('The server does not support passive mode.')
  return { response, port: requirePort(Number(high) * 256 + Number(low)) }
}

function requirePort(port: number): number {
  if (port >= 1 && port <= lastPort) return port
  throw new RemoteError(
    `The server names port ${port} for the data connection. Ports are between 1 and ${lastPort}. Check the passive mode settings of the server.`,
  )
}

async function list(client: Client, folder: string): Promise<RemoteFile[]> {
  const files: RemoteFile[] = []
  for (const { name, size, isFile, modifiedAt } of await client.list(folder))
    if (isFile) files.push({ name, sizeBytes: size, modified: modifiedAt?.toISOString() ?? '' })
  return files
}

/** Returns the time of a file. Old servers list times without a year, so it is read separately. */
async function timeOf(client: Client, path: string): Promise<string> {
  try {
    return (await client.lastMod(path)).toISOString()
  } catch (error) {
    // The server does not support the command, or the time is not valid.
    if ((error as Error).name === 'FTPError' || error instanceof RangeError) return ''
    throw error
  }
}

/** Replaces errors of the library with messages for users. */
async function withReason<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    const { name, code, message } = error as Error & { code?: unknown }
    if (name === 'AppError' || error instanceof RemoteError) throw error
    if (code === 530) throw new RemoteError('The server refused the user name or the password.')
    if (name === 'FTPError')
      throw new RemoteError(
        `The server responded: ${message.slice(0, 200)}`,
        // Replies from 400 to 499 are temporary.
        Number(code) < 500 ? 'unavailable' : 'other',
      )
    throw new RemoteError(
      `The connection to the server failed: ${message.slice(0, 200)}`,
      // Only the message of the library identifies its timeout.
      message.startsWith('Timeout') ? 'timeout' : 'connection',
    )
  }
}
