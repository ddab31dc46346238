import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import { Spinner } from './Spinner.tsx'
import styles from './Button.module.css'

/** Style of a button. */
export type ButtonVariant = 'default' | 'primary' | 'quiet' | 'danger' | 'dangerQuiet'

/** Properties of {@link Button}. */
export interface ButtonProps extends ComponentPropsWithRef<'button'> {
  /** Whether the button gets the focus in a dialog when the focused control near it disappears. */
  'data-next-focus'?: boolean
  /** `default` has a thin border; `primary` is the main action of a screen; `quiet` has no border. */
  variant?: ButtonVariant
  /** An icon of 16 px before the text. */
  icon?: ReactNode
  /** An icon of 16 px after the text. */
  iconRight?: ReactNode
  /** Shows that the action is running and ignores further clicks. The button keeps the focus. */
  busy?: boolean
  /** Height: 28 px, or 24 px when small. */
  size?: 'small'
  /** If set, the button is a router link. */
  href?: string
}

/** A button, 28 px high (24 when small). */
export function Button({
  variant = 'default',
  icon,
  iconRight,
  busy = false,
  size,
  href,
  children,
  className,
  disabled,
  type = 'button',
  ...rest
}: ButtonProps) {
  const names = [styles.button, styles[variant], size ? styles[size] : '', className]
    .filter(Boolean)
    .join(' ')
  const content = (
    <>
      {busy ? <Spinner /> : icon}
      {children === undefined ? null : <span className={styles.text}>{children}</span>}
      {iconRight}
    </>
  )
  if (href !== undefined && !disabled) {
    return (
      <Link
        to={href}
        className={names}
        aria-label={rest['aria-label']}
        onClick={rest.onClick as ((event: MouseEvent) => void) | undefined}
      >
        {content}
      </Link>
    )
  }
  return (
    <button
      {...rest}
      type={type}
      className={names}
      disabled={disabled}
      // If the button were disabled, it would lose the focus, and keyboard users would lose their position on the page.
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? ignoreClick : rest.onClick}
    >
      {content}
    </button>
  )
}

function ignoreClick(event: MouseEvent): void {
  event.preventDefault()
}

/** The thin vertical line between two groups of buttons. */
export function HeaderDivider() {
  return <span className={styles.divider} aria-hidden="true" />
}
