/**
 * Counts the tests of a Vitest report. A file that could not run at all counts as one failure.
 * @param {{ testResults: { status: string, assertionResults: { status: string }[] }[] }} report
 * @returns {{ passed: number, failed: number, skipped: number }}
 */
export function countTests({ testResults }) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const file of testResults) {
    for (const { status } of file.assertionResults) {
      if (status === 'passed') counts.passed += 1
      else if (status === 'failed') counts.failed += 1
      else counts.skipped += 1
    }
    const noneFailed = file.assertionResults.every(({ status }) => status !== 'failed')
    if (file.status === 'failed' && noneFailed) counts.failed += 1
  }
  return counts
}

/** Returns the last line of a test run. */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}
