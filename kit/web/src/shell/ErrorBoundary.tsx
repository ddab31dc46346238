import { Component, type ErrorInfo, type ReactNode } from 'react'
import { newErrorId, reportError } from '../call/error-report.ts'
import { Button } from '../ui/Button.tsx'
import { forgetFailedParts, isMissingCode } from './lazy-part.ts'
import styles from './ErrorBoundary.module.css'

/** A part of a page that failed. */
export interface BrokenPart {
  /** Id of the error report; undefined if only the code of the part could not be loaded, which is not reported. */
  id: string | undefined
  /** Renders the part again. */
  retry: () => void
}

interface Props {
  children: ReactNode
  /** Path of the page. A change of the path renders the page again. */
  resetKey?: string
  /** Renders the replacement of a failed part; default an error page. */
  fallback?: (broken: BrokenPart) => ReactNode
}

interface State {
  error: unknown
  id: string | undefined
  resetKey: string | undefined
}

/**
 * Catches errors of its children, reports them as fatal and shows the id that the error log contains. If only code could not
 * be loaded, it offers a retry instead.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined, id: undefined, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error, id: newErrorId() }
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey
      ? null
      : { error: undefined, id: undefined, resetKey: props.resetKey }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    forgetFailedParts()
    if (isMissingCode(error)) return
    const where = info.componentStack?.split('\n').slice(0, 4).join(' ') ?? ''
    const reported = error instanceof Error ? new Error(`${error.stack ?? error.message} in${where}`) : error
    reportError(reported, { level: 'fatal', id: this.state.id })
  }

  override render(): ReactNode {
    const { children, fallback } = this.props
    const { id, error } = this.state
    if (id === undefined) return children
    const isMissing = isMissingCode(error)
    const retry = () => this.setState({ error: undefined, id: undefined })
    if (fallback) return fallback({ id: isMissing ? undefined : id, retry })
    if (isMissing)
      return (
        <div className={styles.page} role="alert">
          <h1 className={styles.title}>This page could not be loaded</h1>
          <p className={styles.text}>Check your connection and try again.</p>
          <div className={styles.actions}>
            <Button variant="primary" onClick={retry}>
              Try again
            </Button>
            <Button onClick={() => window.location.assign('/')}>Go to the start page</Button>
          </div>
        </div>
      )
    return (
      <div className={styles.page} role="alert">
        <h1 className={styles.title}>This page stopped working</h1>
        <p className={styles.text}>
          The error was reported with the id <code>{id}</code>. Reload the page; if it happens again, give
          your administrator the id.
        </p>
        <div className={styles.actions}>
          <Button variant="primary" onClick={() => window.location.reload()}>
            Reload
          </Button>
          <Button onClick={() => window.location.assign('/')}>Go to the start page</Button>
        </div>
      </div>
    )
  }
}
