import type { ReactNode } from 'react'
import IconAlertOctagon from '@tabler/icons-react/dist/esm/icons/IconAlertOctagon.mjs'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconArrowDownRight from '@tabler/icons-react/dist/esm/icons/IconArrowDownRight.mjs'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconArrowUpRight from '@tabler/icons-react/dist/esm/icons/IconArrowUpRight.mjs'
import IconCalendar from '@tabler/icons-react/dist/esm/icons/IconCalendar.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import {
  changeText,
  comparisonText,
  levelText,
  valueText,
  type StatChange,
  type StatValue,
  type Level,
  type StatsTile,
} from '@headwater/tile-data/core'
import { formatTime, formatRelative, formatUtc, useTimeZone } from '@headwater/web-kit'
import { Sparkline } from './Sparkline.tsx'
import styles from './StatFigure.module.css'

const dayMs = 86_400_000
const sign = { size: 14, stroke: 1.8, 'aria-hidden': true } as const

/** A value with threshold, change, sparkline and age. */
export function StatFigure({
  value,
  definition,
  refreshedAt,
}: {
  value: StatValue
  definition: StatsTile
  refreshedAt: number
}) {
  const { threshold, points } = value
  const { fullUnit } = value.unit
  const fullText =
    fullUnit === undefined || value.value === undefined
      ? undefined
      : valueText(value.value, { unit: fullUnit, unitOnFront: false }, value.decimals)
  return (
    <div className={styles.figure} data-level={threshold?.level}>
      <strong className={styles.number} title={fullText}>
        {value.value === undefined ? 'no value' : valueText(value.value, value.unit, value.decimals)}
      </strong>
      <span className={styles.notes}>
        {threshold ? (
          <span className={styles.level} data-level={threshold.level}>
            {levelSigns[threshold.level]}
            {levelText(threshold)}
          </span>
        ) : null}
        {value.change ? (
          <Change change={value.change} value={value} definition={definition} />
        ) : definition.statistic === 'LAST' && definition.comparison !== 'NONE' && points.length > 0 ? (
          <span className={styles.quiet}>{comparisonText(definition)}: no value</span>
        ) : null}
      </span>
      {definition.sparkline ? <Sparkline points={points} /> : null}
      {definition.freshness && value.newest !== undefined ? (
        <Freshness newest={value.newest} at={value.at} staleHours={definition.staleHours} now={refreshedAt} />
      ) : null}
    </div>
  )
}

const levelSigns: Record<Level, ReactNode> = {
  good: <IconCircleCheck {...sign} />,
  warn: <IconAlertTriangle {...sign} />,
  bad: <IconAlertOctagon {...sign} />,
}

function Change({
  change,
  value: { unit, decimals },
  definition,
}: {
  change: StatChange
  value: Pick<StatValue, 'unit' | 'decimals'>
  definition: StatsTile
}) {
  const { difference } = change
  const [text, comparison] = [changeText(change, unit, decimals), comparisonText(definition)]
  const Arrow = difference > 0 ? IconArrowUpRight : difference < 0 ? IconArrowDownRight : IconArrowRight
  return (
    <span className={styles.change} data-mood={moodOf(difference, definition.rising)}>
      <Arrow {...sign} />
      <span title={`${text} ${comparison}`}>
        {text}{' '}
        <span className={styles.quiet} title={`Compared with the value of ${formatUtc(change.before.time)}`}>
          {comparison}
        </span>
      </span>
    </span>
  )
}

function moodOf(difference: number, rising: StatsTile['rising']): 'good' | 'bad' | undefined {
  if (difference === 0 || rising === 'neutral') return undefined
  return difference > 0 === (rising === 'good') ? 'good' : 'bad'
}

/**
 * The age of the newest value, and whether it is outdated. For FIRST, MIN and MAX, shows their own time, and the age
 * only if the value is outdated.
 */
function Freshness({
  newest,
  at,
  staleHours,
  now,
}: {
  newest: number
  at: number | undefined
  staleHours: number | null
  now: number
}) {
  const isStale = staleHours !== null && now - newest > staleHours * 3_600_000
  return (
    <>
      {at === undefined ? null : <Timestamp time={at} now={now} icon={<IconCalendar {...sign} />} />}
      {at !== undefined && !isStale ? null : (
        <Timestamp
          time={newest}
          now={now}
          stale={isStale}
          icon={isStale ? <IconAlertTriangle {...sign} /> : <IconClock {...sign} />}
        />
      )}
    </>
  )
}

function Timestamp({
  time,
  now,
  icon,
  stale = false,
}: {
  time: number
  now: number
  icon: ReactNode
  stale?: boolean
}) {
  const zone = useTimeZone()
  const isDay = time % dayMs === 0
  const today = new Date(now)
  return (
    <span className={styles.freshness} data-stale={stale || undefined} title={formatUtc(time)}>
      {icon}
      <span>
        {stale ? 'Old: ' : ''}
        {isDay ? formatTime(time, 'UTC', 'date', today) : formatTime(time, zone, 'datetime', today)}
        <span className={styles.age}>, {formatRelative(time, today)}</span>
      </span>
    </span>
  )
}
