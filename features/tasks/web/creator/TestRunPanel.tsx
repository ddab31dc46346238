import { useEffect, useRef, useState } from 'react'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import { countOf, formatNumber } from '@headwater/contract'
import { CodeField, PreviewGrid } from '@headwater/editors/web'
import { Button, errorMessage, StatusBadge } from '@headwater/web-kit'
import type { TaskDraft } from './task-draft.ts'
import { parseSample, sampledParams, sampleTextOf } from './sample.ts'
import { type TestResult, testErrorText } from './test-result.ts'
import { useTestRun } from './use-test-run.ts'
import styles from './TestRun.module.css'

/** Provides the input values of a task from the latest run of a pipeline. */
export interface RunSample {
  /** Returns the input values that earlier tasks produced, by name; undefined if there is no such run. */
  load: () => Promise<Readonly<Record<string, string>> | undefined>
}

/** Properties of {@link TestRunPanel}. */
export interface TestRunProps {
  /** Id of the saved task; undefined for a new one. */
  taskId: string | undefined
  draft: TaskDraft
  /** Provides values of a run of the pipeline that links to the task. Default: none. */
  runSample: RunSample | undefined
  /** Called with the result and the tested draft. */
  onResult: (draft: TaskDraft, result: TestResult) => void
}

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** Sample input, buttons, and the output of the latest test run. */
export default function TestRunPanel({ taskId, draft, runSample, onResult }: TestRunProps) {
  const run = useTestRun(onResult)
  const [sample, setSample] = useState(() => ({ text: sampleTextOf(draft), key: 0 }))
  const [note, setNote] = useState('')
  const runButton = useRef<HTMLButtonElement>(null)
  const { isRunning } = run
  const hasRun = useRef(false)
  useEffect(() => {
    if (isRunning) hasRun.current = true
    // The Stop button disappears, and may have had the focus.
    else if (hasRun.current && document.activeElement === document.body) runButton.current?.focus()
  }, [isRunning])

  function replace(values?: Readonly<Record<string, string>>): void {
    setSample(({ key }) => ({ text: sampleTextOf(draft, values), key: key + 1 }))
  }

  async function loadRun(): Promise<void> {
    setNote('')
    try {
      const values = await runSample?.load()
      if (values === undefined) setNote('You have not run this pipeline yet.')
      else if (Object.keys(values).length === 0) setNote('The latest run has no values for this task.')
      else {
        replace(values)
        setNote(`${countOf(Object.keys(values).length, 'value')} of the latest run`)
      }
    } catch (error) {
      setNote(errorMessage(error))
    }
  }

  function start(): void {
    const parsed = parseSample(sample.text)
    if (typeof parsed === 'string') run.refuse(parsed)
    else void run.start(taskId, draft, parsed)
  }

  return (
    <div className={styles.panel}>
      <p className={styles.note}>
        {isSelect(draft)
          ? 'Runs the SELECT in the editor and shows its first rows. It reads data with your access, but stores nothing.'
          : 'Runs the script in the editor. It reads data with your access, but changes nothing: no run, file or series is stored.'}
      </p>
      <div className={styles.columns}>
        <div className={styles.sample}>
          {sampledParams(draft).length === 0 ? (
            <p className={styles.note}>This task has no inputs.</p>
          ) : (
            <CodeField
              key={sample.key}
              label="Sample input"
              value={sample.text}
              fileName="sample.json"
              editable
              onChange={(text) => setSample((current) => ({ ...current, text }))}
            />
          )}
          <div className={styles.buttons}>
            <Button ref={runButton} icon={<IconPlayerPlay {...icon} />} busy={isRunning} onClick={start}>
              Run test
            </Button>
            {isRunning ? <Button onClick={() => run.stop()}>Stop</Button> : null}
            {sampledParams(draft).length === 0 ? null : (
              <>
                <Button variant="quiet" disabled={isRunning} onClick={() => replace()}>
                  Use values of the task
                </Button>
                {runSample === undefined ? null : (
                  <Button variant="quiet" disabled={isRunning} onClick={() => void loadRun()}>
                    Use values of the latest run
                  </Button>
                )}
              </>
            )}
          </div>
          <p className={styles.note} role="status">
            {note}
          </p>
        </div>
        <Output run={run} isSelect={isSelect(draft)} />
      </div>
    </div>
  )
}

function isSelect({ definitionName }: TaskDraft): boolean {
  return definitionName === 'sql-query'
}

/** Result, stored values, and output or rows of a test run. */
function Output({ run, isSelect: hasRows }: { run: ReturnType<typeof useTestRun>; isSelect: boolean }) {
  const { phase, lines, result, problem } = run
  const output = useRef<HTMLPreElement>(null)
  useEffect(() => {
    // The error is at the end.
    if (output.current !== null) output.current.scrollTop = output.current.scrollHeight
  }, [lines])
  return (
    <div className={styles.output}>
      <div className={styles.result} role="status">
        {phase === 'waiting' ? (
          <StatusBadge status="PENDING" text="Waiting for a free slot" />
        ) : phase === 'running' ? (
          <StatusBadge status="RUNNING" />
        ) : phase === 'stopped' ? (
          <StatusBadge status="WARN" text="Stopped" />
        ) : result === undefined ? null : (
          <>
            <StatusBadge status={result.status} />
            <span className={styles.note}>{`${(result.durationMs / 1000).toFixed(1)} s`}</span>
          </>
        )}
      </div>
      {problem === undefined ? null : (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      )}
      {result === undefined || result.message === '' ? null : (
        <p className={result.status === 'ERROR' ? styles.error : styles.warning}>{testErrorText(result)}</p>
      )}
      {result?.warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          {warning}
        </p>
      ))}
      {result === undefined || result.values.length === 0 ? null : (
        <dl className={styles.values} aria-label="Values">
          {result.values.map(({ name, value }) => (
            <div key={name} className={styles.value}>
              <dt>{name}</dt>
              <dd>{value === '' ? '—' : value}</dd>
            </div>
          ))}
        </dl>
      )}
      {phase === 'idle' && lines.length === 0 && result === undefined ? (
        <p className={styles.note}>
          {hasRows ? 'The first rows of the result appear here.' : 'The output of the script appears here.'}
        </p>
      ) : hasRows ? (
        <Rows table={result?.table ?? undefined} />
      ) : (
        <pre
          ref={output}
          className={styles.lines}
          tabIndex={0}
          role="log"
          aria-label="Output of the test run"
        >
          {lines.map((line, index) => (
            // Lines are only appended, so their position identifies them.
            <span key={index} data-stream={line.type === 'line' ? line.stream : undefined}>
              {line.type === 'line' ? `${line.text}\n` : `… ${countOf(line.lines, 'line')} omitted\n`}
            </span>
          ))}
          {lines.length === 0 ? 'No output yet.' : null}
        </pre>
      )}
    </div>
  )
}

/** First rows of a SELECT result. */
function Rows({ table }: { table: NonNullable<TestResult['table']> | undefined }) {
  if (table === undefined) return null
  const { columns, columnCount, rows } = table
  return (
    <>
      <p className={styles.note} role="status">
        {rowsText(table)}
      </p>
      <div className={styles.rows}>
        <PreviewGrid
          numbers="Row"
          columns={columns.map((name) => ({ name, type: '', isNumber: false }))}
          moreColumns={columnCount - columns.length}
          rows={rows.map((cells, index) => ({ number: index + 1, cells }))}
        />
      </div>
    </>
  )
}

function rowsText({ rows, rowCount, hasMoreRows }: NonNullable<TestResult['table']>): string {
  if (rowCount === 0) return 'The SELECT returned no rows.'
  const count = `${hasMoreRows ? 'more than ' : ''}${formatNumber(rowCount)} rows`
  return rows.length === rowCount && !hasMoreRows
    ? countOf(rowCount, 'row')
    : `First ${formatNumber(rows.length)} of ${count}`
}
