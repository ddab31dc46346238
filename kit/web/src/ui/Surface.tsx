import type { ReactNode } from 'react'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import styles from './Surface.module.css'

export interface PanelProps {
  title?: ReactNode
  /** Beside the title, for example a Badge. */
  note?: ReactNode
  /** At the right end of the title row. */
  actions?: ReactNode
  children?: ReactNode
  /** Drawn with a border in the accent colour. */
  selected?: boolean
  className?: string
}

/** A surface with a thin border and an optional title row. */
export function Panel({ title, note, actions, children, selected, className }: PanelProps) {
  const head = title !== undefined || actions !== undefined
  return (
    <section
      className={[styles.panel, className].filter(Boolean).join(' ')}
      data-selected={selected || undefined}
    >
      {head ? (
        <div className={styles.head}>
          <h2 className={styles.title}>{title}</h2>
          {note}
          <div className={styles.actions}>{actions}</div>
        </div>
      ) : null}
      {children}
    </section>
  )
}

export interface BadgeProps {
  children: ReactNode
  kind?: 'neutral' | 'warn' | 'accent'
  icon?: ReactNode
}

/** A word in a thin frame. */
export function Badge({ children, kind = 'neutral', icon }: BadgeProps) {
  return (
    <span className={styles.badge} data-kind={kind}>
      {icon}
      {children}
    </span>
  )
}

export interface ChipProps {
  label: string
  value: string
  onClick?: () => void
  expanded?: boolean
}

/** A rounded button that shows a parameter and its value. */
export function Chip({ label, value, onClick, expanded, ...rest }: ChipProps) {
  return (
    <button
      {...rest}
      type="button"
      className={styles.chip}
      title={value}
      onClick={onClick}
      aria-expanded={expanded}
    >
      <span className={styles.chipLabel}>{`${label} `}</span>
      <span className={styles.chipValue}>{value}</span>
      <IconChevronDown size={14} stroke={1.6} aria-hidden="true" />
    </button>
  )
}

export interface ProgressProps {
  /** 0 to 1; absent when it is not known. */
  value?: number
  /** Accessible name. */
  label: string
}

/** A thin bar that fills. */
export function Progress({ value, label }: ProgressProps) {
  return (
    <div
      className={styles.progress}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value === undefined ? undefined : Math.round(value * 100)}
      data-unknown={value === undefined || undefined}
    >
      <div className={styles.bar} style={value === undefined ? undefined : { width: `${value * 100}%` }} />
    </div>
  )
}
