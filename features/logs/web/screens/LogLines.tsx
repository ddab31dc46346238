import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import {
  EmptyState,
  ErrorState,
  levelLabel,
  Skeleton,
  StatusBadge,
  Time,
  useRowWindow,
} from '@headwater/web-kit'
import type { LogLine } from '../../contract/index.ts'
import { useLog, type LogFilter } from '../logs-client.ts'
import styles from './LogsScreen.module.css'

const rowPx = 24

/**
 * The matching lines of a log. Only visible lines are loaded.
 * @param props.isLive whether new lines can arrive
 * @param props.isFollowed whether the list scrolls to new lines
 * @param props.isOfOneStep whether the job has one step, so that lines are shown without number and component; default false
 * @param props.onEmpty called if the log has no lines at all
 */
export function LogLines({
  jobId,
  filter,
  isLive,
  isFollowed,
  isOfOneStep = false,
  onEmpty,
}: {
  jobId: string
  filter: LogFilter
  isLive: boolean
  isFollowed: boolean
  isOfOneStep?: boolean
  onEmpty: (isEmpty: boolean) => void
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const [count, setCount] = useState(0)
  const [selected, setSelected] = useState<LogLine>()
  const rows = useRowWindow(scroller, { count, rowPx, framePx: 0 })
  const log = useLog(jobId, filter, { first: rows.first, end: rows.end, count, isLive })
  if (log.count !== undefined && log.count !== count) setCount(log.count)

  useLayoutEffect(() => {
    const element = scroller.current
    if (isFollowed && element !== null) element.scrollTop = element.scrollHeight
  }, [isFollowed, rows.areaPx])

  const isEmpty = log.count !== undefined && log.lastLine === 0
  useEffect(() => onEmpty(isEmpty), [isEmpty, onEmpty])

  const indexes = Array.from({ length: rows.end - rows.first }, (_, index) => rows.first + index)
  return (
    <>
      {log.error ? <ErrorState error={log.error} /> : null}
      {log.count === undefined && !log.error ? <Skeleton lines={8} /> : null}
      {log.count === 0 && !isEmpty ? <EmptyState title="No log entries" /> : null}
      <div
        ref={scroller}
        className={styles.lines}
        data-one-step={isOfOneStep || undefined}
        role="table"
        aria-label="Log lines"
        aria-rowcount={count}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard
        tabIndex={0}
      >
        <div role="rowgroup" className={styles.area} style={{ height: rows.areaPx }}>
          {indexes.map((index) => (
            <Line
              key={index}
              index={index}
              topPx={rows.topOf(index)}
              line={log.lineAt(index)}
              onSelect={setSelected}
            />
          ))}
        </div>
      </div>
      {selected === undefined ? null : (
        <pre className={styles.selected} aria-label={`Line ${selected.line}`}>
          {selected.text}
        </pre>
      )}
    </>
  )
}

function Line({
  index,
  topPx,
  line,
  onSelect,
}: {
  index: number
  topPx: number
  line: LogLine | undefined
  onSelect: (line: LogLine) => void
}) {
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      className={styles.line}
      style={{ top: topPx, height: rowPx }}
      onClick={() => line !== undefined && onSelect(line)}
    >
      {line === undefined ? null : (
        <>
          <span role="cell" className={styles.number}>
            {line.line}
          </span>
          <span role="cell" className={styles.quiet}>
            <Time value={line.time} show="time" />
          </span>
          <span role="cell" className={styles.quiet} title={line.component}>
            {line.component}
          </span>
          <span role="cell">
            <LevelBadge level={line.level} />
          </span>
          <span role="cell" className={styles.text}>
            {line.text}
          </span>
        </>
      )}
    </div>
  )
}

function LevelBadge({ level }: Pick<LogLine, 'level'>) {
  if (level === 'WARN' || level === 'ERROR') return <StatusBadge status={level} />
  return <span className={styles.quiet}>{levelLabel(level)}</span>
}
