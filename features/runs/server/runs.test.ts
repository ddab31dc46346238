import { expect, test } from 'vitest'
import { AppError } from '@headwater/contract'
import { inTransaction } from '@headwater/server-kit'
import type { StepTask, StepWork } from './index.ts'
import { type Behaviour, setUpRunStage } from './testing/run-stage.ts'

const stage = setUpRunStage()

const succeeds: Behaviour = () => ({ status: 'INFO', message: '' })

/** A gate at which steps wait until it opens. */
function createGate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

test('independent steps run concurrently; a step after them waits for all of them', async () => {
  const started: string[] = []
  const both = createGate()
  const runs = stage.startWorker({
    good: succeeds,
    meets: async ({ taskName }) => {
      started.push(taskName)
      if (started.length === 2) both.open()
      await both.opened
      return { status: 'INFO', message: '' }
    },
    last: () => ({ status: 'INFO', message: started.join(' ') }),
  })
  const id = await stage.start(runs, {
    first: {},
    left: { after: ['first'], definitionName: 'meets' },
    right: { after: ['first'], definitionName: 'meets', isUserCode: true },
    last: { after: ['left', 'right'], definitionName: 'last' },
  })
  const end = await stage.ended(runs, id)
  expect(end).toMatchObject({ status: 'INFO', message: 'All 4 tasks succeeded.' })
  expect(end.messages.last?.split(' ').toSorted()).toEqual(['left', 'right'])
})

test('one step, fifty steps after it and one step after those each run once', async () => {
  const count = new Map<string, number>()
  const runs = stage.startWorker({
    good: ({ taskName }) => {
      count.set(taskName, (count.get(taskName) ?? 0) + 1)
      return { status: 'INFO', message: '' }
    },
  })
  const fan = Array.from({ length: 50 }, (_, index) => `fan ${index}`)
  const id = await stage.start(runs, {
    first: {},
    ...Object.fromEntries(
      fan.map((name, index) => [name, { after: ['first'], isUserCode: index % 2 === 0 }]),
    ),
    last: { after: fan },
  })
  expect((await stage.ended(runs, id)).message).toBe('All 52 tasks succeeded.')
  expect([count.size, Math.max(...count.values())]).toEqual([52, 1])
})

test('after a failed step, the run stops, skips the following steps, or continues, as the task specifies', async () => {
  const runs = stage.startWorker({ good: succeeds, bad: () => ({ status: 'ERROR', message: 'no price' }) })
  const nodes = (onError: StepTask['onError']) => ({
    bad: { definitionName: 'bad', ...(onError && { onError }) },
    below: { after: ['bad'] },
    other: { after: ['slow'] },
    slow: {},
    deep: { after: ['below'] },
  })
  const skip = await stage.ended(runs, await stage.start(runs, nodes('skip')))
  expect(skip.steps).toEqual({
    bad: 'ERROR',
    below: 'UNEXECUTED',
    deep: 'UNEXECUTED',
    slow: 'INFO',
    other: 'INFO',
  })
  expect([skip.status, skip.message]).toEqual(['WARN', '“bad”: no price'])
  expect(skip.messages.deep).toBe('“bad” did not succeed.')

  const go = await stage.ended(runs, await stage.start(runs, nodes('continue')))
  expect(go.steps).toEqual({ bad: 'ERROR', below: 'INFO', deep: 'INFO', slow: 'INFO', other: 'INFO' })
  expect(go.status).toBe('WARN')

  const stop = await stage.ended(
    runs,
    await stage.start(runs, { bad: { definitionName: 'bad' }, below: { after: ['bad'] } }),
  )
  expect(stop.steps).toEqual({ bad: 'ERROR', below: 'UNEXECUTED' })
  expect([stop.status, stop.message]).toEqual(['ERROR', '“bad”: no price'])
  expect(stop.messages.below).toBe('Not run: “bad” ended with an error.')
})

test('a step with branches continues with one branch; the steps of the other branch are skipped, and a step after both branches runs', async () => {
  const runs = stage.startWorker({
    good: succeeds,
    branch: ({ inputs }) => ({ status: 'INFO', message: '', branch: inputs.to! }),
    joins: ({ inputs }) => ({ status: 'INFO', message: inputs.from! }),
    gives: ({ taskName }) => ({ status: 'INFO', message: '', outputs: { Out: taskName } }),
  })
  const reference = (digit: number) => `\${${String(digit).repeat(8)}-0d43-4a43-9e01-0a1d2c3b4e5f}`
  const [left, right] = [reference(1), reference(2)]
  const nodes = (to: string) => ({
    branch: { definitionName: 'branch', inputs: { to } },
    left: {
      after: ['branch'],
      branches: { branch: 'then' },
      definitionName: 'gives',
      outputs: { Out: left },
    },
    'after left': { after: ['left'], isPaused: true },
    right: {
      after: ['branch'],
      branches: { branch: 'else' },
      definitionName: 'gives',
      outputs: { Out: right },
    },
    'needs right': { after: ['branch', 'right'], needs: ['right'] },
    always: { after: ['branch'] },
    join: {
      after: ['left', 'right'],
      definitionName: 'joins',
      inputs: { from: `coalesce(${left}, ${right}, "none")` },
      expressions: ['from'],
    },
  })
  const otherwise = await stage.ended(runs, await stage.start(runs, nodes('else')))
  expect(otherwise).toMatchObject({
    status: 'INFO',
    message: '5 of 7 tasks succeeded. The others belong to branches that were skipped.',
    steps: {
      branch: 'INFO',
      left: 'UNEXECUTED',
      'after left': 'UNEXECUTED',
      right: 'INFO',
      'needs right': 'INFO',
      always: 'INFO',
      join: 'INFO',
    },
    messages: {
      'after left': 'Skipped: “branch” continued with another branch.',
      join: 'right',
    },
  })
  const id = await stage.start(runs, nodes('then'))
  await expect.poll(async () => (await runs.find(id))?.state).toBe('paused')
  expect(await stage.statusesOf(id)).toMatchObject({
    steps: {
      left: 'INFO',
      'after left': 'PAUSED',
      right: 'UNEXECUTED',
      'needs right': 'UNEXECUTED',
      always: 'INFO',
      join: 'INFO',
    },
    messages: { join: 'left' },
  })
})

test('a failed step takes no branch; the run continues with the steps after all of its branches', async () => {
  const runs = stage.startWorker({ good: succeeds, bad: () => ({ status: 'ERROR', message: 'no' }) })
  const branches = { branch: 'then' }
  const nodes = {
    branch: { definitionName: 'bad', onError: 'continue' as const },
    left: { after: ['branch'], branches },
    always: { after: ['branch'] },
  }
  expect(await stage.ended(runs, await stage.start(runs, nodes))).toMatchObject({
    status: 'WARN',
    steps: { branch: 'ERROR', left: 'UNEXECUTED', always: 'INFO' },
  })
})

test('a failed step is retried after a delay, as often as its task specifies; every attempt remains in the history', async () => {
  let attempts = 0
  const times: number[] = []
  const runs = stage.startWorker({
    flaky: () => {
      times.push(performance.now())
      attempts++
      return attempts < 3
        ? { status: 'ERROR', message: `try ${attempts}` }
        : { status: 'INFO', message: 'at last' }
    },
  })
  const id = await stage.start(runs, { a: { definitionName: 'flaky', retries: 2, retryDelay: 0.4 } })
  expect(await stage.ended(runs, id)).toMatchObject({ status: 'INFO', messages: { a: 'at last' } })
  expect(attempts).toBe(3)
  expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(200)
  const { rows } = await stage.database.pool.query(
    'select attempt, outcome, message from run_attempts where run_id = $1 order by attempt',
    [id],
  )
  expect(rows).toEqual([
    { attempt: 1, outcome: 'ERROR', message: 'try 1' },
    { attempt: 2, outcome: 'ERROR', message: 'try 2' },
    { attempt: 3, outcome: 'INFO', message: 'at last' },
  ])
  attempts = -10
  const failing = await stage.ended(
    runs,
    await stage.start(runs, { a: { definitionName: 'flaky', retries: 1, retryDelay: 0.01 } }),
  )
  expect([failing.status, attempts]).toEqual(['ERROR', -8])
})

test('a run pauses before a step while its other branch continues, and resumes where it paused', async () => {
  const gate = createGate()
  const runs = stage.startWorker({
    good: succeeds,
    waits: async () => {
      await gate.opened
      return { status: 'INFO', message: '' }
    },
  })
  const id = await stage.start(runs, {
    held: { isPaused: true },
    after: { after: ['held'] },
    branch: { definitionName: 'waits' },
  })
  await expect
    .poll(async () => (await stage.statusesOf(id)).steps)
    .toMatchObject({ held: 'PAUSED', branch: 'RUNNING' })
  expect((await runs.find(id))?.state).toBe('running')
  gate.open()
  await expect.poll(async () => (await runs.find(id))?.state).toBe('paused')
  expect(await stage.statusesOf(id)).toMatchObject({
    status: 'PAUSED',
    message: 'The run is paused before “held”.',
  })
  expect(await runs.continue(id, undefined, new Date())).toBe(true)
  expect((await stage.ended(runs, id)).steps).toEqual({ held: 'INFO', after: 'INFO', branch: 'INFO' })
  expect(await runs.continue(id, undefined, new Date())).toBe(false)
})

test('an approved step starts; a declined one fails with the name of the user, and the decision is recorded', async () => {
  const runs = stage.startWorker({ good: succeeds })
  const nodes = { a: { isPaused: true }, b: { after: ['a'] } }
  const decision = { userId: stage.userId, reason: 'anna declined the task.' }
  const approved = await stage.start(runs, nodes)
  expect(
    await runs.decide(approved, { ...decision, isApproved: true, approveTime: '2026-01-02' }, new Date()),
  ).toBe(true)
  expect((await stage.ended(runs, approved)).status).toBe('INFO')
  const declined = await stage.start(runs, nodes)
  expect(await runs.decide(declined, { ...decision, isApproved: false }, new Date())).toBe(true)
  expect(await stage.ended(runs, declined)).toMatchObject({
    status: 'ERROR',
    message: '“a”: anna declined the task.',
    steps: { a: 'ERROR', b: 'UNEXECUTED' },
  })
  expect(await runs.decide(declined, { ...decision, isApproved: true }, new Date())).toBe(false)
  const { rows } = await stage.database.pool.query(
    'select approved, user_id, approve_time from run_decisions order by decided_at',
  )
  expect(rows).toEqual([
    { approved: true, user_id: stage.userId, approve_time: '2026-01-02' },
    { approved: false, user_id: stage.userId, approve_time: null },
  ])
})

test('if two steps fail at the same time, the message of the run names the one with the lower number', async () => {
  const runs = stage.startWorker({})
  const id = await stage.start(runs, {
    a: { isPaused: true, onError: 'continue' },
    b: { isPaused: true, onError: 'continue' },
  })
  const declined = { userId: stage.userId, isApproved: false, reason: 'declined' }
  await inTransaction(stage.database, async (executor) => {
    // An index would return the steps ordered by number.
    await executor.query('set local enable_indexscan = off; set local enable_bitmapscan = off', [])
    for (const number of [2, 1])
      expect(await runs.decide(id, { ...declined, numbers: [number] }, new Date(0), executor)).toBe(true)
  })
  expect((await stage.ended(runs, id)).message).toBe('“a”: declined')
})

test('stopping aborts steps on another server and ends all others', async () => {
  const aborted: string[] = []
  stage.startWorker({
    endless: ({ signal, taskName }) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          aborted.push(taskName)
          resolve({ status: 'ERROR', message: 'ended' })
        }),
      ),
  })
  const other = stage.startWorker({})
  await stage.queues[1]!.stop(0)
  const id = await stage.start(other, {
    a: { definitionName: 'endless' },
    b: { definitionName: 'endless' },
    c: { after: ['a'] },
  })
  await expect
    .poll(async () => (await stage.statusesOf(id)).steps)
    .toMatchObject({ a: 'RUNNING', b: 'RUNNING' })
  await other.stop([id])
  const end = await stage.ended(other, id)
  expect(aborted.toSorted()).toEqual(['a', 'b'])
  expect(end.steps).toEqual({ a: 'ERROR', b: 'ERROR', c: 'UNEXECUTED' })
  expect(end.messages.b).toBe('The run was stopped.')
})

test('a run that is stopped after a warning ends as stopped, and names the user', async () => {
  const runs = stage.startWorker({
    warns: () => ({ status: 'WARN', message: 'no rows' }),
    endless: ({ signal }) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () => resolve({ status: 'ERROR', message: 'ended' })),
      ),
  })
  const id = await stage.start(runs, {
    check: { definitionName: 'warns', onError: 'continue' },
    load: { definitionName: 'endless', onError: 'continue', after: ['check'] },
    below: { after: ['load'] },
  })
  await expect.poll(async () => (await stage.statusesOf(id)).steps).toMatchObject({ load: 'RUNNING' })
  await runs.stop([id], undefined, 'anna@example.com')
  const end = await stage.ended(runs, id)
  expect([end.status, end.message]).toEqual(['ERROR', 'The run was stopped by anna@example.com.'])
  expect(end.messages.load).toBe('The run was stopped by anna@example.com.')
  expect(end.steps).toEqual({ check: 'WARN', load: 'ERROR', below: 'UNEXECUTED' })
})

test('the step of a lost worker is executed again, and its late result is discarded', async () => {
  const gate = createGate()
  const works: StepWork[] = []
  const behaviours: Record<string, Behaviour> = {
    slow: async (work) => {
      works.push(work)
      if (work.attempt === 1) await gate.opened
      return { status: 'INFO', message: `attempt ${work.attempt}` }
    },
  }
  const runs = stage.startWorker(behaviours)
  const id = await stage.start(runs, { a: { definitionName: 'slow' } })
  await expect.poll(() => works.length).toBe(1)
  expect(await runs.isAttemptRunning(id, works[0]!.eId, 1)).toBe(true)
  expect(await runs.isAttemptRunning(id, works[0]!.eId, 2)).toBe(false)
  // The first worker is lost: its lease expires.
  await stage.loseWorkers()
  const end = await stage.ended(runs, id)
  expect(end.messages.a).toBe(
    'The task was interrupted, for example by a server stop, and was restarted.\nattempt 2',
  )
  expect(await runs.isAttemptRunning(id, works[0]!.eId, 1)).toBe(false)
  gate.open()
  await works[0]!.report('late')
  expect(works).toHaveLength(2)
})

test('a step that must not be repeated fails after an interruption, with a message that it may have finished', async () => {
  const gate = createGate()
  let calls = 0
  const runs = stage.startWorker(
    {
      mail: async () => {
        calls++
        await gate.opened
        return { status: 'INFO', message: '' }
      },
    },
    { repeatable: false },
  )
  const id = await stage.start(runs, { a: { definitionName: 'mail' } })
  await expect.poll(() => calls).toBe(1)
  await stage.loseWorkers()
  expect((await stage.ended(runs, id)).messages.a).toMatch(
    /^The server stopped while this task was running\./,
  )
  expect(calls).toBe(1)
  gate.open()
})

test('a step of any kind runs only once, even if PostgreSQL cannot store its messages or outputs', async () => {
  const unstorable = 'half \ud83d and \u0000zero'
  const reference = '${5f3cf10c-0d43-4a43-9e01-0a1d2c3b4e5f}'
  let calls = 0
  const endings: Record<string, Behaviour> = {
    INFO: () => ({ status: 'INFO', message: unstorable, outputs: { out: unstorable } }),
    WARN: () => ({ status: 'WARN', message: unstorable }),
    ERROR: () => {
      throw new AppError('refused', 400, unstorable)
    },
  }
  const runs = stage.startWorker(
    Object.fromEntries(
      Object.entries(endings).map(([name, ending]) => [
        name,
        async (work: StepWork) => {
          calls++
          await work.report(unstorable)
          return ending(work)
        },
      ]),
    ),
  )
  for (const status of Object.keys(endings)) {
    calls = 0
    const id = await stage.start(runs, { a: { definitionName: status, outputs: { out: reference } } })
    const end = await stage.ended(runs, id)
    expect([calls, end.status, end.messages.a]).toEqual([1, status, 'half \ufffd and zero'])
    if (status === 'INFO') expect(await runs.value(id, reference)).toBe('half \ufffd and zero')
  }
})

test('results of expressions contain no characters that PostgreSQL cannot store', async () => {
  const inputs: unknown[] = []
  const runs = stage.startWorker({
    good: (work) => {
      inputs.push(work.inputs['text'])
      return { status: 'INFO', message: '' }
    },
  })
  const expression = String.raw`get("{\"a\": \"\\u0000b\\ud800\"}", "a")`
  const id = await stage.start(runs, { a: { inputs: { text: expression }, expressions: ['text'] } })
  expect(await stage.ended(runs, id)).toMatchObject({ status: 'INFO' })
  expect(inputs).toEqual(['b\ufffd'])
})

test('values reach the steps that reference them; a missing value is reported with the name of the input', async () => {
  const reference = (digit: number) => `\${${String(digit).repeat(8)}-0d43-4a43-9e01-0a1d2c3b4e5f}`
  const runs = stage.startWorker({
    gives: () => ({ status: 'INFO', message: '', outputs: { out: '42' } }),
    takes: ({ inputs }) => ({ status: 'INFO', message: inputs.In! }),
  })
  const nodes = (input: string) => ({
    gives: { definitionName: 'gives', outputs: { out: reference(1) } },
    takes: { definitionName: 'takes', inputs: { In: input }, after: ['gives'] },
  })
  expect((await stage.ended(runs, await stage.start(runs, nodes(reference(1))))).messages.takes).toBe('42')
  expect((await stage.ended(runs, await stage.start(runs, nodes(reference(2))))).messages.takes).toBe(
    'No earlier task provided a value for “In”.',
  )
})

test('an abandoned run keeps the last message of its step', async () => {
  const runs = stage.startWorker({
    breaks: async (work) => {
      await work.report('row 1\nrow 2')
      throw new Error('the disk is full')
    },
  })
  const id = await stage.start(runs, { a: { definitionName: 'breaks' } })
  await expect.poll(async () => (await stage.statusesOf(id)).messages.a).toContain('row 2')
  await stage.database.pool.query(
    `update queue_jobs set failures = max_attempts, run_after = now() where state <> 'done'`,
  )
  const end = await stage.ended(runs, id)
  expect(end.messages.a).toMatch(/^The run failed after several attempts[^\n]*\n(.*\n)?row 1\nrow 2$/)
})

test('the principal of a built-in step identifies its attempt, so that its effects happen only once; user code has a token instead', async () => {
  const callers: Record<string, StepWork['principal']['run']> = {}
  const notes: Behaviour = ({ taskName, principal }) => {
    callers[taskName] = principal.run
    return { status: 'INFO', message: '' }
  }
  const builtIn = stage.startWorker({ good: notes })
  const id = await stage.start(builtIn, { merge: {} })
  await stage.ended(builtIn, id)
  expect(callers.merge).toMatchObject({ runId: id, attempt: 1, isBuiltIn: true })
  await stage.clear()
  const code = stage.startWorker({ good: notes }, { isUserCode: true })
  await stage.ended(code, await stage.start(code, { script: { isUserCode: true } }))
  expect(callers).toHaveProperty('script', undefined)
})
