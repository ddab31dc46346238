const intervalMs = 2000

/** Reports changes within 2 s and at most once every 2 s. */
export interface ThrottledReporter {
  /** Schedules a report unless one is already scheduled. */
  changed(): void
  /** Cancels the scheduled report and resolves when no report is in progress. */
  end(): Promise<void>
}

/**
 * Creates a throttled reporter.
 * @param report sends the current state; if it fails, the next change is still reported
 */
export function createThrottledReporter(report: () => Promise<void>): ThrottledReporter {
  let timer: NodeJS.Timeout | undefined
  let reporting = Promise.resolve()

  function reportNow(): void {
    timer = undefined
    reporting = reporting.then(report).catch(() => undefined)
  }

  return {
    changed() {
      timer ??= setTimeout(reportNow, intervalMs)
    },
    async end() {
      clearTimeout(timer)
      await reporting
    },
  }
}
