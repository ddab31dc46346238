/** A script, and within which limits it runs. */
export interface PythonRun {
  /** Text of the main script. */
  script: string
  /** The environment, given by execve: names may have spaces and `#`, such as `Input #1`. */
  env: Record<string, string>
  limits: RunLimits
  /**
   * Unix socket of an HTTP server outside; inside it is reached as `http://127.0.0.1:<port>` (a port from 1024 on). Nothing
   * else of the network is there. Absent: no network at all.
   */
  server?: { socketPath: string; port: number }
  /**
   * Gets the output as it arrives: pieces of any length above 0, with their line ends, in which no character is cut in half. When
   * it throws the run ends and rejects.
   */
  onOutput(text: string, stream: 'stdout' | 'stderr'): void
  /** Ends the run and everything it started. */
  signal: AbortSignal
}

/** Whole numbers above 0. */
export interface RunLimits {
  /** From start to end. */
  wallMs: number
  /** Of all processes together; also of each. */
  cpuSeconds: number
  /** Private memory of all processes together; also addresses of each. Less than some 50 MB is too little for Python. */
  memoryBytes: number
  /** Processes and threads at once, the main one included. */
  processes: number
  /** Of standard output and standard error together. */
  outputBytes: number
  /** Of the temporary folder, in which the work folder is; also of each file. */
  diskBytes: number
}

/** How a run ended. */
export interface RunOutcome {
  /** `killed`: by a signal that no limit sent. `memoryLimit` also when a MemoryError was not caught. */
  end: 'exited' | 'wallLimit' | 'cpuLimit' | 'memoryLimit' | 'outputLimit' | 'aborted' | 'killed'
  /** Null when it did not end by itself. */
  exitCode: number | null
  /**
   * Class name of the exception that nothing caught, with its module unless built in or of the script itself, such as
   * `ValueError` or `northgravity.ExceptionHandler.PythonStepWarnException`, and its message (at most 4000 characters).
   */
  exception?: { name: string; message: string }
  /** Last lines of standard error, at most 4 kB. */
  stderrTail: string
}

/** What Linux takes as one text of an environment, its end included. */
const longestVariableBytes = 128 * 1024
const longestEnvironmentBytes = 1024 * 1024
const firstFreePort = 1024
const lastPort = 65535

/** @throws when a run cannot be what was asked for, in words */
export function checkRun({ env, limits, server }: PythonRun): void {
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`The limit ${name} is ${value}; it has to be a whole number above 0.`)
    }
  }
  let allBytes = 0
  for (const [name, value] of Object.entries(env)) {
    if (name === '' || name.includes('=') || `${name}${value}`.includes('\0')) {
      throw new RangeError(
        `${JSON.stringify(name)} cannot be given to a script: names are not empty and without =, neither holds a NUL character.`,
      )
    }
    const bytes = Buffer.byteLength(name) + Buffer.byteLength(value) + 2
    if (bytes > longestVariableBytes) {
      throw new RangeError(
        `${name} has ${bytes} bytes; a script can be given at most ${longestVariableBytes} in one value.`,
      )
    }
    allBytes += bytes
  }
  if (allBytes > longestEnvironmentBytes) {
    throw new RangeError(
      `The values have ${allBytes} bytes; a script can be given at most ${longestEnvironmentBytes}.`,
    )
  }
  if (server && !(Number.isInteger(server.port) && server.port >= firstFreePort && server.port <= lastPort)) {
    throw new RangeError(
      `The port ${server.port} cannot be used; it has to be from ${firstFreePort} to ${lastPort}.`,
    )
  }
}
