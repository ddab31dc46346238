// Entry point for calculations on values, which need no browser.
export * from './grouping.ts'
export * from './moving-average.ts'
export { NUMBER_FORMATS } from './chart-spec.ts'
export { decimalsOf, formatValue, type NumberFormatOptions } from './numbers.ts'
export * from './seasonality.ts'
