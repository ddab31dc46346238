import type { ComponentPropsWithRef, ReactNode } from 'react'
import { Link } from 'react-router'
import { Tooltip } from './Tooltip.tsx'
import styles from './IconButton.module.css'

export interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'children'> {
  /** The accessible name and the tooltip. */
  label: string
  icon: ReactNode
  /** Drawn as switched on, and told as pressed. */
  active?: boolean
  variant?: 'quiet' | 'default' | 'danger'
  href?: string
}

/** A square button of 28 px that shows an icon only. */
export function IconButton({
  label,
  icon,
  active,
  variant = 'quiet',
  href,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  const names = [styles.button, styles[variant], active ? styles.active : '', className]
    .filter(Boolean)
    .join(' ')
  return (
    <Tooltip label={label}>
      {href === undefined ? (
        <button {...rest} type={type} className={names} aria-label={label} aria-pressed={active}>
          {icon}
        </button>
      ) : (
        <Link to={href} className={names} aria-label={label}>
          {icon}
        </Link>
      )}
    </Tooltip>
  )
}
