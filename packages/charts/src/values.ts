// What charts make of values before they draw them: a door of its own, since it needs no browser.
export * from './grouping.ts'
export * from './moving-average.ts'
export { NUMBER_FORMATS } from './chart-spec.ts'
export { decimalsOf, formatValue, type NumberLook } from './numbers.ts'
export * from './seasonality.ts'
