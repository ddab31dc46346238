import type { TestEvent } from '../../contract/index.ts'

/** The end of a test run. */
export type TestResult = Extract<TestEvent, { type: 'result' }>

/** Returns whether the error of a test run has a position in the script. */
export function hasPosition({ line, message }: Pick<TestResult, 'line' | 'message'>): boolean {
  return line !== null || /\bline \d+, column \d+/.test(message)
}

/** Returns the error of a test run with its line. */
export function testErrorText({ line, message }: Pick<TestResult, 'line' | 'message'>): string {
  return line === null ? message : `Line ${line}: ${message}`
}
