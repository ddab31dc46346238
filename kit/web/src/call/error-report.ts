import { isAbort } from './api-error.ts'

/** Report of an unexpected error. */
export interface ErrorReport {
  /** Message of the error. */
  message: string
  /** `fatal` if a part of the page no longer works. */
  level: 'error' | 'fatal'
}

/** Matches messages that browsers report when a layout needs another pass. They are harmless. */
const harmless = /^ResizeObserver loop /

type Receiver = (report: ErrorReport) => void

const receivers = new Set<Receiver>()

/** Adds a receiver of error reports, such as the error log. Returns a function that removes it. */
export function onErrorReport(receiver: Receiver): () => void {
  receivers.add(receiver)
  return () => receivers.delete(receiver)
}

/** Sends an error to every receiver; `id` links the report to the message on the screen. */
export function reportError(
  error: unknown,
  { level = 'error', id }: { level?: ErrorReport['level']; id?: string } = {},
): void {
  if (isAbort(error)) return
  const text = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error)
  const report = { message: (id === undefined ? text : `[${id}] ${text}`).slice(0, 10_000), level }
  for (const receiver of receivers) receiver(report)
}

/** Reports every uncaught exception and rejected promise as fatal. Returns a function that stops the reports. */
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

/** Creates a short id for an error on the screen, for example `4f7a-19c2`. */
export function newErrorId(random: () => number = Math.random): string {
  const four = () =>
    Math.floor(random() * 0x10000)
      .toString(16)
      .padStart(4, '0')
  return `${four()}-${four()}`
}
