import { execFile } from 'node:child_process'
import { chown, lstat, readFile, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Options for starting a PostgreSQL program as a user that it accepts. It rejects root and users without an account.
 */
export interface RunAs {
  /** Arguments before the command, for example `unshare --user …`. */
  prefix: readonly string[]
  /** User to switch to at the start; absent if the user stays the same. */
  uid?: number
  /** Group to switch to at the start; absent if the group stays the same. */
  gid?: number
  /** Owner of the files that the program creates, as seen by the file system. */
  owner: { uid: number; gid: number }
}

/** Identity of the process; a parameter for tests. */
export interface ProcessIdentity {
  /** Effective user id. */
  uid: number
  /** Effective group id. */
  gid: number
}

/**
 * Chooses how to run PostgreSQL. An ordinary user runs it directly. PostgreSQL does not run as root, so root switches
 * to `postgres` or `nobody` if that user can access `paths`. Otherwise root becomes `nobody` inside a user namespace, or
 * `nobody` with only the capability that is needed to access the folders (`dac_override`). `initdb` rejects a user id
 * without an account, so such a user also runs it in a user namespace.
 */
export async function chooseRunAs(
  paths: readonly string[],
  identity: ProcessIdentity = currentIdentity(),
): Promise<RunAs> {
  const accounts = await systemAccounts()
  const self = { uid: identity.uid, gid: identity.gid }
  if (identity.uid !== 0) {
    // Accounts can come from a directory service instead of /etc/passwd; on macOS they always do.
    if (accounts.some((a) => a.uid === identity.uid) || process.platform !== 'linux')
      return { prefix: [], owner: self }
    if (await succeeds('getent', ['passwd', String(identity.uid)])) return { prefix: [], owner: self }
    const inNamespace = await userNamespace(self)
    if (inNamespace) return inNamespace
    throw new Error(
      `The user id ${identity.uid} has no account on this system, which PostgreSQL requires, and user namespaces are ` +
        'not allowed here. Run as a user with an entry in /etc/passwd, or set DATABASE_URL to a PostgreSQL server.',
    )
  }

  const account = accounts.find((a) => a.name === 'postgres') ?? accounts.find((a) => a.name === 'nobody')
  if (account && (await canTraverseAll(account, paths))) {
    return { prefix: [], uid: account.uid, gid: account.gid, owner: account }
  }
  const inNamespace = await userNamespace(self)
  if (inNamespace) return inNamespace
  const withCapability = account && (await withTraversalCapability(account))
  if (withCapability) return withCapability
  throw new Error(
    'PostgreSQL does not run as root, and no other user can reach its folders: ' +
      `${paths.join(', ')}. Run as an ordinary user, move the project and its data to a folder that every user can access, ` +
      'or set DATABASE_URL to a PostgreSQL server.',
  )
}

/** Makes a user the owner of a folder and its contents, unless it already owns the folder. Does nothing unless the process is root. */
export async function giveFolderTo(owner: ProcessIdentity, folder: string): Promise<void> {
  if (process.getuid?.() !== 0 || (await stat(folder)).uid === owner.uid) return
  for (const entry of await readdir(folder, { recursive: true })) {
    await chown(join(folder, entry), owner.uid, owner.gid)
  }
  // The folder itself comes last. If the change is interrupted, the folder still has its old owner and the next start
  // repeats the change.
  await chown(folder, owner.uid, owner.gid)
}

function currentIdentity(): ProcessIdentity {
  if (!process.getuid || !process.getgid) {
    throw new Error(
      'The built-in PostgreSQL runs on Linux and macOS. Set DATABASE_URL to a PostgreSQL server.',
    )
  }
  return { uid: process.getuid(), gid: process.getgid() }
}

interface Account extends ProcessIdentity {
  name: string
}

async function systemAccounts(): Promise<Account[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}

async function canTraverseAll(account: Account, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    for (let folder = path; ; folder = dirname(folder)) {
      if (!(await canTraverse(account, folder))) return false
      if (folder === dirname(folder)) break
    }
  }
  return true
}

async function canTraverse(account: Account, folder: string): Promise<boolean> {
  const entry = await stat(folder)
  const shift = entry.uid === account.uid ? 6 : entry.gid === account.gid ? 3 : 0
  return ((entry.mode >> shift) & 1) === 1
}

async function userNamespace(owner: ProcessIdentity): Promise<RunAs | undefined> {
  const prefix = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--']
  return (await prefixWorks(prefix)) ? { prefix, owner } : undefined
}

async function withTraversalCapability(account: Account): Promise<RunAs | undefined> {
  const prefix = [
    'setpriv',
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    '--',
  ]
  return (await prefixWorks(prefix)) ? { prefix, owner: account } : undefined
}

async function prefixWorks([command = '', ...args]: string[]): Promise<boolean> {
  return succeeds(command, [...args, 'true'])
}

const run = promisify(execFile)

async function succeeds(command: string, args: string[]): Promise<boolean> {
  return run(command, args).then(
    () => true,
    () => false,
  )
}

/** Returns whether `path` is a folder of the given user that nobody else can access. Returns false for a link. */
export async function isPrivateFolderOf(owner: ProcessIdentity, path: string): Promise<boolean> {
  const entry = await lstat(path).catch(() => undefined)
  return entry !== undefined && entry.isDirectory() && entry.uid === owner.uid && (entry.mode & 0o077) === 0
}
