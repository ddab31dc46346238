import type { ComponentPropsWithRef, ReactNode } from 'react'
import { Link } from 'react-router'
import { Tooltip } from './Tooltip.tsx'
import styles from './IconButton.module.css'

/** Properties of {@link IconButton}. */
export interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'children'> {
  /** Whether the button removes its item from a list. In a dialog, the same button of the next item then gets the focus. */
  'data-removes-item'?: boolean
  /** Accessible name and tooltip. */
  label: string
  /** The icon. */
  icon: ReactNode
  /** Whether the button is a pressed toggle. */
  active?: boolean
  /** Style of the button. */
  variant?: 'quiet' | 'default' | 'danger'
  /** Whether windows of at least 1280 px show the label next to the icon. Default false. */
  labelled?: boolean
  /** If set, the button is a router link. */
  href?: string
}

/** A square button of 28 px with an icon. */
export function IconButton({
  label,
  icon,
  active,
  variant = 'quiet',
  labelled = false,
  href,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  const names = [
    styles.button,
    styles[variant],
    active ? styles.active : '',
    labelled ? styles.labelled : '',
    className,
  ]
    .filter(Boolean)
    .join(' ')
  const content = (
    <>
      {icon}
      {labelled ? <span className={styles.label}>{label}</span> : null}
    </>
  )
  return (
    <Tooltip label={label}>
      {href === undefined ? (
        <button {...rest} type={type} className={names} aria-label={label} aria-pressed={active}>
          {content}
        </button>
      ) : (
        <Link to={href} className={names} aria-label={label}>
          {content}
        </Link>
      )}
    </Tooltip>
  )
}
