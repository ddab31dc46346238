import { performance } from 'node:perf_hooks'
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import { commonErrors } from '@headwater/contract'
import { isReference, referenceOf } from '@headwater/runs/contract'
import type { NamedSecret } from '@headwater/runs/server'
import { isClientError, type Principal } from '@headwater/server-kit'
import {
  sampleText,
  taskErrors,
  valueOf,
  type TaskInput,
  type TaskParam,
  type testTask,
} from '../../contract/index.ts'
import { visibleInputs } from '../param-problems.ts'
import { contentOf, withLockedPackages } from '../save-tasks.ts'
import { accessToTasks } from '../task-access.ts'
import type { TaskKind, TestWork } from '../task-kinds.ts'
import { mergedParams } from '../task-view.ts'
import type { TasksServiceDependencies } from '../tasks-dependencies.ts'
import { TestOutput } from './test-output.ts'
import type { OpenTestRun, TestRuns } from './test-runs.ts'

/** Dependencies of test runs. */
export interface TestTaskDependencies extends TasksServiceDependencies {
  testRuns: TestRuns
  /**
   * Waits for a script slot on this server and holds it until the returned function is called. Returns undefined if this server
   * does not execute scripts.
   */
  acquireScriptSlot: (signal: AbortSignal) => Promise<(() => void) | undefined>
}

/** Entitlement that is required to run a task, in addition to write access. */
const runsTasks = { resource: 'Science/Creator', mode: 'RW' } as const

/**
 * Checks a task as a save does, runs its script or SELECT, and returns the response as a stream. The stream ends after all
 * processes of the script have ended.
 * @param signal aborts when the caller disconnects, and stops the script
 * @throws the errors of the route
 */
export async function testTaskScript(
  deps: TestTaskDependencies,
  principal: Principal,
  { taskId, sample, ...task }: z.output<NonNullable<(typeof testTask)['body']>>,
  signal: AbortSignal,
): Promise<Readable> {
  if (!principal.can(runsTasks.resource, runsTasks.mode)) throw commonErrors.forbidden(runsTasks)
  const access = accessToTasks(deps)
  const stored =
    taskId === undefined ? undefined : (await access.require(principal, { id: taskId }, 'RW')).item
  const group = await access.requireGroup(principal, task.groupName)
  const kind = deps.kinds.find(task.definitionName)
  if (kind === undefined) throw taskErrors.taskDefinitionUnknown({ name: task.definitionName })
  if (kind.test === undefined) throw taskErrors.notTestable({ kind: kind.readableName })
  const output = new TestOutput()
  const name = task.readableName || 'New task'
  const testRun = deps.testRuns.begin(principal.userId, {
    signal,
    onMessage: (message) => output.add(message, 'stdout'),
  })
  try {
    const params = withSample({ ...task, readableName: name }, kind, sample)
    const checked = await contentOf(deps.kinds, { ...task, name, params, description: '', isPaused: false })
    const { lockedPackages = [], warnings = [] } = await withLockedPackages(deps.kinds, checked)
    // A script by another author must not receive a personal secret of the caller under a name that this author chose.
    const isOwn = stored === undefined || stored.savedBy === principal.userName
    const author = { groupName: group.name, ...(isOwn ? { userName: principal.userName } : {}) }
    const { names, ...values } = valuesOf(checked.params, name, author, kind.unusedByTest)
    const work: TestWork = {
      principal,
      run: { jobId: testRun.attempt.runId, pipelineId: undefined, name, groupName: group.name },
      eId: testRun.attempt.eId,
      attempt: testRun.attempt.attempt,
      taskName: name,
      taskId: stored?.id,
      ...values,
      packages: { requirements: task.requirements, locked: lockedPackages },
      memory: task.memory ?? kind.memory,
      timeout: task.timeout ?? kind.timeout,
      signal: testRun.signal,
    }
    const release = await slotFor(deps, testRun)
    void execute(kind.test, work, { testRun, output, warnings, names, release })
    return output.stream
  } catch (error) {
    testRun.end()
    throw error
  }
}

/** Returns the parameters of a task with the values of a sample. */
function withSample(
  task: Pick<TaskInput, 'readableName' | 'params'>,
  kind: TaskKind,
  sample: Readonly<Record<string, unknown>>,
): TaskParam[] {
  const params = mergedParams(kind, task.params)
  for (const name of Object.keys(sample))
    if (!params.some((param) => param.name === name && isSampled(param)))
      throw taskErrors.paramUnknown({ task: task.readableName, param: name })
  return params.map((param) => {
    if (!isSampled(param) || !Object.hasOwn(sample, param.name)) return param
    const { mode: _mode, ...rest } = param
    return { ...rest, value: sampleText(sample[param.name]) }
  })
}

function isSampled({ type, valueType }: TaskParam): boolean {
  return type === 'INPUT' && valueType !== 'SCRIPT'
}

/**
 * Returns the values that a script receives: input values, and references under which it stores output values. `names` contains
 * the output names by reference.
 * @throws paramMissing, and paramInvalid for an input with a value that is known only in a run
 */
function valuesOf(
  params: readonly TaskParam[],
  task: string,
  author: Omit<NamedSecret, 'name'>,
  unused: readonly string[] = [],
) {
  const inputs: Record<string, string> = {}
  const outputs: Record<string, string> = {}
  const secretInputs: Record<string, NamedSecret> = {}
  const names = new Map<string, string>()
  const visible = visibleInputs(params)
  for (const param of params) {
    const { name, type, valueType, optional, mode } = param
    if (type === 'OUTPUT') {
      outputs[name] = referenceOf(randomUUID())
      names.set(outputs[name], name)
      continue
    }
    const value = valueOf(param)
    const isRequired = !optional && !unused.includes(name)
    if (visible.has(name) && value === '' && isRequired) throw taskErrors.paramMissing({ task, param: name })
    if (visible.has(name) && value !== '' && (mode === 'expression' || isReference(value)))
      throw taskErrors.paramInvalid({
        problem: `“${name}” gets its value only in a run. Enter a value in the sample.`,
      })
    inputs[name] = value
    if (valueType === 'SECRET' && value !== '') secretInputs[name] = { name: value, ...author }
  }
  return { inputs, outputs, secretInputs, names }
}

/** Waits for a slot for the script. */
async function slotFor(
  { acquireScriptSlot }: Pick<TestTaskDependencies, 'acquireScriptSlot'>,
  { signal }: OpenTestRun,
): Promise<() => void> {
  const release = await acquireScriptSlot(signal)
  if (release === undefined) throw taskErrors.testsUnavailable()
  return release
}

/** Executes the script and ends the response. Never rejects. */
async function execute(
  test: NonNullable<TaskKind['test']>,
  work: TestWork,
  {
    testRun,
    output,
    warnings,
    names,
    release,
  }: {
    testRun: OpenTestRun
    output: TestOutput
    warnings: string[]
    names: ReadonlyMap<string, string>
    release: () => void
  },
): Promise<void> {
  const startedAt = performance.now()
  output.send({ type: 'started' })
  try {
    const { status, message, table = null } = await test(work, (line, stream) => output.add(line, stream))
    output.end({
      status,
      message,
      table,
      values: [...testRun.values].map(([key, value]) => ({ name: names.get(key) ?? key, value })),
      warnings,
      durationMs: Math.round(performance.now() - startedAt),
    })
  } catch (error) {
    if (isClientError(error)) {
      const durationMs = Math.round(performance.now() - startedAt)
      output.end({ status: 'ERROR', message: error.message, table: null, values: [], warnings, durationMs })
      return
    }
    // The server logs the error, and the caller sees that the response is incomplete.
    output.stream.destroy(error as Error)
  } finally {
    testRun.end()
    release()
  }
}
