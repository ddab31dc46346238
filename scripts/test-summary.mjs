/**
 * Counts the tests of a Vitest report. A file that could not be run at all counts as one failure.
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

/**
 * The files with a failed test, and those that could not be run at all.
 * @param {{ testResults: { name: string, status: string }[] }} report
 * @returns {string[]} absolute paths
 */
export function failedFiles({ testResults }) {
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)
}

/**
 * The report of a run with the files that were run again in place of their first results, and the names of the tests
 * that passed only then: each hides a fault, of the test or of the product.
 * @param {{ testResults: FileResult[] }} first
 * @param {{ testResults: FileResult[] }} second
 * @typedef {{ name: string, status: string, assertionResults: { status: string, fullName?: string }[] }} FileResult
 * @returns {{ results: { testResults: FileResult[] }, passedOnSecondTry: string[] }}
 */
export function mergeSecondTry(first, second) {
  const again = new Map(second.testResults.map((file) => [file.name, file]))
  const passedOnSecondTry = first.testResults.flatMap((file) => {
    const passed = new Set(
      again
        .get(file.name)
        ?.assertionResults.filter(({ status }) => status === 'passed')
        .map(({ fullName }) => fullName),
    )
    const failed = file.assertionResults.filter(({ status }) => status === 'failed')
    return failed.map(({ fullName }) => fullName ?? '').filter((name) => passed.has(name))
  })
  const testResults = first.testResults.map((file) => again.get(file.name) ?? file)
  return { results: { testResults }, passedOnSecondTry }
}

/** The line that closes a test run. */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}
