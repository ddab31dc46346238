import IconExclamationCircle from '@tabler/icons-react/dist/esm/icons/IconExclamationCircle.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import type { ReactNode } from 'react'
import { ApiError, errorMessage } from '../call/api-error.ts'
import { Button } from './Button.tsx'
import styles from './States.module.css'

export interface EmptyStateProps {
  /** An icon of 20 px. */
  icon?: ReactNode
  /** What is not there, in a few words. */
  title: string
  /** One sentence. */
  children?: ReactNode
  /** The button that fills it. */
  action?: ReactNode
}

/** What a list shows when there is nothing to show: never a dead end. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      {icon === undefined ? null : <span className={styles.icon}>{icon}</span>}
      <p className={styles.title}>{title}</p>
      {children === undefined ? null : <p className={styles.text}>{children}</p>}
      {action === undefined ? null : <div className={styles.action}>{action}</div>}
    </div>
  )
}

export interface ErrorStateProps {
  error: unknown
  onRetry?: () => void
  /** Default 'This could not be loaded'. */
  title?: string
}

/** What went wrong, what to do, and a button to try again. */
export function ErrorState({ error, onRetry, title = 'This could not be loaded' }: ErrorStateProps) {
  const id = error instanceof ApiError ? error.errorId : undefined
  return (
    <div className={styles.state} role="alert">
      <IconExclamationCircle size={20} stroke={1.6} className={styles.problem} aria-hidden="true" />
      <p className={styles.title}>{title}</p>
      <p className={styles.text}>{errorMessage(error)}</p>
      {id === undefined ? null : <p className={styles.id}>Error {id}</p>}
      {onRetry === undefined ? null : (
        <div className={styles.action}>
          <Button icon={<IconRefresh size={15} stroke={1.6} />} onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}

/** An error as one sentence inside a dialog or form. */
export function ErrorNote({ error }: { error: unknown }) {
  const id = error instanceof ApiError ? error.errorId : undefined
  return (
    <p className={styles.note} role="alert">
      <IconExclamationCircle size={15} stroke={1.6} aria-hidden="true" />
      <span>
        {errorMessage(error)}
        {id === undefined ? '' : ` (error ${id})`}
      </span>
    </p>
  )
}
