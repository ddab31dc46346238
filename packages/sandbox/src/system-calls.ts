import process from 'node:process'

/**
 * Rejected system calls with their numbers on x64 and arm64. They allocate memory outside process limits, expose parts of
 * the kernel with many known vulnerabilities, or access other processes. Scripts do not need them.
 */
const refused: Record<string, readonly [number, number]> = {
  shmget: [29, 194],
  msgget: [68, 186],
  semget: [64, 190],
  mq_open: [240, 180],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  quotactl: [179, 60],
  acct: [163, 89],
  syslog: [103, 116],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
}

const socketCall = [41, 198] as const
const socketFamilies = { unix: 1, inet: 2, inet6: 10, netlink: 16 }

const processors = {
  x64: { column: 0, auditName: 0xc000003e },
  arm64: { column: 1, auditName: 0xc00000b7 },
} as const

const loadValue = 0x20
const jumpIfEqual = 0x15
const jumpIfAtLeast = 0x35
const returnValue = 0x06
const allowed = 0x7fff0000
const notPermitted = 0x00050001
const killed = 0x80000000
const numberOffset = 0
const processorOffset = 4
const firstArgumentOffset = 16
const firstNumberOfX32 = 0x40000000

/**
 * Returns the system call filter in the kernel's format (seccomp, classic BPF). Rejected calls fail with EPERM. Only Unix,
 * IPv4, IPv6 and netlink sockets are allowed, because others, such as vsock, are not confined to the network of the sandbox.
 * Returns undefined for an unsupported processor.
 * @param processor as in `process.arch`
 */
export function systemCallFilter(processor: string = process.arch): Buffer | undefined {
  if (processor !== 'x64' && processor !== 'arm64') return undefined
  const { column, auditName } = processors[processor]
  const rules = [
    [loadValue, 0, 0, processorOffset],
    [jumpIfEqual, 1, 0, auditName],
    [returnValue, 0, 0, killed],
    [loadValue, 0, 0, numberOffset],
    [jumpIfAtLeast, 0, 1, firstNumberOfX32],
    [returnValue, 0, 0, notPermitted],
    ...Object.values(refused).flatMap((numbers) => [
      [jumpIfEqual, 0, 1, numbers[column]],
      [returnValue, 0, 0, notPermitted],
    ]),
    [jumpIfEqual, 1, 0, socketCall[column]],
    [returnValue, 0, 0, allowed],
    [loadValue, 0, 0, firstArgumentOffset],
    ...Object.values(socketFamilies).flatMap((family) => [
      [jumpIfEqual, 0, 1, family],
      [returnValue, 0, 0, allowed],
    ]),
    [returnValue, 0, 0, notPermitted],
  ]
  const bytes = Buffer.alloc(rules.length * 8)
  rules.forEach(([code, ifTrue, ifFalse, value], i) => {
    bytes.writeUInt16LE(code!, i * 8)
    bytes.writeUInt8(ifTrue!, i * 8 + 2)
    bytes.writeUInt8(ifFalse!, i * 8 + 3)
    bytes.writeUInt32LE(value!, i * 8 + 4)
  })
  return bytes
}
