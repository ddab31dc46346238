import { availableParallelism } from 'node:os'
import { countOf } from '@headwater/contract'
import type { SandboxAvailability, RunOutcome } from '@headwater/sandbox'
import type { RunTokens } from './run-tokens.ts'
import { ScriptOutput } from './script-output.ts'
import type { TaskKind, TaskOutcome, TaskWork } from './task-kinds.ts'
import { createTeller } from './teller.ts'

export const scriptParam = 'Script'
const mib = 1024 * 1024
/** The system takes a little more in the environment of a process; names, and what each run is told, need the rest. */
const maxValueBytes = 128_000
const maxValuesBytes = 1_000_000

/** Where code that runs finds the API. */
export interface RunServer {
  /** Unix socket on which the API answers. */
  socketPath: string
  /** Port under which it is found from within. */
  port: number
}

/** The kind of task that runs a Python script of a user. */
export function createPythonRunner({
  findSandbox,
  server,
  tokens,
}: {
  /** The sandbox, or why there is none. */
  findSandbox: () => Promise<SandboxAvailability>
  server: RunServer
  tokens: RunTokens
}): TaskKind {
  async function run(work: TaskWork): Promise<TaskOutcome> {
    const found = await findSandbox()
    if (!found.available) return { status: 'ERROR', message: found.reason }
    const problem = problemOf({ ...work.inputs, ...work.outputs })
    if (problem !== undefined) return { status: 'ERROR', message: problem }
    const pass = tokens.open(work.principal.userId)
    const output = new ScriptOutput(pass.token)
    const teller = createTeller(() => work.tell(output.toString()))
    const ended = await found.sandbox
      .runPython({
        script: work.inputs[scriptParam] ?? '',
        env: environmentOf(work, pass.token, server),
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
          teller.changed()
        },
        signal: work.signal,
      })
      .then((outcome) => endOf(outcome, work), failureOf)
      .finally(async () => {
        // A word of its way must not come after that of its end.
        await teller.end()
        pass.close()
      })
    output.end()
    return { ...ended, message: output.hide(ended.message), printed: output.toString() }
  }

  return {
    definitionId: 'python-runner',
    definitionName: 'python-runner',
    readableName: 'Python script',
    category: 'Python',
    description:
      'Runs a Python script in a sandbox. The script can reach the API of this server and nothing else on the network.',
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
        description: 'The script. Each other parameter is an environment variable of its name.',
      },
    ],
    openParams: true,
    repeatable: true,
    readsReferences: true,
    problemOf,
    run,
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
      return `“${name}” has ${inWords(bytes)} bytes; a script is given at most ${inWords(maxValueBytes)} in one value. ${instead}`
    allBytes += Buffer.byteLength(name) + bytes
  }
  return allBytes > maxValuesBytes
    ? `The values have ${inWords(allBytes)} bytes together; a script is given at most ${inWords(maxValuesBytes)}. ${instead}`
    : undefined
}

function inWords(number: number): string {
  return number.toLocaleString('en')
}

/** What a script of the client ecosystem looks for. */
function environmentOf(work: TaskWork, token: string, { port }: RunServer): Record<string, string> {
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
  }
}

/** Processes side by side may be busy for as long as the script may take, on every processor there is. */
function cpuSecondsOf({ timeout }: TaskWork): number {
  return timeout * availableParallelism()
}

/** What cannot be given to a script, or a machine that has no room for it; told in words. */
function failureOf(error: unknown): TaskOutcome {
  if (!(error instanceof Error)) throw error
  return { status: 'ERROR', message: error.message }
}

function endOf({ end, exitCode, exception }: RunOutcome, work: TaskWork): TaskOutcome {
  const { timeout, memory } = work
  const error = (message: string): TaskOutcome => ({ status: 'ERROR', message })
  switch (end) {
    case 'wallLimit':
      return error(
        `The script exceeded its timeout of ${countOf(timeout, 'second')}. Raise the timeout of the task.`,
      )
    case 'cpuLimit':
      return error(
        `The script exceeded its limit of ${countOf(cpuSecondsOf(work), 'second')} of processor time for all of its processes. Raise the timeout of the task.`,
      )
    case 'memoryLimit':
      return error(`The script exceeded its memory limit of ${memory} MiB. Raise the memory of the task.`)
    case 'outputLimit':
      return error('The script wrote more than 16 MiB of output. Write data to files in the data lake.')
    case 'aborted':
      return error('The run was stopped.')
    case 'killed':
      return error('The script was stopped by the system.')
    case 'exited':
      if (exception !== undefined && /(^|\.)PythonStepWarnException$/.test(exception.name))
        return { status: 'WARN', message: exception.message }
      if (exception !== undefined) return error(`${exception.name}: ${exception.message}`)
      return exitCode === 0
        ? { status: 'INFO', message: '' }
        : error(`The script ended with the exit code ${exitCode}.`)
  }
}
