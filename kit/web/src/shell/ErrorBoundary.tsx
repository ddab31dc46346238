import { Component, type ErrorInfo, type ReactNode } from 'react'
import { newErrorId, reportError } from '../call/error-report.ts'
import { Button } from '../ui/Button.tsx'
import { forgetFailedParts } from './lazy-part.ts'
import styles from './ErrorBoundary.module.css'

interface Props {
  children: ReactNode
  /** When it changes, the page is tried again; the path of the page. */
  resetKey?: string
  /** What stands where a part of a page broke, with the id of the report; default a page that says so. */
  fallback?: (id: string, retry: () => void) => ReactNode
}

interface State {
  error: unknown
  id: string | undefined
  resetKey: string | undefined
}

/** Catches what breaks below it, reports it as fatal, and shows a way on with the id that stands in the error log. */
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
    const where = info.componentStack?.split('\n').slice(0, 4).join(' ') ?? ''
    const told = error instanceof Error ? new Error(`${error.stack ?? error.message} in${where}`) : error
    reportError(told, { level: 'fatal', id: this.state.id })
  }

  override render(): ReactNode {
    const { children, fallback } = this.props
    if (this.state.id === undefined) return children
    if (fallback) return fallback(this.state.id, () => this.setState({ error: undefined, id: undefined }))
    return (
      <div className={styles.page} role="alert">
        <h1 className={styles.title}>This page stopped working</h1>
        <p className={styles.text}>
          The error was reported with the id <code>{this.state.id}</code>. Reload the page; if it happens
          again, tell your administrator the id.
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
