import IconExclamationCircle from '@tabler/icons-react/dist/esm/icons/IconExclamationCircle.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconSearchOff from '@tabler/icons-react/dist/esm/icons/IconSearchOff.mjs'
import type { ReactNode } from 'react'
import { ApiError, errorMessage } from '../call/api-error.ts'
import { Button } from './Button.tsx'
import styles from './States.module.css'

/** Properties of {@link EmptyState}. */
export interface EmptyStateProps {
  /** An icon of 20 px. */
  icon?: ReactNode
  /** Headline: what belongs here. */
  title: string
  /** One sentence. */
  children?: ReactNode
  /** The button that adds content. */
  action?: ReactNode
}

/** Content of an empty list: explains what belongs here and offers the action. */
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

/** Message of every search without matches. */
export const nothingFoundText = 'Sorry, nothing found!'

/** Properties of {@link NothingFound}. */
export interface NothingFoundProps {
  /** Plural noun for the items of the list, for the button that clears the search. */
  what?: string
  /** Clears the search. If absent, there is no button. */
  onShowAll?: () => void
  /** One sentence that explains the search. */
  children?: ReactNode
}

/** Content of a list whose search has no matches. */
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

/** Properties of {@link ErrorState}. */
export interface ErrorStateProps {
  /** The error. */
  error: unknown
  /** Called by the retry button. If absent, there is no button. */
  onRetry?: () => void
  /** Headline, default 'This could not be loaded'. */
  title?: string
}

/** Shows an error, what to do, and a retry button. */
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

/** Shows an error as one sentence inside a dialog or form. */
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
