import { useEffect, useRef, useState } from 'react'
import { callRaw, errorMessage } from '@headwater/web-kit'
import { type TestEvent, testTask } from '../../contract/index.ts'
import { inputOf, type TaskDraft } from './task-draft.ts'
import type { Sample } from './sample.ts'
import type { TestResult } from './test-result.ts'

/** A line of output, or a note that lines are missing. */
export type OutputLine = Extract<TestEvent, { type: 'line' | 'omitted' }>

interface State {
  /** `waiting`: the server has not yet started the script. */
  phase: 'idle' | 'waiting' | 'running' | 'stopped'
  lines: readonly OutputLine[]
  result: TestResult | undefined
  problem: string | undefined
}

const empty: State = { phase: 'idle', lines: [], result: undefined, problem: undefined }

/** State of a test run, and the calls that start and stop it. The test run also stops when the user leaves the page. */
export function useTestRun(onResult: (draft: TaskDraft, result: TestResult) => void) {
  const [state, setState] = useState(empty)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const isRunning = state.phase === 'waiting' || state.phase === 'running'

  function add(draft: TaskDraft, event: TestEvent): void {
    if (event.type === 'started') setState((current) => ({ ...current, phase: 'running' }))
    else if (event.type === 'result') {
      setState((current) => ({ ...current, phase: 'idle', result: event }))
      onResult(draft, event)
    } else setState((current) => ({ ...current, lines: [...current.lines, event] }))
  }

  async function start(taskId: string | undefined, draft: TaskDraft, sample: Sample): Promise<void> {
    if (running.current !== undefined) return
    const controller = new AbortController()
    running.current = controller
    setState({ ...empty, phase: 'waiting' })
    try {
      const { groupName, readableName, name, definitionName, timeout, memory, params, requirements } =
        inputOf(draft)
      const task = { groupName, definitionName, timeout, memory, params, requirements }
      const body = {
        ...task,
        readableName: readableName || name,
        ...(taskId === undefined ? {} : { taskId }),
        sample,
      }
      const response = await callRaw(testTask, { body: body as never }, { signal: controller.signal })
      let hasEnded = false
      for await (const event of eventsOf(response)) {
        hasEnded = event.type === 'result'
        add(draft, event)
      }
      if (!hasEnded) throw new Error('The connection to the server was lost. Run the test again.')
    } catch (error) {
      if (!controller.signal.aborted)
        setState((current) => ({ ...current, phase: 'idle', problem: errorMessage(error) }))
    } finally {
      running.current = undefined
    }
  }

  return {
    ...state,
    isRunning,
    start,
    stop(): void {
      running.current?.abort()
      setState((current) => ({ ...current, phase: 'stopped' }))
    },
    /** Sets the displayed problem, for example an invalid sample. */
    refuse: (problem: string): void => setState({ ...empty, problem }),
  }
}

/** Parses the JSON lines of a response as they arrive. */
async function* eventsOf(response: Response): AsyncGenerator<TestEvent> {
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  let pending = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (pending + decoder.decode(value, { stream: true })).split('\n')
    pending = lines.pop()!
    for (const line of lines) yield JSON.parse(line) as TestEvent
  }
}
