import type { Egress } from '@headwater/server-kit'
import type { StepOutcome, StepWork } from '@headwater/runs/server'
import type { TaskKind } from '../../task-kinds.ts'
import { failed, input, libraryKind, output, when } from '../kind-parts.ts'
import { fetchFiles, type SourceFiles } from './fetch-files.ts'
import { openFtp } from './ftp-connection.ts'
import { RemoteError, type RemoteConnection } from './remote-connection.ts'
import { openSftp } from './sftp-connection.ts'

/** Dependencies of the SFTP and FTP sources. */
export interface SourceDependencies {
  /** Opens the connections. */
  egress: Pick<Egress, 'connect' | 'pin'>
  /** Stores the files. */
  files: SourceFiles
}

type Inputs = Readonly<Record<string, string>>

/** Creates the kind of task that fetches files from an SFTP server. */
export function createSftpSource({ egress, files }: SourceDependencies): TaskKind {
  return sourceKind(files, {
    name: 'sftp-source',
    readableName: 'SFTP source',
    protocol: 'sftp',
    port: 22,
    description: 'Fetches new or all files from a folder on an SFTP server into a group.',
    login: [
      input(
        'Host key',
        'TEXT',
        'Fingerprint of the server key, as ssh-keygen -lf prints it: SHA256: and 43 characters.',
      ),
      input('User name', 'TEXT', 'User name.'),
      input('Authentication', 'CHOICE', 'How the user signs in.', {
        defaultValue: 'password',
        choices: ['password', 'key'],
      }),
      input('Password', 'SECRET', 'Password of the user.', { condition: when('Authentication', 'password') }),
      input('Private key', 'SECRET', 'Private key in OpenSSH or PEM format.', {
        condition: when('Authentication', 'key'),
      }),
      input('Passphrase', 'SECRET', 'Passphrase of the private key.', {
        optional: true,
        condition: when('Authentication', 'key'),
      }),
    ],
    problemOf: ({ 'Host key': key = '' }) =>
      key === '' || /^SHA256:[A-Za-z0-9+/]{43}$/.test(key)
        ? undefined
        : 'The host key must be a fingerprint: SHA256: followed by 43 characters. Ask the administrator of the server, or run ssh-keygen -lf with its public key.',
    open: ({ host, port, inputs, signal }) => {
      const isKey = inputs.Authentication === 'key'
      const login = {
        host,
        port,
        userName: inputs['User name'] ?? '',
        hostKey: inputs['Host key'] ?? '',
        ...(isKey
          ? { privateKey: inputs['Private key'] ?? '', passphrase: inputs.Passphrase }
          : { password: inputs.Password ?? '' }),
      }
      return openSftp(egress, login, signal)
    },
  })
}

/** Creates the kind of task that fetches files from an FTP server. */
export function createFtpSource({ egress, files }: SourceDependencies): TaskKind {
  return sourceKind(files, {
    name: 'ftp-source',
    readableName: 'FTP source',
    protocol: 'ftp',
    port: 21,
    description: 'Fetches new or all files from a folder on an FTP server into a group.',
    login: [
      input(
        'Encryption',
        'CHOICE',
        'explicit: TLS after a command. implicit: TLS from the start, usually on port 990. none: others can read the password.',
        { defaultValue: 'explicit', choices: ['explicit', 'implicit', 'none'] },
      ),
      input('User name', 'TEXT', 'User name.', { defaultValue: 'anonymous' }),
      input('Password', 'SECRET', 'Password of the user. Not needed for the user anonymous.', {
        optional: true,
      }),
    ],
    problemOf: () => undefined,
    open: ({ host, port, inputs, signal }) => {
      const encryption =
        inputs.Encryption === 'none' || inputs.Encryption === 'implicit' ? inputs.Encryption : 'explicit'
      const login = {
        host,
        port,
        encryption,
        userName: inputs['User name'] || 'anonymous',
        password: inputs.Password || 'guest',
      } as const
      return openFtp(egress, login, signal)
    },
  })
}

interface SourceProtocol {
  name: string
  readableName: string
  protocol: string
  port: number
  description: string
  login: TaskKind['params']
  problemOf: (inputs: Inputs) => string | undefined
  open: (at: { host: string; port: number; inputs: Inputs; signal: AbortSignal }) => Promise<RemoteConnection>
}

function sourceKind(files: SourceFiles, protocol: SourceProtocol): TaskKind {
  const problemOf = (inputs: Inputs) => problemOfAddress(inputs) ?? protocol.problemOf(inputs)

  async function run(work: StepWork): Promise<StepOutcome> {
    const { inputs, signal } = work
    const problem = problemOf(inputs)
    if (problem !== undefined) return failed(problem)
    const host = inputs.Host ?? ''
    const port = Number(inputs.Port || protocol.port)
    let connection: RemoteConnection | undefined
    try {
      connection = await protocol.open({ host, port, inputs, signal })
      const user = inputs['User name'] ?? ''
      return await fetchFiles(files, work, connection, `${protocol.protocol}://${user}@${host}:${port}`)
    } catch (error) {
      if (error instanceof RemoteError) return { ...failed(error.message), errors: [error.errorClass] }
      throw error
    } finally {
      connection?.close()
    }
  }

  return {
    ...libraryKind,
    definitionId: protocol.name,
    definitionName: protocol.name,
    readableName: protocol.readableName,
    category: 'Source',
    description: protocol.description,
    timeout: 3600,
    params: [
      input('Host', 'TEXT', 'Name or IP address of the server. An administrator must allow internal hosts.'),
      input('Port', 'NUMBER', 'Port of the server.', { defaultValue: String(protocol.port) }),
      ...protocol.login,
      input('Folder', 'TEXT', 'Folder on the server.', { defaultValue: '/' }),
      input('Pattern', 'TEXT', 'Pattern for file names; * matches any characters.', { defaultValue: '*' }),
      input(
        'Fetch',
        'CHOICE',
        'new: files that the group does not yet contain in their current version. all: all matching files.',
        { defaultValue: 'new', choices: ['new', 'all'] },
      ),
      input('Group', 'GROUP', 'Group for the files. The user of the run needs write access.'),
      input('Store as', 'CHOICE', 'file: unchanged. series: as NCSV.', {
        defaultValue: 'file',
        choices: ['file', 'series'],
      }),
      output('Files', 'LIST', 'The stored files.'),
      output('Count', 'NUMBER', 'Number of stored files.'),
      output('File', 'FILE', 'The newest stored file; empty if there is none.'),
    ],
    // A repeated step finds the files that it has already stored.
    repeatable: true,
    problemOf,
    run,
  }
}

const controlCharacter = /\p{Cc}/u

function problemOfAddress(inputs: Inputs): string | undefined {
  const { Host: host = '', Port: port = '', Folder: folder = '', Pattern: pattern = '' } = inputs
  if (/[\s/@]|:\/\//.test(host)) return 'Enter the host only, without a protocol, user name or folder.'
  if (port !== '' && !(Number.isInteger(Number(port)) && Number(port) >= 1 && Number(port) <= 65_535))
    return 'The port must be a number from 1 to 65535.'
  if ([folder, pattern, inputs['User name'] ?? ''].some((text) => controlCharacter.test(text)))
    return 'The user name, the folder and the pattern must not contain control characters.'
  return pattern.includes('/')
    ? 'The pattern must not contain a folder. Enter the folder separately.'
    : undefined
}
