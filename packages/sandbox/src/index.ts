export { findSandbox } from './sandbox.ts'
export type { SandboxAvailability, Sandbox, SandboxOptions } from './sandbox.ts'
export type { PythonRun, RunLimits, RunOutcome } from './python-run.ts'
