import { lstatSync, readlinkSync } from 'node:fs'

/** Absolute paths of the programs that create a sandbox. */
export interface Programs {
  /** Path of bubblewrap. */
  bubblewrap: string
  /** Path of Python 3. */
  python: string
  /** Path of setpriv, which switches to a different user; only if the server runs as root. */
  setpriv?: string
}

/**
 * File descriptors: the inputs of bubblewrap, including the module, and the report, lifeline and request of the launcher.
 */
export const descriptors = {
  environment: 3,
  filter: 4,
  launcher: 5,
  users: 6,
  hosts: 7,
  report: 8,
  lifeline: 9,
  request: 10,
  module: 11,
} as const
/** Highest descriptor number. */
export const lastDescriptor = descriptors.module

/** Paths inside the sandbox. */
export const inside = {
  launcher: '/run/sandbox/launcher.pyc',
  modules: '/run/modules',
  module: '/run/modules/headwater.py',
  serverSocket: '/run/sandbox/server.sock',
  scriptFolder: '/run/script',
  script: '/run/script/main.py',
  packages: '/run/packages',
  output: '/run/output',
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
/** Contents of replaced system files. */
export const stubs = {
  users: `sandbox:x:${userId}:${userId}::/tmp/work:/usr/sbin/nologin\n`,
  hosts: '127.0.0.1 localhost sandbox\n::1 localhost\n',
} as const
const maxSharedMemoryBytes = 64 * 1024 * 1024

const baseEnvironment = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: inside.work,
  USER: 'sandbox',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  TMPDIR: inside.temporary,
  // Each arena reserves 64 MB of address space, which counts towards the memory limit.
  MALLOC_ARENA_MAX: '2',
}

/**
 * Returns the base environment as bubblewrap options, which bubblewrap reads from a descriptor. The launcher adds the
 * environment of the run.
 */
export function environmentOptions({ packagesFolder }: Pick<BubblewrapOptions, 'packagesFolder'>): string {
  const paths = packagesFolder === undefined ? {} : { PYTHONPATH: inside.packages }
  const options = Object.entries({ ...baseEnvironment, ...paths }).flatMap((entry) => ['--setenv', ...entry])
  return options.map((option) => `${option}\0`).join('')
}

/** Options of a bubblewrap sandbox. */
export interface BubblewrapOptions {
  /** Size of the temporary folder in bytes. */
  diskBytes: number
  /** Path of the script folder. */
  scriptFolder: string
  /** Path of the socket to expose as the server socket; undefined for none. */
  serverSocketPath: string | undefined
  /** Real paths of folders to hide. */
  hiddenFolders: readonly string[]
  /** Package folder to expose; undefined for none. */
  packagesFolder?: string | undefined
  /** Files and folders to expose under their own paths. Default: none. */
  programPaths?: readonly string[]
  /** Folder that the program can write to. Default: none. */
  outputFolder?: string | undefined
}

function sandboxOptions({
  diskBytes,
  scriptFolder,
  serverSocketPath,
  hiddenFolders,
  packagesFolder,
  programPaths = [],
  outputFolder,
}: BubblewrapOptions): string[] {
  const sharedMemoryBytes = Math.min(diskBytes, maxSharedMemoryBytes)
  const data = (name: keyof typeof descriptors, path: string) => [
    '--ro-bind-data',
    `${descriptors[name]}`,
    path,
  ]
  const limitedFolder = (sizeBytes: number, path: string) => ['--size', `${sizeBytes}`, '--tmpfs', path]
  // Not used: --die-with-parent and --json-status-fd. If either ended bubblewrap between two steps, its child would wait
  // forever.
  return [
    ['--unshare-all', '--unshare-user', '--disable-userns', '--uid', `${userId}`, '--gid', `${userId}`],
    ['--hostname', 'sandbox', '--cap-drop', 'ALL', '--new-session'],
    // The init process of bubblewrap itself would need a reaper, which a container may not have.
    ['--as-pid-1', '--seccomp', `${descriptors.filter}`],
    [...systemFolders, ...settings].flatMap((path) => ['--ro-bind-try', path, path]),
    topFolders.flatMap(topFolder),
    hiddenFolders.filter(isVisible).flatMap((path) => [...limitedFolder(4096, path), '--remount-ro', path]),
    ['--proc', '/proc', '--dev', '/dev'],
    [...limitedFolder(sharedMemoryBytes, inside.sharedMemory), '--remount-ro', '/dev'],
    [...limitedFolder(diskBytes, inside.temporary), '--dir', inside.work],
    [...data('launcher', inside.launcher), ...data('module', inside.module)],
    ['--ro-bind', scriptFolder, inside.scriptFolder],
    [...data('users', '/etc/passwd'), ...data('hosts', '/etc/hosts')],
    packagesFolder ? ['--ro-bind', packagesFolder, inside.packages] : [],
    programPaths.flatMap((path) => ['--ro-bind', path, path]),
    outputFolder ? ['--bind', outputFolder, inside.output] : [],
    serverSocketPath ? ['--ro-bind', serverSocketPath, inside.serverSocket] : [],
    // Otherwise files outside the size-limited folders could use unlimited memory.
    ['--remount-ro', '/', '--chdir', inside.work],
    ['--clearenv', '--args', `${descriptors.environment}`],
  ].flat()
}

function isVisible(path: string): boolean {
  const holds = (outer: string, inner: string) => `${inner}/`.startsWith(`${outer}/`)
  return [...systemFolders, ...topFolders, ...settings].some((seen) => holds(seen, path) || holds(path, seen))
}

/** Returns the options that recreate a symbolic link, such as /lib to usr/lib, or bind any other folder. */
function topFolder(path: string): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats) return []
  return stats.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
}

/**
 * Returns the command that runs a program in the sandbox.
 * @param command path of the program inside the sandbox, and its arguments
 * @param slotUserId user to switch to first, if the current user is root
 */
export function sandboxCommand(
  programs: Programs,
  options: BubblewrapOptions,
  command: readonly string[],
  slotUserId: number | undefined,
): string[] {
  const id = `${slotUserId}`
  const change =
    slotUserId === undefined
      ? []
      : [programs.setpriv!, '--reuid', id, '--regid', id, '--clear-groups', '--inh-caps=-all']
  return [...change, programs.bubblewrap, ...sandboxOptions(options), '--', ...command]
}
