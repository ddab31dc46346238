import type { Clock, Log } from '@headwater/server-kit'

/** An error that happened in a browser. */
export interface ErrorReport {
  message: string
  level: 'error' | 'fatal'
  /** Who saw it: the signed-in user, or the name somebody claims to have. */
  userName: string
  signedIn: boolean
  address: string
}

/** Takes reports into the server log. */
export interface ErrorReports {
  /** Logs a report; what is too much in a minute is dropped, and counted in the log. */
  take(report: ErrorReport): void
}

const perMinute = { anonymous: 10, signedIn: 60 }
const maxSources = 10_000

/** Creates the receiver. */
export function createErrorReports({ log, clock }: { log: Log; clock: Clock }): ErrorReports {
  let minute = 0
  let dropped = 0
  const counts = new Map<string, number>()

  function mayPass({ signedIn, userName, address }: ErrorReport): boolean {
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
      if (!mayPass(report)) {
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

/** Text that cannot forge lines, colours or directions in a log, and that carries no token. */
function cleanText(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/\b(token|refreshToken|password)=[^\s&"']+/gi, '$1=[removed]')
    .replace(/\/(ChangePassword|Activate)\/[\w-]+/gi, '/$1/[removed]')
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[removed]')
    .replace(/\bNG_[\w-]{20,}/g, '[removed]')
}
