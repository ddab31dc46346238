import IconExclamationCircle from '@tabler/icons-react/dist/esm/icons/IconExclamationCircle.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconSearchOff from '@tabler/icons-react/dist/esm/icons/IconSearchOff.mjs'
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

/** What every search says that finds nothing. */
export const nothingFoundText = 'Sorry, nothing found!'

export interface NothingFoundProps {
  /** What the list holds, in the plural, for the button that clears the search. */
  what?: string
  /** Clears the search; without it there is no button. */
  onShowAll?: () => void
  /** One sentence about what the search looks for. */
  children?: ReactNode
}

/** What a list shows when its search finds nothing. */
export function NothingFound({ what, onShowAll, children }: NothingFoundProps) {
  return (
    <EmptyState
      icon={<IconSearchOff size={20} stroke={1.6} />}
      title={nothingFoundText}
      action={
        onShowAll === undefined ? undefined : (
          <Button onClick={onShowAll}>{what === undefined ? 'Show all' : `Show all ${what}`}</Button>
        )
      }
    >
      {children}
    </EmptyState>
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
