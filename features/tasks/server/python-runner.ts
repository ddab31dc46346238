import { availableParallelism } from 'node:os'
import { countOf } from '@headwater/contract'
import type { Logs } from '@headwater/logs/server'
import type { SandboxAvailability, RunOutcome } from '@headwater/sandbox'
import { type StepOutcome, type StepWork, stopReasonOf } from '@headwater/runs/server'
import type { ErrorClass } from '@headwater/runs/contract'
import type { Clock, EgressTarget, ForwardProxy, ProxyPass } from '@headwater/server-kit'
import { exceptionClasses } from './exception-classes.ts'
import { missingPackage, unavailableMessage, type Packages, type ProvidedPackages } from './packages/index.ts'
import type { RunTokens } from './run-tokens.ts'
import { ScriptOutput } from './script-output.ts'
import type { ScriptLine, TaskKind, TestWork } from './task-kinds.ts'
import { redactionsOf } from './task-secrets.ts'
import { createThrottledReporter } from './throttled-reporter.ts'

/** Name of the parameter that holds the script. */
const scriptParam = 'Script'
const mib = 1024 * 1024
/**
 * Maximum size of a value in bytes. It is slightly below the system limit for one environment variable; the difference is
 * reserved for the name and for variables of the run.
 */
const maxValueBytes = 128_000
const maxValuesBytes = 1_000_000

/**
 * A token expires at the latest this long after the timeout of its task, in milliseconds. The margin allows for clocks that
 * differ between machines or jump by an hour.
 */
const tokenMarginMs = 2 * 3_600_000

/** Address at which user code reaches the API. */
export interface RunServer {
  /** Unix socket of the API. */
  socketPath: string
  /** Port of the API inside the sandbox. */
  port: number
}

/** Work of a step or of a test run, which reports no progress. */
type ScriptWork = TestWork & Partial<Pick<StepWork, 'report'>>

/** Receives the output of a script and finally its result. */
interface ScriptLog {
  write: ScriptLine
  end(status: StepOutcome['status'], message: string, printed: string): Promise<void>
}

/** Creates the kind of task that runs a user's Python script. */
export function createPythonRunner({
  clock,
  findSandbox,
  server,
  tokens,
  packages,
  logs,
  proxy,
  isHostAllowed,
}: {
  /** Clock for the expiry of tokens. */
  clock: Clock
  /** Returns the sandbox, or the reason why it is unavailable. */
  findSandbox: () => Promise<SandboxAvailability>
  server: RunServer
  tokens: RunTokens
  packages: Packages
  /** Stores the output of scripts. */
  logs: Pick<Logs, 'open'>
  /** Connects scripts to the allowed hosts of their task. */
  proxy: Pick<ForwardProxy, 'open'>
  /** Returns whether the scripts of a task can reach a host when this user runs them. */
  isHostAllowed: (userId: number, taskId: string | undefined, target: EgressTarget) => Promise<boolean>
}): TaskKind {
  /** Executes the script; its output and result go into the log that `openLog` returns. */
  async function execute(work: ScriptWork, openLog: () => ScriptLog): Promise<StepOutcome> {
    const availability = await findSandbox()
    if (!availability.available) return { status: 'ERROR', message: availability.reason }
    const problem = problemOf({ ...work.inputs, ...work.outputs })
    if (problem !== undefined) return { status: 'ERROR', message: problem }
    const script = work.inputs[scriptParam] ?? ''
    let provided: ProvidedPackages
    try {
      provided = await packages.provide(
        availability.sandbox,
        script,
        work.packages ?? { requirements: [], locked: [] },
      )
    } catch (error) {
      return failureOf(error)
    }
    const token = tokenOf(work)
    const log = openLog()
    const pass = proxy.open((target) => isHostAllowed(work.principal.userId, work.taskId, target))
    const redactions = [
      { secret: token, placeholder: '[token]' },
      { secret: pass.password, placeholder: '[token]' },
      ...redactionsOf(work.secretValues ?? []),
    ]
    const output = new ScriptOutput(redactions, (line, stream) => log.write(line, stream))
    const reporter = createThrottledReporter(() => work.report?.(output.toString()) ?? Promise.resolve())
    const outcome = await availability.sandbox
      .runPython({
        script,
        packagesFolder: provided.packagesFolder,
        systemPackages: provided.systemPackages,
        env: { ...environmentOf(work, token, server), ...proxyVariables(pass, server) },
        limits: {
          wallMs: work.timeout * 1000,
          cpuSeconds: cpuSecondsOf(work),
          memoryBytes: work.memory * mib,
          processes: 32,
          outputBytes: 16 * mib,
          diskBytes: 512 * mib,
        },
        server,
        onOutput(text, stream) {
          output.write(text, stream)
          reporter.changed()
        },
        signal: work.signal,
      })
      .then((result) => toStepOutcome(result, work), failureOf)
      .finally(async () => {
        // A progress report must not arrive after the result.
        await reporter.end()
        provided.release()
        pass.close()
      })
    output.end()
    const message = output.hide(outcome.message)
    const printed = output.toString()
    await log.end(outcome.status, message, printed)
    return { ...outcome, message, printed }
  }

  const run = (work: StepWork): Promise<StepOutcome> =>
    execute(work, () => {
      const log = logs.open({ jobId: work.run.jobId, eId: work.eId, component: work.stepName })
      return {
        write: (line, stream) => log.write(line, stream),
        async end(status, message, printed) {
          // The traceback of an uncaught exception already ends with its message.
          const isWritten = status === 'ERROR' && `\n${printed.trimEnd()}`.endsWith(`\n${message.trimEnd()}`)
          if (status !== 'INFO' && !isWritten)
            for (const line of message.split('\n')) log.write(`${status}:run:${line}`, 'stderr')
          await log.end()
        },
      }
    })

  /** Signs a token for the code, which is valid until the attempt ends. */
  function tokenOf({ principal, run: { jobId: runId }, eId, attempt, timeout }: ScriptWork): string {
    const ends = new Date(clock.now().getTime() + timeout * 1000 + tokenMarginMs)
    return tokens.sign({ userId: principal.userId, run: { runId, eId, attempt }, ends })
  }

  return {
    definitionId: 'python-runner',
    definitionName: 'python-runner',
    readableName: 'Python script',
    category: 'Python',
    description:
      'Runs a Python script in a sandbox. The script can reach the API of this server and the hosts that an administrator has allowed for the task, but no other hosts.',
    imageUrl: null,
    cpu: 1,
    memory: 512,
    timeout: 600,
    params: [
      {
        name: scriptParam,
        type: 'INPUT',
        valueType: 'SCRIPT',
        value: '',
        defaultValue: '',
        dynamic: false,
        optional: false,
        description: 'The script. It reads inputs and stores outputs with the module headwater.',
      },
    ],
    openParams: true,
    isUserCode: true,
    repeatable: true,
    readsReferences: true,
    problemOf,
    lockPackages: (inputs, requirements) => packages.lock(inputs[scriptParam] ?? '', requirements),
    run,
    test: (work, onLine) => execute(work, () => ({ write: onLine, end: async () => {} })),
  }
}

function problemOf({
  [scriptParam]: _script,
  ...values
}: Readonly<Record<string, string>>): string | undefined {
  const instead = 'Store larger values in a file in the data lake that the script reads.'
  let allBytes = 0
  for (const [name, value] of Object.entries(values)) {
    const bytes = Buffer.byteLength(value)
    if (bytes > maxValueBytes)
      return `“${name}” has ${formatCount(bytes)} bytes; a script can receive at most ${formatCount(maxValueBytes)} in one value. ${instead}`
    allBytes += Buffer.byteLength(name) + bytes
  }
  return allBytes > maxValuesBytes
    ? `The values have ${formatCount(allBytes)} bytes in total; a script can receive at most ${formatCount(maxValuesBytes)}. ${instead}`
    : undefined
}

function formatCount(number: number): string {
  return number.toLocaleString('en')
}

/** Returns the environment variables that scripts written for the client libraries read. */
function environmentOf(work: ScriptWork, token: string, { port }: RunServer): Record<string, string> {
  const { [scriptParam]: _script, ...inputs } = work.inputs
  const { jobId, pipelineId, name, groupName } = work.run
  return {
    ...inputs,
    ...work.outputs,
    NG_API_ENDPOINT: `http://127.0.0.1:${port}`,
    NG_API_AUTHTOKEN: token,
    JOBID: jobId,
    PIPELINE_ID: pipelineId ?? 'None',
    EID: work.eId,
    NG_COMPONENT_NAME: name,
    NG_STATUS_GROUP_NAME: groupName,
    TASK_NAME: work.taskName,
    // Parameter names, for the module `headwater`.
    HEADWATER_PARAMS: JSON.stringify({
      inputs: Object.keys(inputs),
      outputs: [...Object.keys(work.outputs), ...(work.unusedOutputs ?? [])],
    }),
  }
}

/** Returns the environment variables that configure the proxy. Requests to the API do not use it. */
function proxyVariables({ userName, password }: ProxyPass, { port }: RunServer): Record<string, string> {
  const proxy = `http://${userName}:${password}@127.0.0.1:${port}`
  const direct = `127.0.0.1:${port},localhost:${port}`
  // Some clients read only one spelling.
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    NO_PROXY: direct,
    http_proxy: proxy,
    https_proxy: proxy,
    no_proxy: direct,
  }
}

/** Returns the CPU time limit: parallel processes can use every processor until the timeout. */
function cpuSecondsOf({ timeout }: Pick<StepWork, 'timeout'>): number {
  return timeout * availableParallelism()
}

/** Converts the failure to start a script, such as an unusable value or missing capacity, into a result. */
function failureOf(error: unknown): StepOutcome {
  if (!(error instanceof Error)) throw error
  return { status: 'ERROR', message: error.message }
}

function toStepOutcome({ end, exitCode, exception }: RunOutcome, work: ScriptWork): StepOutcome {
  const { timeout, memory } = work
  const error = (message: string, ...errors: ErrorClass[]): StepOutcome => ({
    status: 'ERROR',
    message,
    errors,
  })
  switch (end) {
    case 'wallLimit':
      return error(
        `The script exceeded its timeout of ${countOf(timeout, 'second')}. Raise the timeout of the task.`,
        'timeout',
      )
    case 'cpuLimit':
      return error(
        `The script exceeded its limit of ${countOf(cpuSecondsOf(work), 'second')} of processor time for all of its processes. Raise the timeout of the task.`,
        'timeout',
      )
    case 'memoryLimit':
      return error(`The script exceeded its memory limit of ${memory} MiB. Raise the memory of the task.`)
    case 'outputLimit':
      return error('The script wrote more than 16 MiB of output. Write data to files in the data lake.')
    case 'aborted':
      return error(stopReasonOf(work.signal))
    case 'killed':
      return error('The script was stopped by the system.')
    case 'exited':
      if (exception !== undefined && /(^|\.)PythonStepWarnException$/.test(exception.name))
        return { status: 'WARN', message: exception.message }
      if (exception !== undefined) return error(messageOf(exception, work), ...exceptionClasses(exception))
      return exitCode === 0
        ? { status: 'INFO', message: '' }
        : error(`The script ended with the exit code ${exitCode}.`, 'script')
  }
}

/** Returns the message for an exception. A missing known package is a problem of the installation, not of the script. */
function messageOf(
  { name, message }: NonNullable<RunOutcome['exception']>,
  { packages }: Pick<StepWork, 'packages'>,
): string {
  const declared = packages?.requirements.map((each) => each.name) ?? []
  const missing = /(^|\.)(ModuleNotFound|Import)Error$/.test(name)
    ? missingPackage(message, declared)
    : undefined
  return missing === undefined ? `${name}: ${message}` : unavailableMessage(missing)
}
