// Entry point for calculations on values, which need no browser.
export * from './grouping.ts'
export * from './moving-average.ts'
export { decimalsOf } from './numbers.ts'
export * from './seasonality.ts'
