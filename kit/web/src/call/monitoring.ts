import { onErrorReport } from './error-report.ts'

/** Sampling rates of session monitoring, as percentages. */
export interface SampleRates {
  /** Share of all sessions that is monitored. */
  session: number
  /** Share of the monitored sessions that can be recorded for replay. */
  replay: number
}

/** Whether a session was sampled. */
export interface MonitoredSession {
  /** Whether the session is monitored. */
  isMonitored: boolean
  /** Whether the session can be recorded; only a monitored one can. */
  isRecorded: boolean
}

/** Decides at random whether a session is monitored and recorded. */
export function drawSession(
  { session, replay }: SampleRates,
  random: () => number = Math.random,
): MonitoredSession {
  const isMonitored = random() * 100 < session
  return { isMonitored, isRecorded: isMonitored && random() * 100 < replay }
}

const key = 'ng-monitored-session'

/** Returns the stored decision for this tab. Makes a new decision if there is none or if it cannot be read. */
function sessionOfTab(rates: SampleRates): MonitoredSession {
  try {
    const stored = JSON.parse(sessionStorage.getItem(key) ?? 'null') as MonitoredSession | null
    if (typeof stored?.isMonitored === 'boolean' && typeof stored.isRecorded === 'boolean') return stored
  } catch {
    // A new decision follows.
  }
  const drawn = drawSession(rates)
  try {
    sessionStorage.setItem(key, JSON.stringify(drawn))
  } catch {
    // If the browser forbids storage, each page makes a new decision.
  }
  return drawn
}

/**
 * Dispatches the events for a monitoring script that an operator adds to the page: `headwater:session` on the window,
 * with the {@link MonitoredSession} as its detail, and in monitored sessions `headwater:error` for each error report.
 * Returns a function that stops the events.
 */
export function announceSession(rates: SampleRates): () => void {
  const session = sessionOfTab(rates)
  window.dispatchEvent(new CustomEvent('headwater:session', { detail: session }))
  if (!session.isMonitored) return () => undefined
  return onErrorReport((report) => {
    window.dispatchEvent(new CustomEvent('headwater:error', { detail: report }))
  })
}
