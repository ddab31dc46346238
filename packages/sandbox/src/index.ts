/** Runs Python scripts of users within limits. */
export interface Sandbox {
  runPython(run: PythonRun): Promise<RunOutcome>
}
export interface PythonRun {
  script: string
  env: Record<string, string>
  limits: {
    wallMs: number
    cpuSeconds: number
    memoryBytes: number
    processes: number
    outputBytes: number
    diskBytes: number
  }
  server?: { socketPath: string; port: number }
  onOutput(line: string, stream: 'stdout' | 'stderr'): void
  signal: AbortSignal
}
export interface RunOutcome {
  end: 'exited' | 'wallLimit' | 'cpuLimit' | 'memoryLimit' | 'outputLimit' | 'aborted' | 'killed'
  exitCode: number | null
  exception?: { name: string; message: string }
  stderrTail: string
}
export async function findSandbox(): Promise<
  { available: true; sandbox: Sandbox } | { available: false; reason: string }
> {
  return { available: false, reason: '' }
}
