import { lstatSync, readlinkSync } from 'node:fs'

/** Programs that make a sandbox, by their absolute paths. */
export interface Programs {
  bubblewrap: string
  python: string
  /** Changes to another user first; only for root. */
  setpriv?: string
}

/** The descriptors from which bubblewrap reads what the sandbox is to be, and those the launcher tells on and lives by. */
export const descriptors = {
  environment: 3,
  filter: 4,
  launcher: 5,
  script: 6,
  users: 7,
  hosts: 8,
  report: 9,
  lifeLine: 10,
} as const

/** Paths inside the sandbox. */
export const inside = {
  launcher: '/run/sandbox/launcher.py',
  serverSocket: '/run/sandbox/server.sock',
  script: '/run/script/main.py',
  temporary: '/tmp',
  work: '/tmp/work',
  sharedMemory: '/dev/shm',
} as const

const systemFolders = [
  '/usr/bin',
  '/usr/sbin',
  '/usr/lib',
  '/usr/lib32',
  '/usr/lib64',
  '/usr/libx32',
  '/usr/libexec',
  '/usr/share',
  '/usr/local/bin',
  '/usr/local/lib',
]
const topFolders = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
const settings = [
  '/etc/alternatives',
  '/etc/ca-certificates',
  '/etc/ca-certificates.conf',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/mime.types',
  '/etc/pki/ca-trust',
  '/etc/pki/tls/certs',
  '/etc/pki/tls/cert.pem',
  '/etc/ssl/certs',
  '/etc/ssl/cert.pem',
  '/etc/ssl/openssl.cnf',
]
const userId = 1000
/** Texts that stand for the files of the machine. */
export const stubs = {
  users: `sandbox:x:${userId}:${userId}::/tmp/work:/usr/sbin/nologin\n`,
  hosts: '127.0.0.1 localhost sandbox\n::1 localhost\n',
} as const
const mostSharedMemoryBytes = 64 * 1024 * 1024

const baseEnvironment = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: inside.work,
  USER: 'sandbox',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  TMPDIR: inside.temporary,
  // Each arena reserves 64 MB of addresses, which count as memory.
  MALLOC_ARENA_MAX: '2',
}

/**
 * The environment of a run as options of bubblewrap, to be read from a descriptor: on a command line every user of the
 * machine could read it, and it may hold a token.
 */
export function environmentOptions(env: Record<string, string>): string {
  const options = Object.entries({ ...baseEnvironment, ...env }).flatMap((entry) => ['--setenv', ...entry])
  return options.map((option) => `${option}\0`).join('')
}

/** How a sandbox is made. */
export interface SandboxForm {
  diskBytes: number
  /** What is seen as the socket of the server; none without. */
  serverSocketPath?: string
  hiddenFolders: readonly string[]
}

function sandboxOptions({ diskBytes, serverSocketPath, hiddenFolders }: SandboxForm): string[] {
  const sharedMemoryBytes = Math.min(diskBytes, mostSharedMemoryBytes)
  const data = (name: keyof typeof descriptors, path: string) => [
    '--ro-bind-data',
    `${descriptors[name]}`,
    path,
  ]
  const limitedFolder = (sizeBytes: number, path: string) => ['--size', `${sizeBytes}`, '--tmpfs', path]
  // Not --die-with-parent or --json-status-fd: ended by either between two steps it leaves its child waiting for ever.
  return [
    ['--unshare-all', '--unshare-user', '--disable-userns', '--uid', `${userId}`, '--gid', `${userId}`],
    ['--hostname', 'sandbox', '--cap-drop', 'ALL', '--new-session'],
    // Its own first process would be left to whoever reaps, which in a container may be nobody.
    ['--as-pid-1', '--seccomp', `${descriptors.filter}`],
    [...systemFolders, ...settings].flatMap((path) => ['--ro-bind-try', path, path]),
    topFolders.flatMap(topFolder),
    hiddenFolders.filter(isSeen).flatMap((path) => [...limitedFolder(4096, path), '--remount-ro', path]),
    ['--proc', '/proc', '--dev', '/dev'],
    [...limitedFolder(sharedMemoryBytes, inside.sharedMemory), '--remount-ro', '/dev'],
    [...limitedFolder(diskBytes, inside.temporary), '--dir', inside.work],
    [...data('launcher', inside.launcher), ...data('script', inside.script)],
    [...data('users', '/etc/passwd'), ...data('hosts', '/etc/hosts')],
    serverSocketPath ? ['--ro-bind', serverSocketPath, inside.serverSocket] : [],
    // Else what is written beside the folders that are limited would be memory without limit.
    ['--remount-ro', '/', '--chdir', inside.work],
    ['--clearenv', '--args', `${descriptors.environment}`],
  ].flat()
}

function isSeen(path: string): boolean {
  const holds = (outer: string, inner: string) => `${inner}/`.startsWith(`${outer}/`)
  return [...systemFolders, ...topFolders, ...settings].some((seen) => holds(seen, path) || holds(path, seen))
}

/** Where /lib is a link to usr/lib it is one inside as well; else it is a folder of its own. */
function topFolder(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return []
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
}

/**
 * The command that runs a program in the sandbox.
 * @param slotUserId user to become first, when this is root
 */
export function sandboxCommand(
  programs: Programs,
  form: SandboxForm,
  words: readonly string[],
  slotUserId: number | undefined,
): string[] {
  const id = `${slotUserId}`
  const change =
    slotUserId === undefined
      ? []
      : [programs.setpriv!, '--reuid', id, '--regid', id, '--clear-groups', '--inh-caps=-all']
  return [...change, programs.bubblewrap, ...sandboxOptions(form), '--', programs.python, ...words]
}
