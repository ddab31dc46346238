import type { ReactNode } from 'react'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import styles from './Surface.module.css'

/** Properties of {@link Panel}. */
export interface PanelProps {
  /** Title; absent for a surface without a title row. */
  title?: ReactNode
  /** Content beside the title, for example a Badge. */
  note?: ReactNode
  /** Content at the right end of the title row. */
  actions?: ReactNode
  /** Content. */
  children?: ReactNode
  /** Uses a border in the accent colour. */
  selected?: boolean
  /** Additional CSS class. */
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

/** Properties of {@link Badge}. */
export interface BadgeProps {
  /** Text. */
  children: ReactNode
  /** Colour of the frame. */
  kind?: 'neutral' | 'warn' | 'accent'
  /** Icon before the text. */
  icon?: ReactNode
}

/** A short text in a thin frame. */
export function Badge({ children, kind = 'neutral', icon }: BadgeProps) {
  return (
    <span className={styles.badge} data-kind={kind}>
      {icon}
      {children}
    </span>
  )
}

/** Properties of {@link Chip}. */
export interface ChipProps {
  /** Name of the parameter. */
  label: string
  /** Value of the parameter. */
  value: string
  /** Called for a click. */
  onClick?: () => void
  /** Whether the panel of the parameter is open. */
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

/** Properties of {@link Progress}. */
export interface ProgressProps {
  /** Progress from 0 to 1; absent when unknown. */
  value?: number
  /** Accessible name. */
  label: string
}

/** A thin progress bar. */
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
