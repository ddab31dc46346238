/** What is told about an error nobody expected. */
export interface ErrorReport {
  message: string
  level: 'error' | 'fatal'
}

/** What browsers throw at a page whose layout took one more turn; nothing is wrong with it. */
const harmless = /^ResizeObserver loop /

type Receiver = (report: ErrorReport) => void

const receivers = new Set<Receiver>()

/** Adds someone who is told of errors: the error log, an analytics service. Returns how to take it away. */
export function onErrorReport(receiver: Receiver): () => void {
  receivers.add(receiver)
  return () => receivers.delete(receiver)
}

/** Tells every receiver of an error; `id` ties the report to what stands on the screen. */
export function reportError(
  error: unknown,
  { level = 'error', id }: { level?: ErrorReport['level']; id?: string } = {},
): void {
  if (error instanceof DOMException && error.name === 'AbortError') return
  const text = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error)
  const report = { message: (id === undefined ? text : `[${id}] ${text}`).slice(0, 10_000), level }
  for (const receiver of receivers) receiver(report)
}

/** Reports every exception and rejected promise that nobody caught as fatal. Returns how to stop. */
export function watchUncaughtErrors(target: Window): () => void {
  const onError = (event: ErrorEvent) => {
    if (!harmless.test(event.message)) reportError(event.error ?? event.message, { level: 'fatal' })
  }
  const onRejection = (event: PromiseRejectionEvent) => reportError(event.reason, { level: 'fatal' })
  target.addEventListener('error', onError)
  target.addEventListener('unhandledrejection', onRejection)
  return () => {
    target.removeEventListener('error', onError)
    target.removeEventListener('unhandledrejection', onRejection)
  }
}

/** A short id for an error on the screen, for example `4f7a-19c2`. */
export function newErrorId(random: () => number = Math.random): string {
  const four = () =>
    Math.floor(random() * 0x10000)
      .toString(16)
      .padStart(4, '0')
  return `${four()}-${four()}`
}
