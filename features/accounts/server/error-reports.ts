import type { Clock, Log } from '@headwater/server-kit'

/** An error of a browser. */
export interface ErrorReport {
  /** Error message. */
  message: string
  /** `fatal` for an uncaught exception. */
  level: 'error' | 'fatal'
  /** Name of the signed-in user, or an unverified name. */
  userName: string
  /** Whether `userName` is verified. */
  signedIn: boolean
  /** IP address of the client. */
  address: string
}

/** Writes error reports to the server log. */
export interface ErrorReports {
  /** Logs a report. Drops reports above the limit per minute and logs their number. */
  take(report: ErrorReport): void
}

const perMinute = { anonymous: 10, signedIn: 60 }
const maxSources = 10_000

/** Limits reports to 60 a minute per user and 10 a minute per address without sign-in. */
export function createErrorReports({ log, clock }: { log: Log; clock: Clock }): ErrorReports {
  let minute = 0
  let dropped = 0
  const counts = new Map<string, number>()

  function isAdmitted({ signedIn, userName, address }: ErrorReport): boolean {
    const source = signedIn ? `user ${userName}` : `address ${address}`
    const count = (counts.get(source) ?? 0) + 1
    if (count > (signedIn ? perMinute.signedIn : perMinute.anonymous)) return false
    if (!counts.has(source) && counts.size >= maxSources) return false
    counts.set(source, count)
    return true
  }

  function startMinute(): void {
    const now = Math.floor(clock.now().getTime() / 60_000)
    if (now === minute) return
    if (dropped > 0) log.warn({ dropped }, 'reports of browser errors were dropped')
    minute = now
    dropped = 0
    counts.clear()
  }

  return {
    take(report) {
      startMinute()
      if (!isAdmitted(report)) {
        dropped += 1
        return
      }
      const { level, signedIn, address } = report
      const userName = cleanText(report.userName)
      log.warn(
        { severity: level, userName, signedIn, address, report: cleanText(report.message) },
        'an error in a browser',
      )
    },
  }
}

/** Removes control characters, which could forge log lines, and tokens. */
function cleanText(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/\b(token|refreshToken|password)=[^\s&"']+/gi, '$1=[removed]')
    .replace(/\/(ChangePassword|Activate)\/[\w-]+/gi, '/$1/[removed]')
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[removed]')
    .replace(/\bNG_[\w-]{20,}/g, '[removed]')
}
