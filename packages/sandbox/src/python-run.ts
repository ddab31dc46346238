/** A script and the limits of its run. */
export interface PythonRun {
  /** Source code of the main script. */
  script: string
  /** Environment variables. Names can contain spaces and `#`, such as `Input #1`. */
  env: Record<string, string>
  /** Limits of the run. */
  limits: RunLimits
  /**
   * Unix socket of an HTTP server outside the sandbox. Inside the sandbox it is available at `http://127.0.0.1:<port>` (port
   * 1024 or higher). There is no other network access. Default: no network.
   */
  server?: { socketPath: string; port: number }
  /**
   * Folder with installed packages, readable by every user. The script can import but not change them; the standard library
   * takes precedence. Default: only the standard library.
   */
  packagesFolder?: string | undefined
  /** Whether the packages installed on the system can be imported. Default false. */
  systemPackages?: boolean | undefined
  /**
   * Receives the output as it arrives, in non-empty chunks that include line endings and never split a character. If it throws,
   * the run is stopped and rejects.
   */
  onOutput(text: string, stream: 'stdout' | 'stderr'): void
  /** Aborts the run and all of its processes. */
  signal: AbortSignal
}

/** Limits of a run, as whole numbers above 0. */
export interface RunLimits {
  /** Wall-clock time in milliseconds. */
  wallMs: number
  /** CPU time in seconds. It limits each process, and all processes together. */
  cpuSeconds: number
  /**
   * Private memory of all processes together, in bytes; also limits the address space of each process. Python needs about 50
   * MB.
   */
  memoryBytes: number
  /** Maximum number of processes and threads, including the main one. */
  processes: number
  /** Maximum bytes of standard output and standard error together. */
  outputBytes: number
  /** Maximum bytes in the temporary folder, which contains the work folder; also the maximum size of each file. */
  diskBytes: number
}

/** Result of a run. */
export interface RunOutcome {
  /** `killed`: a signal ended the script, and no limit was the reason. `memoryLimit` includes an uncaught MemoryError. */
  end: 'exited' | 'wallLimit' | 'cpuLimit' | 'memoryLimit' | 'outputLimit' | 'aborted' | 'killed'
  /** Exit code; null if the run was killed. */
  exitCode: number | null
  /**
   * The uncaught exception: its class name and its message (at most 4000 characters). The name includes the module, unless
   * the class is built in or defined by the script: `ValueError`, `northgravity.ExceptionHandler.PythonStepWarnException`.
   */
  exception?: { name: string; message: string }
  /** Last lines of standard error, at most 4 kB. */
  stderrTail: string
}

/** Linux limit of one environment entry, including its terminator. */
const maxVariableBytes = 128 * 1024
const maxEnvironmentBytes = 1024 * 1024
const firstUnprivilegedPort = 1024
const lastPort = 65535

/**
 * Checks the limits, environment and port of a run.
 * @throws RangeError or TypeError with a message for users
 */
export function checkRun({ env, limits, server }: PythonRun): void {
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`The limit ${name} is ${value}; it must be a whole number above 0.`)
    }
  }
  let allBytes = 0
  for (const [name, value] of Object.entries(env)) {
    if (name === '' || name.includes('=') || `${name}${value}`.includes('\0')) {
      throw new RangeError(
        `${JSON.stringify(name)} cannot be passed to a script: names must not be empty or contain =, and neither names nor values may contain a NUL character.`,
      )
    }
    const bytes = Buffer.byteLength(name) + Buffer.byteLength(value) + 2
    if (bytes > maxVariableBytes) {
      throw new RangeError(`${name} has ${bytes} bytes; a single value can have at most ${maxVariableBytes}.`)
    }
    allBytes += bytes
  }
  if (allBytes > maxEnvironmentBytes) {
    throw new RangeError(
      `The values have ${allBytes} bytes; a script can receive at most ${maxEnvironmentBytes}.`,
    )
  }
  if (
    server &&
    !(Number.isInteger(server.port) && server.port >= firstUnprivilegedPort && server.port <= lastPort)
  ) {
    throw new RangeError(
      `The port ${server.port} cannot be used; it must be from ${firstUnprivilegedPort} to ${lastPort}.`,
    )
  }
}
